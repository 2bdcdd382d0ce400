import type { EpisodeRecord } from '../episodes/index.js';
import { createTurnBatch, type TurnBatch } from './advantages/batch.js';
import { type RewardTable, turnReward } from './rewards/reward-table.js';
import { type TierTurn, tierCodes } from './rewards/tier.js';
import { type TierOptions, tiersOf } from './rewards/tiers.js';
import { successOf, turnsOf } from './turns.js';

/** One finished episode as training sees it: its group, its outcome and the tiers of its turns. */
export interface Rollout {
  readonly episode: string;
  /** Rollouts of the same task in the same mode are compared with each other. */
  readonly group: string;
  /** R. */
  readonly success: 0 | 1;
  readonly turns: readonly TierTurn[];
}

/** @returns null for a record that was cut short, or whose episode the platform broke off: it has no outcome to learn from */
export function rolloutOf(record: EpisodeRecord, options: TierOptions = {}): Rollout | null {
  const success = successOf(record.outcome);
  if (success === null || record.end?.owner === 'platform') return null;
  const { header } = record;
  return {
    episode: header.episode,
    group: `${header.task.id} ${header.mode}`,
    success,
    turns: tiersOf(turnsOf(record), header.task.groundTruth, options),
  };
}

/** Rollouts laid out group by group, in order of first appearance. */
export interface RolloutBatch extends TurnBatch {
  readonly rollouts: readonly Rollout[];
  /** Tier code per turn, see `TIERS`. */
  readonly tiers: Uint8Array;
}

/** Outcomes are R; turn rewards come from the table. */
export function batchRollouts(rollouts: readonly Rollout[], rewards: RewardTable): RolloutBatch {
  const groups = new Map<string, Rollout[]>();
  for (const rollout of rollouts) {
    const group = groups.get(rollout.group);
    if (group === undefined) groups.set(rollout.group, [rollout]);
    else group.push(rollout);
  }
  const ordered = [...groups.values()];
  const batch = createTurnBatch(
    ordered.map((group) =>
      group.map(({ success, turns }) => ({
        outcome: success,
        turnRewards: turns.map((turn) => turnReward(rewards, turn)),
      })),
    ),
  );
  const flat = ordered.flat();
  return { ...batch, rollouts: flat, tiers: tierCodes(flat.flatMap((rollout) => rollout.turns)) };
}
