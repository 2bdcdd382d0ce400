import { describe, expect, it } from 'vitest';
import { estimateMeans } from '../../../src/evaluation/metrics/interval.js';

const ofOnesAndZeros = (ones: number, zeros: number): number[] => [
  ...Array<number>(ones).fill(1),
  ...Array<number>(zeros).fill(0),
];

/** Jeffreys 95 % intervals: quantiles 0.025 and 0.975 of Beta(c + 1/2, n - c + 1/2), from the standard tables. */
const JEFFREYS = [
  { passed: 5, failed: 5, low: 0.2235, high: 0.7765 },
  { passed: 3, failed: 7, low: 0.0927, high: 0.6058 },
  { passed: 36, failed: 4, low: 0.7801, high: 0.9655 },
];

describe('intervals of means over tasks', () => {
  it.each(JEFFREYS)('agree with the Jeffreys interval for $passed passed and $failed failed', (row) => {
    const [estimate] = estimateMeans([ofOnesAndZeros(row.passed, row.failed)], {
      seed: 7,
      resamples: 20_000,
    });
    expect(estimate?.mean).toBeCloseTo(row.passed / (row.passed + row.failed), 12);
    expect(Math.abs((estimate?.low ?? 0) - row.low)).toBeLessThan(0.01);
    expect(Math.abs((estimate?.high ?? 0) - row.high)).toBeLessThan(0.01);
  });

  it('has a width when every task passes, and holds the mean', () => {
    const [all] = estimateMeans([ofOnesAndZeros(10, 0)], { seed: 1 });
    expect(all?.mean).toBe(1);
    expect(all?.high).toBe(1);
    // Jeffreys for 10 of 10: from 0.783.
    expect(all?.low).toBeGreaterThan(0.74);
    expect(all?.low).toBeLessThan(0.83);
    const [none] = estimateMeans([ofOnesAndZeros(0, 10)], { seed: 1 });
    expect(none?.low).toBe(0);
    expect(none?.high).toBeGreaterThan(0.17);
  });

  it('narrows with more tasks', () => {
    const width = (tasks: number): number => {
      const [estimate] = estimateMeans([ofOnesAndZeros(tasks / 2, tasks / 2)], { seed: 1 });
      return (estimate?.high ?? 0) - (estimate?.low ?? 0);
    };
    expect(width(10)).toBeGreaterThan(width(40));
    expect(width(40)).toBeGreaterThan(width(200));
  });

  it('gives the same numbers for the same seed and others for another', () => {
    const column = [ofOnesAndZeros(6, 5)];
    expect(estimateMeans(column, { seed: 3 })).toEqual(estimateMeans(column, { seed: 3 }));
    expect(estimateMeans(column, { seed: 3 })).not.toEqual(estimateMeans(column, { seed: 4 }));
  });

  it('leaves uncovered tasks out and says how many are covered', () => {
    const [half, nothing] = estimateMeans(
      [
        [1, Number.NaN, 0],
        [Number.NaN, Number.NaN, Number.NaN],
      ],
      { seed: 1 },
    );
    expect(half).toMatchObject({ mean: 0.5, tasks: 2 });
    expect(nothing).toEqual({ mean: null, low: null, high: null, tasks: 0 });
  });
});
