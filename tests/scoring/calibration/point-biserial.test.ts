import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlation } from '../../../src/scoring/advantages/diagnostics.js';
import {
  bootstrapInterval,
  pointBiserial,
  pointBiserialFromShares,
} from '../../../src/scoring/calibration/point-biserial.js';

const counts = { passingWith: 3, passingWithout: 1, failingWith: 1, failingWithout: 3 };

describe('the point-biserial correlation', () => {
  it('equals the case worked by hand', () => {
    expect(pointBiserial(counts)).toBe(0.5);
    expect(pointBiserialFromShares(0.75, 0.25, 0.5)).toBeCloseTo(0.5, 12);
  });

  it("is Pearson's of two columns of 0 and 1", () => {
    const pairs = fc.array(fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(0, 1)), {
      minLength: 2,
      maxLength: 40,
    });
    fc.assert(
      fc.property(pairs, (list) => {
        const count = (x: number, y: number) => list.filter(([a, b]) => a === x && b === y).length;
        const rho = pointBiserial({
          passingWith: count(1, 1),
          failingWith: count(1, 0),
          passingWithout: count(0, 1),
          failingWithout: count(0, 0),
        });
        const pearson = correlation(
          Float64Array.from(list, ([a]) => a),
          Float64Array.from(list, ([, b]) => b),
        );
        if (pearson === null) expect(rho).toBeNull();
        else expect(rho).toBeCloseTo(pearson, 9);
      }),
    );
  });

  it('of what always or never occurs is missing, not 0', () => {
    expect(
      pointBiserial({ passingWith: 4, passingWithout: 0, failingWith: 4, failingWithout: 0 }),
    ).toBeNull();
    expect(
      pointBiserial({ passingWith: 4, passingWithout: 2, failingWith: 0, failingWithout: 0 }),
    ).toBeNull();
  });
});

describe('its interval', () => {
  it('lies around it, is the same for the same seed and narrower with more tasks', () => {
    const options = { seed: 5, resamples: 500 };
    const few = bootstrapInterval(new Array(8).fill(counts).map(vary), options);
    const many = bootstrapInterval(new Array(200).fill(counts).map(vary), options);
    expect(few).toEqual(bootstrapInterval(new Array(8).fill(counts).map(vary), options));
    if (few === null || many === null) throw new Error('both can be told');
    expect(few.low).toBeLessThan(few.high);
    expect(many.high - many.low).toBeLessThan(few.high - few.low);
    expect(many.low).toBeLessThan(0.5);
    expect(many.high).toBeGreaterThan(0.3);
  });

  it('cannot be told from four tasks', () => {
    expect(bootstrapInterval(new Array(4).fill(counts), { seed: 0, resamples: 100 })).toBeNull();
  });
});

/** Tasks that differ: every third one tells the opposite. */
function vary(one: typeof counts, index: number): typeof counts {
  return index % 3 === 0 ? { ...one, passingWith: 1, passingWithout: 3 } : one;
}
