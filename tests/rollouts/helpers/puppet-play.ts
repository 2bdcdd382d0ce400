import type { PlayRollout, RolloutResult } from '../../../src/rollouts/index.js';

export const WON: RolloutResult = {
  ...{ valid: true, end: { reason: 'customer_stop', owner: 'user', detail: null }, truncated: false },
  ...{ reward: 1, success: true, turn_rewards: [], tarl_score: 15, reward_source: null },
  ...{ turns: 4, record: 'a.text.t0.s0', seconds: 2, generations: [] },
};

export interface PuppetPlay {
  readonly play: PlayRollout;
  /** Ids in the order in which they began. */
  readonly begun: readonly string[];
  /** Ends the oldest that runs. */
  finish(result?: RolloutResult): void;
}

/** Rollouts that run until they are told to end, or are aborted. */
export function puppetPlay(): PuppetPlay {
  const begun: string[] = [];
  const running: ((result: RolloutResult) => void)[] = [];
  return {
    begun,
    play: ({ request }, signal) => {
      begun.push(request.rollout_id ?? '');
      return new Promise((resolve) => {
        running.push(resolve);
        signal.addEventListener('abort', () =>
          resolve({
            ...WON,
            valid: false,
            reward: null,
            end: { reason: 'shutdown', owner: 'platform', detail: null },
          }),
        );
      });
    },
    finish: (result = WON) => running.shift()?.(result),
  };
}
