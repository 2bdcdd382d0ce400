import type { RunningEpisode } from '../front.js';
import type { EnvAction } from './action.js';
import type { EnvParts } from './env-parts.js';
import { EnvFault } from './faults.js';
import { type ObservationData, observationData } from './observation.js';
import { readResetWish } from './reset-wish.js';
import { Rollout } from './rollout.js';
import { ENVIRONMENT } from './task-catalogue.js';

export interface EnvSessionOptions {
  readonly id: string;
  readonly parts: EnvParts;
  /** How the client reached us, for links; null: not known. */
  readonly origin: string | null;
  /** The seed of a reset that names neither seed nor task. */
  readonly nextSeed: () => number;
}

/** Requests that may wait for the one in hand: a socket, HTTP and MCP can share a session. */
const MAX_WAITING = 16;

/** One environment of one client: episodes one after the other, requests one at a time. */
export class EnvSession {
  readonly id: string;
  readonly #options: EnvSessionOptions;
  #rollout: Rollout | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #ending: 'disconnected' | 'shutdown' | null = null;

  constructor(options: EnvSessionOptions) {
    this.id = options.id;
    this.#options = options;
  }

  get running(): RunningEpisode | null {
    return this.#rollout?.running ?? null;
  }

  /** Starts an episode; one that is still running counts as left by the agent. @throws EnvFault */
  async reset(data: unknown): Promise<ObservationData> {
    const wish = readResetWish(data);
    return this.#inTurn(async () => {
      const { parts, origin, nextSeed, id } = this.#options;
      if (wish.rewardMode === 'dense' && parts.rateTurns === null)
        throw new EnvFault('EXECUTION_ERROR', 'this sandbox gives no turn rewards; use reward_mode "sparse"');
      const named = wish.taskId !== undefined || wish.index !== undefined;
      const seed = wish.seed ?? (named ? 0 : nextSeed());
      const task = parts.catalogue.choose({ ...wish, seed });
      await this.#rollout?.leave('disconnected');
      const rollout = new Rollout({ parts, wish, task, seed, sessionId: id, origin });
      this.#rollout = rollout;
      const opened = rollout.begin();
      if (this.#ending !== null) void rollout.leave(this.#ending);
      return opened;
    });
  }

  /** @throws EnvFault */
  step(action: EnvAction): Promise<ObservationData> {
    return this.#inTurn(async () => {
      const rollout = this.#rollout;
      if (action.type === 'call_tool') return this.#call(action.tool_name, action.arguments);
      if (rollout !== null) rollout.steps += 1;
      const final = rollout?.final ?? null;
      return observationData({
        fields: { tools: this.#options.parts.tools },
        ...{ metadata: {}, reward: final?.reward ?? null, done: final !== null },
      });
    });
  }

  /** @throws EnvFault */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<ObservationData> {
    return this.#inTurn(() => this.#call(name, args));
  }

  state(): Readonly<Record<string, unknown>> {
    const rollout = this.#rollout;
    const final = rollout?.final ?? null;
    return {
      ...{ episode_id: rollout?.episodeId ?? null, step_count: rollout?.steps ?? 0, domain: ENVIRONMENT },
      ...{ split: rollout?.task.split ?? '', task_id: rollout?.task.id ?? '' },
      ...{ done: final !== null, reward: final?.reward ?? 0, reward_info: final?.info ?? {} },
    };
  }

  /** Ends what runs; resolves when its record is closed. Safe twice. */
  async end(reason: 'disconnected' | 'shutdown'): Promise<void> {
    this.#ending ??= reason;
    await this.#rollout?.leave(reason);
  }

  async #call(name: string, args: Readonly<Record<string, unknown>> | string): Promise<ObservationData> {
    const rollout = this.#rollout;
    if (rollout === null)
      throw new EnvFault('EXECUTION_ERROR', 'no episode is running: call reset() before calling tools');
    rollout.steps += 1;
    return rollout.call(name, args);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ending !== null)
      return Promise.reject(new EnvFault('SESSION_ERROR', `session ${this.id} is closed`));
    if (this.#waiting >= MAX_WAITING)
      return Promise.reject(
        new EnvFault(
          'EXECUTION_ERROR',
          `at most ${MAX_WAITING} requests wait in a session; await each answer`,
        ),
      );
    this.#waiting += 1;
    const answer = this.#queue.then(work).finally(() => {
      this.#waiting -= 1;
    });
    this.#queue = answer.catch(() => undefined);
    return answer;
  }
}
