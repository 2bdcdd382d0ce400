import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTurnBatch, type TurnBatch } from '../../../src/scoring/advantages/batch.js';
import { normaliseTurns, TURN_POOLINGS } from '../../../src/scoring/advantages/pooling.js';
import { gtpo, hybrid, mtGrpo, type OutcomePlace } from '../../../src/scoring/advantages/turn-level.js';
import { batches, equalBatches, rounded, sum } from './batches.js';

const pair = createTurnBatch([
  [
    { outcome: 1, turnRewards: [1, 0] },
    { outcome: 0, turnRewards: [0, 0] },
  ],
]);
const unequal = createTurnBatch([
  [
    { outcome: 1, turnRewards: [1, 0] },
    { outcome: 0, turnRewards: [0] },
  ],
]);

/** Two values one apart, normalised: half the distance over a deviation of 1 / sqrt(2). */
const UP = Number(Math.SQRT1_2.toFixed(4));

describe('MT-GRPO', () => {
  it('equals the case worked by hand', () => {
    expect(rounded(mtGrpo(pair, { epsilon: 0 }).values)).toEqual([2 * UP, UP, -2 * UP, -UP]);
  });

  it('discounts the way to the outcome: A_1 = 0.7071 + 0.5 * (0 + 0.5 * 0.7071)', () => {
    expect(rounded(mtGrpo(pair, { epsilon: 0, gamma: 0.5 }).values)).toEqual([
      0.8839, 0.3536, -0.8839, -0.3536,
    ]);
  });

  it('with the outcome instead of the last reward is the two-turn form of its paper: A_1 = A^I + a * A^O, A_2 = A^O', () => {
    const batch = createTurnBatch([
      [
        { outcome: 1, turnRewards: [1, 99] },
        { outcome: 0, turnRewards: [0, -99] },
      ],
    ]);
    const options = { epsilon: 0, gamma: 0.5, outcomePlace: 'instead-of-last-turn' } as const;
    // 0.7071 + 0.5 * 0.7071 = 1.0607; the 99s are never read.
    expect(rounded(mtGrpo(batch, options).values)).toEqual([1.0607, UP, -1.0607, -UP]);
  });

  it('turns are live as far back as anything after them varied', () => {
    const batch = createTurnBatch([
      [
        { outcome: 1, turnRewards: [0, 1, 0] },
        { outcome: 1, turnRewards: [0, 0, 0] },
      ],
    ]);
    expect([...mtGrpo(batch).live]).toEqual([1, 1, 0, 1, 1, 0]);
    expect([...mtGrpo(pair, { gamma: 0 }).live]).toEqual([1, 0, 1, 0]);
  });
});

describe('hybrid', () => {
  it('equals the case worked by hand: unequal lengths, one pool', () => {
    expect(rounded(hybrid(unequal, { gamma: 0.5, epsilon: 0 }).values)).toEqual([1.2718, 0.0797, -1.1393]);
  });

  it('per position leaves the turn that no peer reaches with the outcome alone: 0.3 * 0.7071', () => {
    expect(rounded(hybrid(unequal, { gamma: 0.5, epsilon: 0, pooling: 'position' }).values)).toEqual([
      0.9192, 0.2121, -0.9192,
    ]);
  });

  it('without lambda is the normalised return', () => {
    const bare = gtpo(unequal, { pooling: 'group', outcomePlace: 'after-last-turn' });
    expect(hybrid(unequal, { lambda: 0 })).toEqual(bare);
  });
});

describe('GTPO', () => {
  it('takes returns that cancel to rounding for equal, at any scale: -0.7 + 0.5 * 0.9 + 0.25 * 1 is 0', () => {
    for (const scale of [1, 6]) {
      const batch = createTurnBatch([
        [
          { outcome: 0, turnRewards: [] },
          { outcome: scale, turnRewards: [-0.7 * scale, 0.9 * scale] },
        ],
      ]);
      const options = {
        gamma: 0.5,
        epsilon: 0,
        pooling: 'position-padded',
        outcomePlace: 'after-last-turn',
      } as const;
      expect([...gtpo(batch, options).live]).toEqual([0, 1]);
    }
  });

  it('normalises discounted returns over the whole batch', () => {
    // Returns with gamma 0.5, outcome on the last turn: [1 + 0.5, 1], [0]; mean 0.8333, deviation 0.7638.
    expect(rounded(gtpo(unequal, { gamma: 0.5, epsilon: 0 }).values)).toEqual([0.8729, 0.2182, -1.0911]);
  });
});

