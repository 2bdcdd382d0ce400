import { createRandom } from '../../shared/index.js';

/** How often something occurs in passing and failing episodes: four counts, or weights. */
export interface OccurrenceCounts {
  readonly passingWith: number;
  readonly passingWithout: number;
  readonly failingWith: number;
  readonly failingWithout: number;
}

/**
 * Point-biserial correlation between "occurs in the episode" and success. Both are yes or no, so it is the phi
 * coefficient: (ad - bc) / sqrt((a + b)(c + d)(a + c)(b + d)).
 * @returns null where one of the two never varies: there is no evidence, which is not the same as 0
 *
 * By hand: 3 of 4 passing and 1 of 4 failing episodes: (3 * 3 - 1 * 1) / sqrt(4 * 4 * 4 * 4) = 8 / 16 = 0.5.
 */
export function pointBiserial(counts: OccurrenceCounts): number | null {
  const { passingWith: a, passingWithout: b, failingWith: c, failingWithout: d } = counts;
  const scale = Math.sqrt(a + b) * Math.sqrt(c + d) * Math.sqrt(a + c) * Math.sqrt(b + d);
  return scale === 0 ? null : Math.max(-1, Math.min(1, (a * d - b * c) / scale));
}

/**
 * The same from published frequencies.
 * @param passing share of passing episodes in which it occurs, 0 … 1
 * @param failing share of failing ones
 * @param passRate share of episodes that pass
 */
export function pointBiserialFromShares(passing: number, failing: number, passRate: number): number | null {
  return pointBiserial({
    passingWith: passRate * passing,
    passingWithout: passRate * (1 - passing),
    failingWith: (1 - passRate) * failing,
    failingWithout: (1 - passRate) * (1 - failing),
  });
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

function addCounts(sum: OccurrenceCounts, more: OccurrenceCounts): OccurrenceCounts {
  return {
    passingWith: sum.passingWith + more.passingWith,
    passingWithout: sum.passingWithout + more.passingWithout,
    failingWith: sum.failingWith + more.failingWith,
    failingWithout: sum.failingWithout + more.failingWithout,
  };
}

const NOTHING: OccurrenceCounts = { passingWith: 0, passingWithout: 0, failingWith: 0, failingWithout: 0 };

export function sumCounts(counts: readonly OccurrenceCounts[]): OccurrenceCounts {
  return counts.reduce(addCounts, NOTHING);
}

/** With fewer tasks than this there is no telling how much tasks differ. */
const LEAST_GROUPS = 5;

/**
 * 95 % interval of the correlation by resampling whole tasks, because rollouts of one task are not independent.
 * @param groups counts per task
 * @returns null with fewer than 5 tasks, or when most resamples have no spread
 */
export function bootstrapInterval(
  groups: readonly OccurrenceCounts[],
  options: { readonly seed: number; readonly resamples: number },
): Interval | null {
  if (groups.length < LEAST_GROUPS) return null;
  const random = createRandom(options.seed);
  const found: number[] = [];
  for (let resample = 0; resample < options.resamples; resample += 1) {
    const sum = { passingWith: 0, passingWithout: 0, failingWith: 0, failingWithout: 0 };
    for (let draw = 0; draw < groups.length; draw += 1) {
      const group = groups[random.int(0, groups.length - 1)] as OccurrenceCounts;
      sum.passingWith += group.passingWith;
      sum.passingWithout += group.passingWithout;
      sum.failingWith += group.failingWith;
      sum.failingWithout += group.failingWithout;
    }
    const rho = pointBiserial(sum);
    if (rho !== null) found.push(rho);
  }
  if (found.length * 2 < options.resamples || found.length === 0) return null;
  found.sort((a, b) => a - b);
  const at = (share: number): number => found[Math.round(share * (found.length - 1))] as number;
  return { low: at(0.025), high: at(0.975) };
}
