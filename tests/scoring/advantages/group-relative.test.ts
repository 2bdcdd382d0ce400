import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grpo, rloo } from '../../../src/scoring/advantages/group-relative.js';
import { InvalidBatchError } from '../../../src/scoring/errors.js';
import { rounded, sum } from './batches.js';

const one = Uint32Array.of(0, 4);

/** Scores on a grid with a spread that epsilon cannot blur. */
const groups = fc.array(fc.array(fc.integer({ min: -15, max: 15 }), { minLength: 1, maxLength: 8 }), {
  maxLength: 6,
});

function layOut(lists: readonly (readonly number[])[]) {
  const offsets = [0];
  for (const list of lists) offsets.push((offsets.at(-1) ?? 0) + list.length);
  return { scores: Float64Array.from(lists.flat()), offsets: Uint32Array.from(offsets) };
}

describe('GRPO', () => {
  it('equals the case worked by hand: 15, 12, 3, -5', () => {
    expect(rounded(grpo(Float64Array.of(15, 12, 3, -5), one).values)).toEqual([
      0.9648, 0.634, -0.3584, -1.2405,
    ]);
  });

  it('gives a failing rollout of two in four the published -0.87, by the sample deviation', () => {
    expect(grpo(Float64Array.of(1, 0, 0, 1), one).values[1]).toBeCloseTo(-0.866, 3);
  });

  it("adds verl's 1e-6 to the deviation", () => {
    const deviation = Math.sqrt(1 / 3);
    expect(grpo(Float64Array.of(1, 0, 0, 1), one).values[0]).toBeCloseTo(0.5 / (deviation + 1e-6), 15);
  });

  it("gives a group of one nothing, or verl's raw score on demand", () => {
    const lone = { scores: Float64Array.of(7), offsets: Uint32Array.of(0, 1) };
    expect([...grpo(lone.scores, lone.offsets).values]).toEqual([0]);
    expect(grpo(lone.scores, lone.offsets, { lone: 'raw' }).values[0]).toBeCloseTo(7 / (1 + 1e-6), 15);
  });

  it('knows groups that tell nothing', () => {
    const { values, live } = grpo(Float64Array.of(1, 1, 0, 1), Uint32Array.of(0, 2, 4));
    expect([...values.subarray(0, 2)]).toEqual([0, 0]);
    expect([...live]).toEqual([0, 0, 1, 1]);
  });

  it('can leave the deviation out', () => {
    expect([...grpo(Float64Array.of(3, 1), Uint32Array.of(0, 2), { scale: 'none' }).values]).toEqual([1, -1]);
  });

  it('refuses a score that is missing', () => {
    expect(() => grpo(Float64Array.of(1, Number.NaN), Uint32Array.of(0, 2))).toThrow(InvalidBatchError);
  });
});

describe('RLOO', () => {
  it('equals the case worked by hand, and the mean of the others', () => {
    expect(rounded(rloo(Float64Array.of(1, 0, 0, 1), one).values)).toEqual([
      0.6667, -0.6667, -0.6667, 0.6667,
    ]);
    const scores = [15, 12, 3, -5];
    const others = (index: number) =>
      scores.filter((_, place) => place !== index).reduce((a, b) => a + b, 0) / 3;
    expect(rounded(rloo(Float64Array.from(scores), one).values)).toEqual(
      scores.map((score, index) => Number((score - others(index)).toFixed(4))),
    );
  });

  it("gives a group of one nothing, or verl's raw score on demand", () => {
    expect([...rloo(Float64Array.of(7), Uint32Array.of(0, 1)).values]).toEqual([0]);
    expect([...rloo(Float64Array.of(7), Uint32Array.of(0, 1), { lone: 'raw' }).values]).toEqual([7]);
  });
});

describe.each([
  {
    name: 'GRPO',
    estimate: (s: Float64Array, o: Uint32Array) => grpo(s, o, { epsilon: 0 }).values,
    power: 0,
  },
  { name: 'RLOO', estimate: (s: Float64Array, o: Uint32Array) => rloo(s, o).values, power: 1 },
])('$name', ({ estimate, power }) => {
  it('sums to zero within a group', () => {
    fc.assert(
      fc.property(groups, (lists) => {
        const { scores, offsets } = layOut(lists);
        const values = estimate(scores, offsets);
        for (let group = 0; group < lists.length; group += 1)
          expect(sum(values, offsets[group], offsets[group + 1])).toBeCloseTo(0, 9);
      }),
    );
  });

  it('does not change when a constant is added, and scales as it should', () => {
    fc.assert(
      fc.property(
        groups,
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        (lists, shift, scale) => {
          const { scores, offsets } = layOut(lists);
          const values = estimate(scores, offsets);
          const moved = estimate(
            scores.map((score) => scale * score + shift),
            offsets,
          );
          values.forEach((value, index) => {
            expect(moved[index]).toBeCloseTo(value * scale ** power, 8);
          });
        },
      ),
    );
  });

  it('gives a group of equals exactly zero, whatever the number', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
        fc.integer({ min: 1, max: 9 }),
        (score, size) => {
          const values = estimate(new Float64Array(size).fill(score), Uint32Array.of(0, size));
          expect(values.every((value) => value === 0)).toBe(true);
        },
      ),
    );
  });
});
