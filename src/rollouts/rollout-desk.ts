import { type Clock, canonicalJson, describeError, type JsonValue, sha256Hex } from '../shared/index.js';
import type { OpenedJournal } from './journal.js';
import type { RewardCourier } from './reward-courier.js';
import { failedResult, isOver, type RolloutResult, type RolloutState, type RolloutView } from './rollout.js';
import { RolloutEntry } from './rollout-entry.js';
import { modeOf, type RolloutRequest } from './rollout-request.js';
import { INTERRUPTED, RolloutShelf } from './rollout-shelf.js';

/** A request whose task is known to exist. */
export interface WantedRollout {
  readonly request: RolloutRequest;
  readonly task: string;
}

/** Plays one rollout to its end; an abort ends it early. What it rejects with is the platform's failure. */
export type PlayRollout = (wanted: WantedRollout, signal: AbortSignal) => Promise<RolloutResult>;

/** Told what happens, for metrics. */
export interface RolloutObserver {
  readonly ended: (view: RolloutView) => void;
  readonly refused: (status: number) => void;
  readonly callback: (outcome: 'delivered' | 'failed') => void;
}

export interface RolloutDeskOptions {
  readonly play: PlayRollout;
  readonly journal: OpenedJournal;
  readonly courier: RewardCourier;
  readonly clock: Clock;
  readonly createId: () => string;
  /** Played at once. */
  readonly maxRunning: number;
  /** Waiting for their turn. */
  readonly maxQueued: number;
  /** Rollouts that can still be asked for; the oldest of those that are over are forgotten first. Default 10,000. */
  readonly maxKept?: number | undefined;
  readonly onFault: (message: string) => void;
}

export type Submitted =
  | { readonly ok: true; readonly rollouts: RolloutView[] }
  | {
      readonly ok: false;
      readonly status: 409 | 422 | 429 | 503;
      readonly message: string;
      readonly retryAfterSeconds?: number;
    };

export interface RolloutCounts {
  readonly queued: number;
  readonly running: number;
  /** Over, and their trainer has not been told yet. */
  readonly undelivered: number;
}

/** Takes rollouts, plays so many at once, and sees to it that their trainers are told. */
export interface RolloutDesk {
  /** All of them or none. A known id gives the rollout that it names, and another try to a callback that was given up. */
  submit(wanted: readonly WantedRollout[]): Submitted;
  /** Token ids and log-probabilities, where the gateway gave them; of the newest rollouts only. */
  generations(id: string): RolloutResult['generations'];
  /** In the order in which they were taken. */
  list(state: RolloutState | null): RolloutView[];
  /** Resolves when it is over, or after so long, or when the signal says so. Null: unknown. */
  wait(id: string, ms: number, signal: AbortSignal): Promise<RolloutView | null>;
  /** A running one is over a little later. Null: unknown. */
  cancel(id: string): RolloutView | null;
  readonly counts: RolloutCounts;
  observe(observer: RolloutObserver): void;
  /** Takes nothing new, lets what runs come to its end, and waits for its callbacks. */
  drain(): Promise<void>;
  /** Ends what runs. Callbacks that are still to be made stay in the journal. Safe twice. */
  close(): Promise<void>;
}

const DEFAULT_MAX_KEPT = 10_000;
/** Of a rollout, until the first one is over. */
const GUESSED_SECONDS = 5;
const MOST_RETRY_SECONDS = 60;
const CANCELLED = Symbol('cancelled');

/** What decides a rollout; secrets are not part of it. */
function hashOf({ request, task }: WantedRollout): string {
  const { api_key: _, reward_headers: __, rollout_id: ___, ...rest } = request;
  return sha256Hex(canonicalJson(JSON.parse(JSON.stringify({ ...rest, task })) as JsonValue));
}

class Desk implements RolloutDesk {
  readonly #options: RolloutDeskOptions;
  readonly #shelf: RolloutShelf;
  readonly #queue: RolloutEntry[] = [];
  readonly #running = new Map<RolloutEntry, Promise<void>>();
  #observer: RolloutObserver | null = null;
  #leaving: string | null = null;
  #meanSeconds = GUESSED_SECONDS;

