import type { Task } from '../../retail/index.js';
import { createRandom, deriveSeed } from '../../shared/index.js';
import { EnvFault } from './faults.js';

/** The one environment of this server, as the task routes name it. */
export const ENVIRONMENT = 'retail';
/** What stands in for a split where the tasks have none. */
const ALL = 'all';

export interface Split {
  readonly name: string;
  readonly type: 'train' | 'validation' | 'test';
}

/** What a client may know of a task before it plays it. */
export interface TaskEntry {
  readonly id: string;
  readonly split: string;
  readonly index: number;
}

export interface TaskWish {
  readonly taskId?: string | undefined;
  readonly split?: string | undefined;
  readonly index?: number | undefined;
  readonly seed: number;
}

/** The tasks of a domain by split and place. Ids only: what a task asks for stays inside. */
export class TaskCatalogue {
  readonly #splits: ReadonlyMap<string, readonly string[]>;
  readonly #ids: ReadonlySet<string>;

  constructor(tasks: readonly Pick<Task, 'id' | 'splits'>[]) {
    const splits = new Map<string, string[]>();
    for (const { id, splits: names } of tasks)
      for (const name of names.length === 0 ? [ALL] : names)
        splits.set(name, [...(splits.get(name) ?? []), id]);
    this.#splits = splits;
    this.#ids = new Set(tasks.map(({ id }) => id));
  }

  /** Where a reset without a split draws from: never from the test tasks while there are others to train on. */
  get defaultSplit(): string {
    return this.#splits.has('train') ? 'train' : ([...this.#splits.keys()][0] ?? ALL);
  }

  splits(): Split[] {
    return [...this.#splits.keys()].map((name) => ({
      name,
      type: name === 'train' || name === 'test' ? name : 'validation',
    }));
  }

  /** @returns null where there is no such split */
  entries(split: string): TaskEntry[] | null {
    return this.#splits.get(split)?.map((id, index) => ({ id, split, index })) ?? null;
  }

  /**
   * The task that a reset asks for: by id, else by split and index, else drawn from the split by seed.
   * @throws EnvFault EXECUTION_ERROR when there is none
   */
  choose({ taskId, split, index, seed }: TaskWish): TaskEntry {
    if (taskId !== undefined) return this.#byId(taskId, split);
    const name = split ?? this.defaultSplit;
    const entries = this.entries(name);
    if (entries === null)
      throw new EnvFault(
        'EXECUTION_ERROR',
        `unknown split ${JSON.stringify(name)}; there are ${[...this.#splits.keys()].join(', ')}`,
      );
    if (index === undefined) return createRandom(deriveSeed('openenv-task', seed)).pick(entries);
    const entry = entries[index];
    if (entry !== undefined) return entry;
    throw new EnvFault(
      'EXECUTION_ERROR',
      `split ${name} has tasks 0 to ${entries.length - 1}; got index ${index}`,
    );
  }

  #byId(id: string, split: string | undefined): TaskEntry {
    if (this.#ids.has(id))
      for (const [name, ids] of this.#splits)
        if ((split ?? name) === name && ids.includes(id)) return { id, split: name, index: ids.indexOf(id) };
    const where = split === undefined ? '' : ` in split ${JSON.stringify(split)}`;
    throw new EnvFault(
      'EXECUTION_ERROR',
      `no task ${JSON.stringify(id)}${where}; POST /${ENVIRONMENT}/tasks lists them`,
    );
  }
}
