import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, deriveSeed } from '../../src/shared/index.js';

describe('seeded random numbers', () => {
  it('give the same sequence for the same seed on any machine', () => {
    const random = createRandom(1);
    const drawn = Array.from({ length: 6 }, () => random.int(0, 999));
    expect(drawn).toMatchInlineSnapshot(`
      [
        568,
        753,
        889,
        490,
        470,
        983,
      ]
    `);
  });

  it('stay within their bounds, both ends reachable', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -50, max: 50 }), fc.nat(20), (seed, min, span) => {
        const random = createRandom(seed);
        const seen = new Set(Array.from({ length: 600 }, () => random.int(min, min + span)));
        expect(Math.min(...seen)).toBe(min);
        expect(Math.max(...seen)).toBe(min + span);
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  it('are uniform enough: a chi-square over ten bins stays below the 0.1 % limit', () => {
    const random = createRandom(deriveSeed('uniform'));
    const bins = new Array<number>(10).fill(0);
    for (let i = 0; i < 100_000; i += 1) {
      const bin = Math.floor(random.next() * 10);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    const chiSquare = bins.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    expect(chiSquare).toBeLessThan(27.88); // 9 degrees of freedom, p = 0.001
  });

  it('shuffle keeps every element and pick refuses an empty list', () => {
    const random = createRandom(5);
    expect(random.shuffle([1, 2, 3, 4, 5]).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    expect(() => random.pick([])).toThrow(/at least one item/);
  });
});

describe('derived seeds', () => {
  it('do not confuse where one part ends and the next begins', () => {
    expect(deriveSeed('a', 'bc')).not.toBe(deriveSeed('ab', 'c'));
    expect(deriveSeed(1, 'x')).toBe(deriveSeed('1', 'x'));
  });
});