  constructor(options: RolloutDeskOptions) {
    this.#options = options;
    const { journal, maxKept = DEFAULT_MAX_KEPT, onFault } = options;
    this.#shelf = new RolloutShelf(journal, { maxKept, onFault });
    for (const entry of this.#shelf.all())
      if (!isOver(entry.state)) this.#end(entry, 'invalid', INTERRUPTED);
      else if (entry.callback.state === 'pending') this.#deliver(entry);
  }

  get counts(): RolloutCounts {
    const undelivered = this.#shelf
      .all()
      .filter(({ state, callback }) => isOver(state) && ['pending', 'waiting'].includes(callback.state));
    return { queued: this.#queue.length, running: this.#running.size, undelivered: undelivered.length };
  }

  observe(observer: RolloutObserver): void {
    this.#observer = observer;
  }

  submit(wanted: readonly WantedRollout[]): Submitted {
    const fresh = new Map<string, RolloutEntry>();
    const known = new Map<RolloutEntry, RolloutRequest>();
    const entries: RolloutEntry[] = [];
    for (const one of wanted) {
      const id = one.request.rollout_id ?? this.#options.createId();
      const hash = hashOf(one);
      const found = this.#shelf.find(id) ?? fresh.get(id);
      if (found !== undefined && found.stored.request_hash !== hash)
        return this.#refusal(
          409,
          `rollout ${id} was posted before with another body; give a new one its own id`,
        );
      const entry = found ?? this.#entryOf(one, id, hash);
      if (found === undefined) fresh.set(id, entry);
      else known.set(entry, one.request);
      entries.push(entry);
    }
    const refusal = fresh.size === 0 ? null : this.#refuse(fresh.size);
    if (refusal !== null) return refusal;
    for (const [entry, request] of known) this.#tryAgain(entry, request);
    for (const entry of fresh.values()) {
      this.#shelf.add(entry);
      this.#queue.push(entry);
    }
    this.#startNext();
    return { ok: true, rollouts: entries.map((entry) => entry.view()) };
  }

  generations(id: string): RolloutResult['generations'] {
    return this.#shelf.find(id)?.generations ?? [];
  }

  list(state: RolloutState | null): RolloutView[] {
    return this.#shelf.all(state).map((entry) => entry.view());
  }

  async wait(id: string, ms: number, signal: AbortSignal): Promise<RolloutView | null> {
    const entry = this.#shelf.find(id);
    if (entry === null) return null;
    await entry.whenOver(ms, this.#options.clock, signal);
    return entry.view();
  }

  cancel(id: string): RolloutView | null {
    const entry = this.#shelf.find(id);
    if (entry === null) return null;
    if (entry.state === 'queued') {
      this.#queue.splice(this.#queue.indexOf(entry), 1);
      this.#end(entry, 'cancelled', failedResult('shutdown', 'cancelled before it began'));
    } else entry.stop?.abort(CANCELLED);
    return entry.view();
  }

  async drain(): Promise<void> {
    this.#leave('draining');
    await Promise.all(this.#running.values());
    await this.#options.courier.settled();
  }

  async close(): Promise<void> {
    this.#leave('shutting down');
    for (const entry of this.#running.keys()) entry.stop?.abort();
    await Promise.all(this.#running.values());
    await this.#options.courier.close();
  }

  #leave(why: string): void {
    this.#leaving ??= why;
    for (const entry of this.#queue.splice(0))
      this.#end(entry, 'invalid', failedResult('shutdown', `the sandbox was ${why} before it began`));
  }

  #refusal(status: 409 | 422 | 429 | 503, message: string, retryAfterSeconds?: number): Submitted {
    this.#observer?.refused(status);
    return {
      ...{ ok: false, status, message },
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
  }

  #refuse(count: number): Submitted | null {
    const { maxQueued, maxRunning } = this.#options;
    if (this.#leaving !== null) return this.#refusal(503, `no new rollouts: the sandbox is ${this.#leaving}`);
    const most = maxQueued + maxRunning;
    if (count > most) return this.#refusal(422, `at most ${most} rollouts in one request; got ${count}`);
    const free = most - this.#queue.length - this.#running.size;
    if (count <= free) return null;
    const seconds = Math.ceil(((count - free) * this.#meanSeconds) / maxRunning);
    return this.#refusal(
      429,
      `there is room for ${free} more rollouts now; got ${count}, and none was taken`,
      Math.min(MOST_RETRY_SECONDS, Math.max(1, seconds)),
    );
  }

  #entryOf({ request, task }: WantedRollout, id: string, hash: string): RolloutEntry {
    const { group_id = null, seed, trial, reward_url = null, reward_shape, reward_headers = {} } = request;
    const mode = modeOf(request) === 'speech' ? 's&t' : 't-only';
    const stored = { rollout_id: id, group_id, task, mode, seed, trial, request_hash: hash } as const;
    const needs_headers = Object.keys(reward_headers).length > 0;
    return new RolloutEntry({ ...stored, reward_url, reward_shape, needs_headers }, request);
  }

  #tryAgain(entry: RolloutEntry, { reward_headers }: RolloutRequest): void {
    if (!isOver(entry.state)) return;
    entry.headers = reward_headers ?? entry.headers;
    if (entry.callback.state === 'waiting' || entry.callback.state === 'failed') this.#deliver(entry);
  }

  #startNext(): void {
    while (this.#running.size < this.#options.maxRunning) {
      const entry = this.#queue.shift();
      if (entry === undefined || entry.request === null) return;
      const done = this.#play(entry, entry.request).then(() => {
        this.#running.delete(entry);
        this.#startNext();
      });
      this.#running.set(entry, done);
    }
  }

  /** Never rejects. */
  async #play(entry: RolloutEntry, request: RolloutRequest): Promise<void> {
    entry.state = 'running';
    const stop = new AbortController();
    entry.stop = stop;
    const { generations, ...result } = await this.#options
      .play({ request, task: entry.stored.task }, stop.signal)
      .catch((error: unknown) => failedResult('platform_failed', describeError(error)));
    this.#meanSeconds += (result.seconds - this.#meanSeconds) / 8;
    this.#shelf.keepGenerations(entry, generations);
    if (stop.signal.reason === CANCELLED)
      this.#end(entry, 'cancelled', { ...result, valid: false, reward: null });
    else this.#end(entry, result.valid ? 'done' : 'invalid', result);
  }

  #end(
    entry: RolloutEntry,
    state: 'done' | 'invalid' | 'cancelled',
    ended: Omit<RolloutResult, 'generations'> & { readonly generations?: unknown },
  ): void {
    const { generations: _, ...result } = ended;
    this.#shelf.note({ type: 'ended', rollout_id: entry.id, state, result });
    entry.end(state, result);
    this.#observer?.ended(entry.view());
    if (entry.callback.state === 'pending') this.#deliver(entry);
    this.#shelf.forgetOld();
  }

  #deliver(entry: RolloutEntry): void {
    this.#options.courier.deliver(entry, (state, attempts, error) => {
      this.#shelf.note({ type: 'callback', rollout_id: entry.id, state, attempts, error });
      this.#observer?.callback(state);
    });
  }
}

/** Takes up what the journal says: what is undelivered is delivered, what is unfinished has failed. */
export function createRolloutDesk(options: RolloutDeskOptions): RolloutDesk {
  return new Desk(options);
}
