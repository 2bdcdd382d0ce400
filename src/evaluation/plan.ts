import type { Mode } from '../protocol/index.js';
import type { Task, ToolDefinition } from '../retail/index.js';
import { deriveSeed } from '../shared/index.js';
import { TaskSelectionError } from './errors.js';

/** One episode that a run should hold. */
export interface PlannedEpisode {
  readonly task: string;
  /** 0-based. */
  readonly trial: number;
  readonly mode: Mode;
  /** The same for both modes, so that a task's speech and text episodes form a pair. */
  readonly seed: number;
}

export interface PlanInput {
  /** Task ids, in the order they should run. */
  readonly tasks: readonly string[];
  readonly trials: number;
  readonly modes: readonly Mode[];
  readonly seed: number;
  /** All trials of a task meet the same customer with the same words, as groups that are compared for training do. */
  readonly sameCustomer?: boolean | undefined;
}

/**
 * Tasks × trials × modes. Trials are the outer loop, so that a run which is stopped early has seen every task about equally
 * often. An episode's seed depends on run seed, task and trial alone: adding tasks, trials or a mode changes no other episode.
 */
export function createPlan(input: PlanInput): PlannedEpisode[] {
  const plan: PlannedEpisode[] = [];
  for (let trial = 0; trial < input.trials; trial += 1)
    for (const task of input.tasks)
      for (const mode of input.modes)
        plan.push({
          task,
          trial,
          mode,
          seed: deriveSeed(input.seed, task, input.sameCustomer === true ? 0 : trial),
        });
  return plan;
}

/** Equal for the same slot of a plan, whatever the attempt. */
export function episodeKey(episode: Pick<PlannedEpisode, 'task' | 'trial' | 'mode'>): string {
  return `${episode.mode}/${episode.trial}/${episode.task}`;
}

export interface TaskSelection {
  /** Only tasks of this split. */
  readonly split?: string | undefined;
  /** Exactly these, in this order. */
  readonly ids?: readonly string[] | undefined;
  /** This many, spread over the kinds of tasks; the first 10 are also among the first 20. */
  readonly count?: number | undefined;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function splitNames(tasks: readonly Task[]): string[] {
  return [...new Set(tasks.flatMap((task) => task.splits))].sort(compareText);
}

function quoteSome(names: readonly string[], limit = 8): string {
  const shown = names
    .slice(0, limit)
    .map((name) => `"${name}"`)
    .join(', ');
  return names.length > limit ? `${shown}, … (${names.length} in all)` : shown;
}

/** @throws TaskSelectionError when a split or id is unknown, or nothing is left. */
export function selectTasks(
  domain: { readonly tasks: readonly Task[]; readonly tools: readonly ToolDefinition[] },
  selection: TaskSelection,
): Task[] {
  const { split, ids, count } = selection;
  if (split !== undefined && !domain.tasks.some((task) => task.splits.includes(split))) {
    const names = splitNames(domain.tasks);
    throw new TaskSelectionError(
      `no split "${split}" here; ${names.length === 0 ? 'this source has no splits' : `choose one of ${quoteSome(names)}`}`,
      { split, splits: names },
    );
  }
  const pool =
    split === undefined ? [...domain.tasks] : domain.tasks.filter((task) => task.splits.includes(split));
  if (pool.length === 0)
    throw new TaskSelectionError('this source has no tasks; give a folder that has some');
  if (ids !== undefined) return pickByIds(pool, ids, split);
  return count === undefined ? pool : spreadOverKinds(pool, domain.tools, count);
}

function pickByIds(pool: readonly Task[], ids: readonly string[], split: string | undefined): Task[] {
  const byId = new Map(pool.map((task) => [task.id, task]));
  const where = split === undefined ? '' : ` in split "${split}"`;
  const chosen = new Map<string, Task>();
  for (const id of ids) {
    const task = byId.get(id);
    if (task === undefined)
      throw new TaskSelectionError(
        `no task "${id}"${where}; ids here look like ${quoteSome([...byId.keys()], 4)} (parlor tasks list shows them)`,
        { task: id },
      );
    chosen.set(id, task);
  }
  if (chosen.size === 0) throw new TaskSelectionError('no task id given; give ids separated by commas');
  return [...chosen.values()];
}

/** The kind of a task: which state-changing tools its ground truth uses. */
function kindOf(task: Task, writes: ReadonlySet<string>): string {
  const used = task.groundTruth.map((call) => call.name).filter((name) => writes.has(name));
  return [...new Set(used)].sort(compareText).join('+');
}

function spreadOverKinds(pool: readonly Task[], tools: readonly ToolDefinition[], count: number): Task[] {
  if (count > pool.length)
    throw new TaskSelectionError(
      `${count} tasks were asked for, and there are ${pool.length}; ask for fewer`,
      {
        asked: count,
        available: pool.length,
      },
    );
  const writes = new Set(tools.filter((tool) => tool.kind !== 'read').map((tool) => tool.name));
  const kinds = new Map<string, Task[]>();
  for (const task of pool) {
    const kind = kindOf(task, writes);
    kinds.set(kind, [...(kinds.get(kind) ?? []), task]);
  }
  const queues = [...kinds.entries()]
    .sort(([kindA, a], [kindB, b]) => b.length - a.length || (kindA < kindB ? -1 : 1))
    .map(([, tasks]) => tasks);
  const chosen = new Set<Task>();
  for (let round = 0; chosen.size < count; round += 1)
    for (const queue of queues) {
      const task = queue[round];
      if (task !== undefined && chosen.size < count) chosen.add(task);
    }
  return pool.filter((task) => chosen.has(task));
}
