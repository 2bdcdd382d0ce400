import { describeError } from '../shared/index.js';
import type { JournalLine, OpenedJournal } from './journal.js';
import { failedResult, isOver, type RolloutResult, type RolloutState } from './rollout.js';
import { RolloutEntry } from './rollout-entry.js';

/** Token ids are long: those of older rollouts are let go. */
const KEPT_GENERATIONS = 512;

/** Every rollout that can be asked for, with the journal that outlives it. */
export class RolloutShelf {
  readonly #entries = new Map<string, RolloutEntry>();
  readonly #withGenerations: RolloutEntry[] = [];
  readonly #journal: OpenedJournal['journal'];
  readonly #maxKept: number;
  readonly #onFault: (message: string) => void;

  /** Takes up what an earlier process left, but for its end: see `unfinished`. */
  constructor(
    { journal, lines }: OpenedJournal,
    options: { readonly maxKept: number; readonly onFault: (message: string) => void },
  ) {
    this.#journal = journal;
    this.#maxKept = options.maxKept;
    this.#onFault = options.onFault;
    for (const line of lines) this.#replay(line);
  }

  get size(): number {
    return this.#entries.size;
  }

  find(id: string): RolloutEntry | null {
    return this.#entries.get(id) ?? null;
  }

  all(state: RolloutState | null = null): RolloutEntry[] {
    return [...this.#entries.values()].filter((entry) => state === null || entry.state === state);
  }

  /** @throws RolloutJournalError, and nothing is taken then */
  add(entry: RolloutEntry): void {
    this.#journal.append({ type: 'accepted', rollout: entry.stored });
    this.#entries.set(entry.id, entry);
  }

  /** What is known already cannot be undone by a full disk: that is told, and the rollout goes on. */
  note(line: JournalLine): void {
    try {
      this.#journal.append(line);
    } catch (error) {
      this.#onFault(describeError(error));
    }
  }

  keepGenerations(entry: RolloutEntry, generations: RolloutResult['generations']): void {
    if (generations.length === 0) return;
    entry.generations = generations;
    this.#withGenerations.push(entry);
    while (this.#withGenerations.length > KEPT_GENERATIONS) {
      const oldest = this.#withGenerations.shift();
      if (oldest !== undefined) oldest.generations = [];
    }
  }

  /** The oldest that are over and told about. */
  forgetOld(): void {
    for (const [id, { state, callback }] of this.#entries) {
      if (this.#entries.size <= this.#maxKept) return;
      const isTold = callback.state !== 'pending' && callback.state !== 'waiting';
      if (isOver(state) && isTold) this.#entries.delete(id);
    }
  }

  #replay(line: JournalLine): void {
    if (line.type === 'accepted') {
      this.#entries.set(line.rollout.rollout_id, new RolloutEntry(line.rollout, null));
      return;
    }
    const entry = this.find(line.rollout_id);
    if (entry === null) return;
    if (line.type === 'ended') entry.end(line.state, line.result);
    else entry.callback = { state: line.state, attempts: line.attempts, error: line.error };
  }
}

/** What an earlier process left unfinished: its failure, not the agent's. */
export const INTERRUPTED = failedResult('platform_failed', 'the sandbox stopped before the rollout was over');
