import type { EpisodeRecord } from '../../episodes/index.js';

/** The reward of one action of the agent. */
export interface TurnReward {
  /** The record's turn number: 1 for the agent's first action. */
  readonly turn: number;
  /** What the turn adds by itself, known as soon as its feedback is. */
  readonly reward: number;
  /** A judge's mark (1, 0, -1) and what it adds to the episode's score; null until the episode is over and judged. */
  readonly verdict: number | null;
  readonly verdictReward: number | null;
}

export interface TurnRewards {
  /** Name and hash of what gave the rewards and the verdicts. */
  readonly source: { readonly rewards: string; readonly judge: string; readonly hash: string };
  readonly turns: readonly TurnReward[];
  /** The episode's score by verdicts and outcome; null until then. */
  readonly score: number | null;
}

/** How turns are rewarded; scoring is handed in, since the sandbox knows nothing of it. Works on unfinished records too. */
export type RateTurns = (record: EpisodeRecord) => Promise<TurnRewards>;
