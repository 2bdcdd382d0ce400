import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidVerdictsError } from '../../../src/scoring/errors.js';
import { type EpisodeKind, tarlReward, type Verdict } from '../../../src/scoring/rewards/tarl.js';

/** Every count of 1s and 0s, with and without the -1, says all there is: the formula ignores order. */
function* patterns(turns: number): Generator<Verdict[]> {
  for (const deviations of [0, 1])
    for (let right = 0; right + deviations <= turns; right += 1)
      yield [
        ...new Array<Verdict>(deviations).fill(-1),
        ...new Array<Verdict>(right).fill(1),
        ...new Array<Verdict>(turns - right - deviations).fill(0),
      ];
}

type Range = readonly [low: number, high: number];

function rangesOver(turns: number, turnScale: '5/T' | '1/T'): Map<EpisodeKind, Range> {
  const ranges = new Map<EpisodeKind, Range>();
  for (const outcome of [0, 1] as const)
    for (const verdicts of patterns(turns)) {
      const { kind, score } = tarlReward({ outcome, verdicts }, { turnScale });
      if (kind === null || score === null) throw new Error('nothing is missing here');
      const [low, high] = ranges.get(kind) ?? [score, score];
      ranges.set(kind, [Math.min(low, score), Math.max(high, score)]);
    }
  return ranges;
}

describe('the TARL episode reward', () => {
  // papers.md 1.5, derived table, brute force over T = 1 … 30. The worst good episode has all 0, the best one 0 among 1s.
  it.each([
    { turnScale: '5/T', full: 5 },
    { turnScale: '1/T', full: 1 },
  ] as const)('has the published ranges with $turnScale for every T from 1 to 30', ({ turnScale, full }) => {
    for (let turns = 1; turns <= 30; turns += 1) {
      const ranges = rangesOver(turns, turnScale);
      const one = full / turns;
      const expectRange = (kind: EpisodeKind, low: number, high: number) => {
        expect(ranges.get(kind)?.[0], `${kind}, T = ${turns}, low`).toBeCloseTo(low, 10);
        expect(ranges.get(kind)?.[1], `${kind}, T = ${turns}, high`).toBeCloseTo(high, 10);
      };
      expect(ranges.get('perfect')).toEqual([10 + full, 10 + full]);
      expectRange('good', 10, 10 + full - one);
      expectRange('good-attempt', 0, full);
      expectRange('failed', -5, -5 + full - one);
      expectRange('good-with-deviation', 5, 5 + full - one);
      if (turnScale === '5/T') {
        expect(ranges.get('good')?.[1]).toBeLessThan(15);
        expect(ranges.get('failed')?.[1]).toBeLessThan(0);
        expect(ranges.get('good-with-deviation')?.[1]).toBeLessThan(10);
      }
    }
  });

  it('equals the case worked by hand: 5 * 4/6 - 5', () => {
    const reward = tarlReward({ outcome: 0, verdicts: [1, 1, 1, -1, 0, 1] });
    expect(reward.score).toBeCloseTo(-5 / 3, 12);
    expect(reward).toMatchObject({ kind: 'failed', outcomePart: 0, deviationPart: -5, missing: 0 });
  });

  it('a missing verdict makes the score missing, not smaller', () => {
    const reward = tarlReward({ outcome: 1, verdicts: [1, null, 1] });
    expect(reward).toMatchObject({ score: null, kind: null, outcomePart: 10, turnPart: null, missing: 1 });
    expect(reward.turnParts[1]).toBeNull();
  });

  it('a missing outcome makes the score missing and leaves the turns their parts', () => {
    expect(tarlReward({ outcome: null, verdicts: [1, 0] })).toMatchObject({
      score: null,
      kind: null,
      turnPart: 2.5,
    });
  });

  it('an episode without turns is worth its outcome', () => {
    expect(tarlReward({ outcome: 1, verdicts: [] })).toMatchObject({ score: 10, kind: 'good' });
    expect(tarlReward({ outcome: 0, verdicts: [] })).toMatchObject({ score: 0, kind: 'good-attempt' });
  });

  it('refuses two major deviations and values that are no verdicts', () => {
    expect(() => tarlReward({ outcome: 0, verdicts: [-1, -1] })).toThrow(InvalidVerdictsError);
    expect(() => tarlReward({ outcome: 0, verdicts: [0.5 as Verdict] })).toThrow(/-1, 0 or 1/);
  });

  it('the parts of the turns sum to the turn and deviation parts', () => {
    const verdicts = fc
      .tuple(fc.array(fc.constantFrom<Verdict[]>(0, 1), { maxLength: 40 }), fc.boolean())
      .map(([list, deviates]) => (deviates ? [...list, -1 as const] : list));
    fc.assert(
      fc.property(verdicts, fc.constantFrom('5/T' as const, '1/T' as const), (list, turnScale) => {
        const { turnParts, turnPart, deviationPart } = tarlReward(
          { outcome: 1, verdicts: list },
          { turnScale },
        );
        const sum = turnParts.reduce<number>((total, part) => total + (part ?? Number.NaN), 0);
        expect(sum).toBeCloseTo((turnPart ?? Number.NaN) + (deviationPart ?? Number.NaN), 9);
      }),
    );
  });
});
