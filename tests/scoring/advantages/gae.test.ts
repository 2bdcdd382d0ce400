import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  gae,
  placePerTurn,
  placeTrajectory,
  type TokenLayout,
  whiten,
} from '../../../src/scoring/advantages/gae.js';
import { InvalidBatchError } from '../../../src/scoring/errors.js';
import { rounded, sum } from './batches.js';

/** Two episodes: agent agent env agent | agent env. */
const layout: TokenLayout = {
  tokenOffsets: Uint32Array.of(0, 4, 6),
  mask: Uint8Array.of(1, 1, 0, 1, 1, 0),
  turnOffsets: Uint32Array.of(0, 2, 3),
  turnEnds: Uint32Array.of(1, 3, 4),
};

describe('placing rewards on tokens', () => {
  it('per turn: on the last agent token of each turn, the outcome on the last one', () => {
    const tokens = placePerTurn(layout, Float64Array.of(1, 2, 3), Float64Array.of(10, 0));
    expect([...tokens]).toEqual([0, 1, 0, 12, 3, 0]);
  });

  it('trajectory: spread evenly over agent tokens, so that they sum to the total', () => {
    expect([...placeTrajectory(layout, Float64Array.of(6, -1))]).toEqual([2, 2, 0, 2, -1, 0]);
    expect([...placeTrajectory(layout, Float64Array.of(6, -1), 'repeat')]).toEqual([6, 6, 0, 6, -1, 0]);
  });

  it('an episode that the agent wrote nothing in carries nothing', () => {
    const silent = { tokenOffsets: Uint32Array.of(0, 1), mask: Uint8Array.of(0) };
    expect([...placeTrajectory(silent, Float64Array.of(5))]).toEqual([0]);
  });

  it('refuses a turn that ends on a masked token or outside its episode', () => {
    for (const turnEnds of [Uint32Array.of(2, 3, 4), Uint32Array.of(1, 4, 4)])
      expect(() => placePerTurn({ ...layout, turnEnds }, new Float64Array(3), new Float64Array(2))).toThrow(
        InvalidBatchError,
      );
  });
});

describe('generalised advantage estimation', () => {
  it('equals the case worked by hand and steps over masked tokens', () => {
    const { advantages, returns } = gae(
      {
        tokenOffsets: Uint32Array.of(0, 3),
        mask: Uint8Array.of(1, 0, 1),
        rewards: Float64Array.of(1, 0, 2),
        values: Float64Array.of(0.5, 9, 1),
      },
      { gamma: 0.5, lambda: 0.5 },
    );
    expect([...advantages]).toEqual([1.25, 0, 1]);
    expect([...returns]).toEqual([1.75, 0, 2]);
  });

  it('without a critic and discount is the reward to go', () => {
    const rewards = placePerTurn(layout, Float64Array.of(1, 2, 3), Float64Array.of(10, 0));
    const { advantages } = gae({ ...layout, rewards, values: new Float64Array(6) });
    expect([...advantages]).toEqual([13, 13, 0, 12, 3, 0]);
  });

  it('masked tokens never matter, however many there are', () => {
    const token = fc.record({
      reward: fc.integer({ min: -5, max: 5 }),
      value: fc.integer({ min: -5, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 8 }), fc.nat({ max: 3 }), (tokens, gap) => {
        const run = (masked: number) => {
          const mask = tokens.flatMap(() => [1, ...new Array<number>(masked).fill(0)]);
          const fill = (pick: (t: { reward: number; value: number }) => number, noise: number) =>
            Float64Array.from(tokens.flatMap((t) => [pick(t), ...new Array<number>(masked).fill(noise)]));
          const { advantages } = gae(
            {
              tokenOffsets: Uint32Array.of(0, mask.length),
              mask: Uint8Array.from(mask),
              rewards: fill((t) => t.reward, 0),
              values: fill((t) => t.value, 77),
            },
            { gamma: 0.9, lambda: 0.8 },
          );
          return [...advantages].filter((_, index) => mask[index] === 1);
        };
        expect(run(gap)).toEqual(run(0));
      }),
    );
  });

  it('refuses lengths that differ', () => {
    expect(() => gae({ ...layout, rewards: new Float64Array(5), values: new Float64Array(6) })).toThrow(
      /as long as mask/,
    );
  });
});

describe('whitening', () => {
  it('is over agent tokens only, with divisor N - 1: 1, 2, 3 become -1, 0, 1', () => {
    const white = whiten(Float64Array.of(1, 99, 2, 3), Uint8Array.of(1, 0, 1, 1));
    expect(rounded(white)).toEqual([-1, 0, 0, 1]);
    expect(sum(white)).toBeCloseTo(0, 9);
  });

  it('of fewer than two tokens is nothing', () => {
    expect([...whiten(Float64Array.of(5, 7), Uint8Array.of(1, 0))]).toEqual([0, 0]);
  });
});
