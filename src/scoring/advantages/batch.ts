import { InvalidBatchError } from '../errors.js';

/**
 * Rollouts of many groups as flat arrays. Groups hold episodes, episodes hold turns, in order, without gaps:
 * the episodes of group g are groupOffsets[g] … groupOffsets[g + 1] - 1, the turns of episode e are
 * turnOffsets[e] … turnOffsets[e + 1] - 1. Groups and episodes may have any length, 0 included.
 */
export interface TurnBatch {
  /** Length: groups + 1; first 0, last the number of episodes. */
  readonly groupOffsets: Uint32Array;
  /** Length: episodes + 1; first 0, last the number of turns. */
  readonly turnOffsets: Uint32Array;
  /** o: one number per episode. */
  readonly outcomes: Float64Array;
  /** r: one number per turn, without the outcome. */
  readonly turnRewards: Float64Array;
}

/** One advantage per episode. `live` is 0 where the group gave nothing to tell its episodes apart. */
export interface EpisodeAdvantages {
  readonly values: Float64Array;
  readonly live: Uint8Array;
}

/**
 * One advantage per turn, the same on each of the turn's agent tokens. `live` is 0 on dead turns: nothing that feeds
 * the turn's advantage varied over the rollouts, so the turn gives no gradient.
 */
export interface TurnAdvantages {
  readonly values: Float64Array;
  readonly live: Uint8Array;
}

export interface RolloutInput {
  readonly outcome: number;
  readonly turnRewards: readonly number[];
}

/** Lays groups of rollouts out as a batch. @throws InvalidBatchError on a number that is not finite. */
export function createTurnBatch(groups: readonly (readonly RolloutInput[])[]): TurnBatch {
  const rollouts = groups.flat();
  const batch = {
    groupOffsets: offsetsOf(groups.map((group) => group.length)),
    turnOffsets: offsetsOf(rollouts.map((rollout) => rollout.turnRewards.length)),
    outcomes: Float64Array.from(rollouts, (rollout) => rollout.outcome),
    turnRewards: Float64Array.from(rollouts.flatMap((rollout) => rollout.turnRewards)),
  };
  checkTurnBatch(batch);
  return batch;
}

/** Running sum with a leading 0: [2, 3] becomes [0, 2, 5]. */
function offsetsOf(lengths: readonly number[]): Uint32Array {
  const offsets = new Uint32Array(lengths.length + 1);
  let sum = 0;
  lengths.forEach((length, index) => {
    sum += length;
    offsets[index + 1] = sum;
  });
  return offsets;
}

/** Offsets must start at 0, never fall and end at `total`. @throws InvalidBatchError */
export function checkOffsets(name: string, offsets: Uint32Array, total: number): void {
  let before = 0;
  for (const offset of offsets) {
    if (offset < before)
      throw new InvalidBatchError(`${name} must never fall; got ${offset} after ${before}`);
    before = offset;
  }
  if (offsets[0] !== 0 || before !== total)
    throw new InvalidBatchError(
      `${name} must run from 0 to ${total}, the number of what they divide; got ${offsets[0]} to ${before}`,
    );
}

/** @throws InvalidBatchError */
export function checkFinite(name: string, values: Float64Array): void {
  for (let index = 0; index < values.length; index += 1)
    if (!Number.isFinite(values[index]))
      throw new InvalidBatchError(
        `${name}[${index}] must be a finite number; got ${values[index]}. Leave out what has no score`,
      );
}

/** Checks a batch that was laid out elsewhere. @throws InvalidBatchError */
export function checkTurnBatch(batch: TurnBatch): void {
  checkOffsets('groupOffsets', batch.groupOffsets, batch.outcomes.length);
  checkOffsets('turnOffsets', batch.turnOffsets, batch.turnRewards.length);
  if (batch.turnOffsets.length !== batch.outcomes.length + 1)
    throw new InvalidBatchError(
      `turnOffsets must have one entry more than there are episodes (${batch.outcomes.length + 1}); got ${batch.turnOffsets.length}`,
    );
  checkFinite('outcomes', batch.outcomes);
  checkFinite('turnRewards', batch.turnRewards);
}

/** The same advantage on every turn of an episode. */
export function spreadOverTurns(episodes: EpisodeAdvantages, turnOffsets: Uint32Array): TurnAdvantages {
  const turns = turnOffsets[turnOffsets.length - 1] ?? 0;
  const values = new Float64Array(turns);
  const live = new Uint8Array(turns);
  for (let episode = 0; episode + 1 < turnOffsets.length; episode += 1) {
    const from = turnOffsets[episode] as number;
    const to = turnOffsets[episode + 1] as number;
    values.fill(episodes.values[episode] as number, from, to);
    live.fill(episodes.live[episode] as number, from, to);
  }
  return { values, live };
}