describe('pooling', () => {
  it('padded positions count ended rollouts as 0: 4 against 0 at the second turn', () => {
    const batch = createTurnBatch([
      [
        { outcome: 1, turnRewards: [1, 4] },
        { outcome: 0, turnRewards: [1] },
      ],
    ]);
    const values = (pooling: 'position' | 'position-padded') =>
      rounded(normaliseTurns(batch.turnRewards, batch, { pooling, epsilon: 0 }).values);
    expect(values('position')).toEqual([0, 0, 0]);
    expect(values('position-padded')).toEqual([0, UP, 0]);
  });

  it.each(['position', 'group', 'batch'] as const)(
    '%s sums to zero over its pools, so over the batch',
    (pooling) => {
      fc.assert(
        fc.property(batches, (batch) => {
          expect(sum(normaliseTurns(batch.turnRewards, batch, { pooling }).values)).toBeCloseTo(0, 9);
        }),
      );
    },
  );
});

const ESTIMATORS = {
  mtGrpo: (batch: TurnBatch, options: object) => mtGrpo(batch, options),
  gtpo: (batch: TurnBatch, options: object) => gtpo(batch, options),
  hybrid: (batch: TurnBatch, options: object) => hybrid(batch, options),
};

describe.each(Object.entries(ESTIMATORS))('%s', (name, estimate) => {
  const options = fc.record({
    pooling: fc.constantFrom(...TURN_POOLINGS),
    outcomePlace: fc.constantFrom<OutcomePlace[]>('after-last-turn', 'on-last-turn', 'instead-of-last-turn'),
    gamma: fc.constantFrom(0, 0.5, 0.9, 1),
    epsilon: fc.constant(0),
  });

  it('gives dead turns exactly zero and every turn a finite number', () => {
    fc.assert(
      fc.property(batches, options, (batch, chosen) => {
        const { values, live } = estimate(batch, chosen);
        expect(values).toHaveLength(batch.turnRewards.length);
        values.forEach((value, turn) => {
          expect(Number.isFinite(value)).toBe(true);
          if (live[turn] === 0) expect(value).toBe(0);
        });
      }),
    );
  });

  it('does not change when all rewards and outcomes are scaled', () => {
    fc.assert(
      fc.property(batches, options, fc.integer({ min: 1, max: 16 }), (batch, chosen, scale) => {
        const scaled = {
          ...batch,
          outcomes: batch.outcomes.map((value) => value * scale),
          turnRewards: batch.turnRewards.map((value) => value * scale),
        };
        const moved = estimate(scaled, chosen).values;
        estimate(batch, chosen).values.forEach((value, turn) => {
          expect(moved[turn]).toBeCloseTo(value, 7);
        });
      }),
    );
  });

  it('does not change when the groups come in another order', () => {
    const turned = (batch: TurnBatch): TurnBatch => {
      const group = (g: number) =>
        Array.from({ length: (batch.groupOffsets[g + 1] ?? 0) - (batch.groupOffsets[g] ?? 0) }, (_, i) => {
          const episode = (batch.groupOffsets[g] ?? 0) + i;
          const turns = batch.turnRewards.subarray(
            batch.turnOffsets[episode],
            batch.turnOffsets[episode + 1],
          );
          return { outcome: batch.outcomes[episode] ?? 0, turnRewards: [...turns] };
        });
      return createTurnBatch(
        Array.from({ length: batch.groupOffsets.length - 1 }, (_, g) => group(g)).reverse(),
      );
    };
    const sorted = (values: Float64Array) => Array.from(values).sort((a, b) => a - b);
    fc.assert(
      fc.property(batches, options, (batch, chosen) => {
        const there = sorted(estimate(batch, chosen).values);
        sorted(estimate(turned(batch), chosen).values).forEach((value, index) => {
          expect(value).toBeCloseTo(there[index] ?? Number.NaN, 9);
        });
      }),
    );
  });

  if (name === 'mtGrpo')
    it('gives a group of equals exactly zero', () => {
      fc.assert(
        fc.property(equalBatches, (batch) => {
          expect(estimate(batch, { pooling: 'position' }).values.every((value) => value === 0)).toBe(true);
        }),
      );
    });
  else
    it('gives a group of equals zero where turns are compared at their place', () => {
      fc.assert(
        fc.property(equalBatches, (batch) => {
          expect(estimate(batch, { pooling: 'position' }).values.every((value) => value === 0)).toBe(true);
        }),
      );
    });
});

describe('shift', () => {
  it('a constant on every turn reward does not move MT-GRPO, nor one on every outcome', () => {
    fc.assert(
      fc.property(batches, fc.integer({ min: -30, max: 30 }), (batch, shift) => {
        const moved = mtGrpo({
          ...batch,
          outcomes: batch.outcomes.map((value) => value + shift),
          turnRewards: batch.turnRewards.map((value) => value + shift),
        }).values;
        mtGrpo(batch).values.forEach((value, turn) => {
          expect(moved[turn]).toBeCloseTo(value, 7);
        });
      }),
    );
  });
});
