import { canonicalJson, sha256Hex } from '../../shared/index.js';
import type { Judge, JudgeIdentity } from '../judge/judge.js';
import { type RewardTable, rewardTableHash } from '../rewards/reward-table.js';
import type { TarlOptions } from '../rewards/tarl.js';

/** `recorded`: R as the episode was verified; else R under that rule, from the record's sub-scores. */
export const SCORE_OUTCOMES = ['recorded', 'tarl', 'tau', 'tau2'] as const;
export type ScoreOutcome = (typeof SCORE_OUTCOMES)[number];

/**
 * `grpo`, `rloo`: of the TARL episode reward S, the same on all turns of an episode. `mt-grpo`, `gtpo`, `hybrid`: per
 * turn, of the tier rewards and R. PPO needs a critic's values, so it is no part of scores: see `gae`.
 */
export const SCORE_ADVANTAGES = ['none', 'grpo', 'rloo', 'mt-grpo', 'gtpo', 'hybrid'] as const;
export type ScoreAdvantage = (typeof SCORE_ADVANTAGES)[number];

/** How a run is scored. */
export interface Scorer {
  readonly judge: Judge;
  readonly turnScale: NonNullable<TarlOptions['turnScale']>;
  readonly outcome: ScoreOutcome;
  readonly rewards: RewardTable;
  readonly advantage: ScoreAdvantage;
}

/** What a score file says about how it came about. */
export interface ScorerIdentity {
  /** Raised by hand whenever scoring gives other numbers for the same verdicts. */
  readonly version: string;
  readonly judge: JudgeIdentity;
  readonly turnScale: Scorer['turnScale'];
  readonly outcome: ScoreOutcome;
  readonly rewards: { readonly name: string; readonly hash: string };
  readonly advantage: ScoreAdvantage;
  /** SHA-256 over all that decides the numbers; names do not. */
  readonly hash: string;
}

const VERSION = '1';

export function identifyScorer({ judge, turnScale, outcome, rewards, advantage }: Scorer): ScorerIdentity {
  const table = { name: rewards.name, hash: rewardTableHash(rewards) };
  const decides = {
    version: VERSION,
    judge: judge.identity.hash,
    turnScale,
    outcome,
    rewards: table.hash,
    advantage,
  };
  return {
    version: VERSION,
    judge: judge.identity,
    ...{ turnScale, outcome, rewards: table, advantage },
    hash: sha256Hex(canonicalJson(decides)),
  };
}
