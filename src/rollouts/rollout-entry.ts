import type { Clock } from '../shared/index.js';
import type { StoredResult, StoredRollout } from './journal.js';
import {
  type CallbackView,
  isOver,
  type RolloutResult,
  type RolloutState,
  type RolloutView,
} from './rollout.js';
import type { RolloutRequest } from './rollout-request.js';

/** One rollout while this process knows it. */
export class RolloutEntry {
  readonly stored: StoredRollout;
  state: RolloutState = 'queued';
  result: StoredResult | null = null;
  generations: RolloutResult['generations'] = [];
  callback: CallbackView;
  /** Null once it is over, and after a restart. */
  request: RolloutRequest | null;
  /** Of the callback; null: lost with the process that had them. */
  headers: Readonly<Record<string, string>> | null;
  /** Ends it while it runs. */
  stop: AbortController | null = null;
  readonly #waiting = new Set<() => void>();

  constructor(stored: StoredRollout, request: RolloutRequest | null) {
    this.stored = stored;
    this.request = request;
    this.headers = request?.reward_headers ?? (stored.needs_headers ? null : {});
    const state = stored.reward_url === null ? 'none' : 'pending';
    this.callback = { state, attempts: 0, error: null };
  }

  get id(): string {
    return this.stored.rollout_id;
  }

  view(): RolloutView {
    const { rollout_id, group_id, task, mode, seed, trial } = this.stored;
    const { state, result, callback } = this;
    return { rollout_id, group_id, state, task, mode, seed, trial, result, callback };
  }

  /** Wakes whoever waits for the end. */
  end(state: RolloutState, result: StoredResult): void {
    // Who called it off is not told again.
    if (state === 'cancelled') this.callback = { ...this.callback, state: 'none' };
    this.state = state;
    this.result = result;
    this.request = null;
    this.stop = null;
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves when it is over, after so long, or when the signal says so. */
  async whenOver(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
    if (isOver(this.state) || ms <= 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        cancel();
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = clock.after(ms, done);
      this.#waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
