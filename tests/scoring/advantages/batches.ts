import fc from 'fast-check';
import { createTurnBatch, type RolloutInput } from '../../../src/scoring/advantages/batch.js';

/** Numbers on a grid, so that a test of invariance does not measure rounding. */
const reward = fc.integer({ min: -20, max: 20 }).map((n) => n / 10);

const rollout: fc.Arbitrary<RolloutInput> = fc.record({
  outcome: fc.constantFrom(0, 1),
  turnRewards: fc.array(reward, { maxLength: 6 }),
});

/** Batches with groups and rollouts of unequal length, empty ones included. */
export const batches = fc.array(fc.array(rollout, { maxLength: 5 }), { maxLength: 5 }).map(createTurnBatch);

/** Groups in which every rollout is the same. */
export const equalBatches = fc
  .array(fc.tuple(rollout, fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 4 })
  .map((groups) => createTurnBatch(groups.map(([one, size]) => new Array<RolloutInput>(size).fill(one))));

export function sum(values: Float64Array, from = 0, to = values.length): number {
  return values.subarray(from, to).reduce((total, value) => total + value, 0);
}

export function rounded(values: Float64Array, digits = 4): number[] {
  return Array.from(values, (value) => Number(value.toFixed(digits)) + 0);
}
