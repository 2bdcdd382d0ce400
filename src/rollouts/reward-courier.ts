import pLimit from 'p-limit';
import { type Clock, createRandom, deriveSeed } from '../shared/index.js';
import type { CallbackHosts } from './callback-hosts.js';
import { DEFAULT_DELIVERY, type DeliveryRules, deliverReward } from './deliver-reward.js';
import { rewardBody } from './reward-bodies.js';
import type { RolloutEntry } from './rollout-entry.js';

export interface RewardCourierOptions {
  readonly hosts: CallbackHosts;
  readonly clock: Clock;
  readonly rules?: Partial<DeliveryRules> | undefined;
}

type Settled = (state: 'delivered' | 'failed', attempts: number, error: string | null) => void;

/** Brings rewards to their trainers, so many at once. */
export interface RewardCourier {
  /** Posts the reward of a rollout that is over and keeps its callback state; `settled` is told the outcome. */
  deliver(entry: RolloutEntry, settled: Settled): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** Calls off what is under way. Safe twice. */
  close(): Promise<void>;
}

const AT_ONCE = 16;

export function createRewardCourier(options: RewardCourierOptions): RewardCourier {
  const { hosts, clock } = options;
  const rules = { ...DEFAULT_DELIVERY, ...options.rules };
  const limit = pLimit(AT_ONCE);
  const stop = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function bring(entry: RolloutEntry, settled: Settled): Promise<void> {
    const { stored, result, headers } = entry;
    const { reward_url: url, reward_shape: shape } = stored;
    if (url === null || result === null) return;
    if (headers === null) {
      entry.callback = {
        ...{ state: 'waiting', attempts: entry.callback.attempts },
        error: 'its reward_headers were lost with the process that had them; post the rollout again',
      };
      return;
    }
    // The journal of another day may name hosts that are no longer allowed.
    const refusal = hosts.refuse(url);
    const before = entry.callback.attempts;
    entry.callback = { ...entry.callback, state: 'pending' };
    const outcome =
      refusal === null
        ? await deliverReward(
            { url, headers, key: entry.id, body: rewardBody(shape, { ...entry.view(), result }) },
            {
              ...{
                rules,
                clock,
                signal: stop.signal,
                random: createRandom(deriveSeed('callback', entry.id)),
              },
              onAttempt: (attempts, error) => {
                entry.callback = { state: 'pending', attempts: before + attempts, error };
              },
            },
          )
        : { delivered: false, attempts: 0, error: refusal };
    if (outcome.delivered === null) return;
    const state = outcome.delivered ? 'delivered' : 'failed';
    entry.callback = { state, attempts: before + outcome.attempts, error: outcome.error };
    settled(state, entry.callback.attempts, outcome.error);
  }

  return {
    deliver: (entry, settled) => {
      const job = limit(() => bring(entry, settled)).finally(() => underWay.delete(job));
      underWay.add(job);
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close: async () => {
      stop.abort(new Error('the sandbox is closing'));
      await Promise.all(underWay);
    },
  };
}
