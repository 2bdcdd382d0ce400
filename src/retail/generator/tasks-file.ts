import { UsageError } from '../../shared/index.js';
import { readTextFile } from '../loader/read-file.js';
import { parseData } from '../parse-data.js';
import { type Task, taskSchema } from '../task.js';

/** One task as JSON a line, as `parlor tasks generate` writes them. */
export function formatTasks(tasks: readonly Task[]): string {
  return tasks.map((task) => `${JSON.stringify(task)}\n`).join('');
}

function parseLine(text: string, place: string): Task {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(
      'broken-json',
      `${place}: expected one task as JSON; got ${text.length} characters that are no JSON. Is the file cut off?`,
      { cause },
    );
  }
  return parseData(taskSchema, data, place);
}

/**
 * Reads a file of tasks, one as JSON a line; empty lines are skipped.
 * @throws UsageError that names the line and the place inside it: `missing-file`, `file-too-large`, `broken-json`,
 *   `invalid-data`, `duplicate-task`, `no-tasks`.
 */
export async function loadTasksFile(path: string): Promise<Task[]> {
  const text = await readTextFile(path);
  const lineOf = new Map<string, number>();
  const tasks: Task[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = `${path}, line ${index + 1}`;
    const task = parseLine(line, place);
    const earlier = lineOf.get(task.id);
    if (earlier !== undefined)
      throw new UsageError(
        'duplicate-task',
        `${place}: expected an id of its own; got "${task.id}", which line ${earlier} has`,
      );
    lineOf.set(task.id, index + 1);
    tasks.push(task);
  }
  if (tasks.length === 0)
    throw new UsageError('no-tasks', `${path}: expected at least one task, one as JSON a line; got none`);
  return tasks;
}
