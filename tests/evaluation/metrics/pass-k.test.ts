import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstKPass, passAtK, passHatK } from '../../../src/evaluation/metrics/pass-k.js';

describe('pass^k of one task', () => {
  it('is C(c,k)/C(n,k), worked by hand for 3 successes in 4 trials', () => {
    // C(3,1)/C(4,1) = 3/4; C(3,2)/C(4,2) = 3/6; C(3,3)/C(4,3) = 1/4; C(3,4)/C(4,4) = 0/1.
    expect([1, 2, 3, 4].map((k) => passHatK(3, 4, k))).toEqual([3 / 4, 1 / 2, 1 / 4, 0]);
  });

  it('is 1 for all successes and 0 for none, at every k', () => {
    for (const k of [1, 2, 3, 4]) {
      expect(passHatK(4, 4, k)).toBe(1);
      expect(passHatK(0, 4, k)).toBe(0);
    }
  });

  it('stays exact where factorials overflow: 999 of 1,000 trials, k = 500', () => {
    // C(999,500)/C(1000,500) = (1000-500)/1000 = 1/2.
    expect(passHatK(999, 1000, 500)).toBeCloseTo(0.5, 12);
  });

  it('is not covered by fewer than k trials', () => {
    expect(passHatK(2, 2, 3)).toBeNaN();
    expect(passAtK(2, 2, 3)).toBeNaN();
    expect(firstKPass([true, true], 3)).toBeNaN();
  });

  it('equals the share of all k-subsets of the trials that pass throughout', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 8 }),
        (trials, wanted) => {
          const k = Math.min(wanted, trials.length);
          let subsets = 0;
          let passing = 0;
          let any = 0;
          for (let mask = 0; mask < 1 << trials.length; mask += 1) {
            const chosen = trials.filter((_, index) => (mask >> index) & 1);
            if (chosen.length !== k) continue;
            subsets += 1;
            if (chosen.every((passed) => passed)) passing += 1;
            if (chosen.some((passed) => passed)) any += 1;
          }
          const successes = trials.filter((passed) => passed).length;
          expect(passHatK(successes, trials.length, k)).toBeCloseTo(passing / subsets, 12);
          expect(passAtK(successes, trials.length, k)).toBeCloseTo(any / subsets, 12);
        },
      ),
    );
  });
});

describe('pass@k of one task', () => {
  it('is 1 - C(n-c,k)/C(n,k), worked by hand for 1 success in 4 trials', () => {
    // 1 - C(3,1)/C(4,1) = 1/4; 1 - C(3,2)/C(4,2) = 1/2; 1 - C(3,3)/C(4,3) = 3/4; 1 - C(3,4)/C(4,4) = 1.
    expect([1, 2, 3, 4].map((k) => passAtK(1, 4, k))).toEqual([1 / 4, 1 / 2, 3 / 4, 1]);
  });
});

describe('first-k of one task', () => {
  it('looks at the first k trials only', () => {
    const trials = [true, true, false, true];
    expect([1, 2, 3, 4].map((k) => firstKPass(trials, k))).toEqual([1, 1, 0, 0]);
  });
});
