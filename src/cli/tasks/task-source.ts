import { resolve } from 'node:path';
import { builtInDomain, loadDomain, loadTasksFile, type Task } from '../../retail/index.js';
import { UsageError } from '../../shared/index.js';
import { didYouMean } from '../nearest.js';

/** Where tasks are read from: a benchmark's folder, a generated file, or the built-in shop. */
export interface TaskSourceOptions {
  readonly data?: string;
  readonly tasks?: string;
}

export interface TaskSource {
  readonly label: string;
  readonly tasks: readonly Task[];
}

/** @throws UsageError for options that exclude each other, and as `loadDomain` and `loadTasksFile` do. */
export async function openTaskSource(options: TaskSourceOptions, cwd: string): Promise<TaskSource> {
  const { data, tasks } = options;
  if (data !== undefined && tasks !== undefined)
    throw new UsageError('wrong-options', 'expected at most one of --data and --tasks; got both');
  if (tasks !== undefined) return { label: tasks, tasks: await loadTasksFile(resolve(cwd, tasks)) };
  return data === undefined ? builtInDomain() : await loadDomain(resolve(cwd, data));
}

/**
 * Tasks of a split and with a tag; all where neither is given.
 * @throws UsageError `unknown-split`, `unknown-tag` with what there is.
 */
export function selectTasks(
  { label, tasks }: TaskSource,
  { split, tag }: { readonly split?: string; readonly tag?: string },
): Task[] {
  const ofSplit = tasks.filter((task) => split === undefined || task.splits.includes(split));
  if (split !== undefined && ofSplit.length === 0) {
    const splits = [...new Set(tasks.flatMap((task) => task.splits))];
    throw new UsageError(
      'unknown-split',
      `--split must be one of ${splits.join(', ')} for ${label}; got "${split}"`,
    );
  }
  const selected = ofSplit.filter((task) => tag === undefined || task.tags.includes(tag));
  if (tag !== undefined && selected.length === 0) {
    const tags = [...new Set(ofSplit.flatMap((task) => task.tags))].toSorted((a, b) =>
      a.localeCompare(b, 'en'),
    );
    const what = tags.length === 0 ? `, but the tasks of ${label} have no tags` : didYouMean(tag, tags);
    throw new UsageError(
      'unknown-tag',
      `--tag must be a tag of the tasks${what}; got "${tag}". parlor tasks list --by-tag prints them all`,
    );
  }
  return selected;
}

/** @throws UsageError `unknown-task` with ids that are near. */
export function findTask({ label, tasks }: TaskSource, id: string): Task {
  const task = tasks.find((candidate) => candidate.id === id);
  if (task !== undefined) return task;
  const ids = tasks.map((candidate) => candidate.id);
  const range = ids.length === 0 ? '' : ` (${ids[0]} … ${ids.at(-1)})`;
  throw new UsageError(
    'unknown-task',
    `expected the id of one of the ${ids.length} tasks of ${label}${range}; got "${id}"${didYouMean(id, ids)}`,
  );
}
