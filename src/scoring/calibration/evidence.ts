import { deriveSeed } from '../../shared/index.js';
import { TIERS, type Tier } from '../rewards/tier.js';
import type { Rollout } from '../rollout.js';
import {
  bootstrapInterval,
  type Interval,
  type OccurrenceCounts,
  pointBiserial,
  sumCounts,
} from './point-biserial.js';

/** What a buffer of episodes says about one tier. */
export interface TierEvidence {
  readonly tier: Tier;
  readonly turns: number;
  /** Share of passing episodes in which it occurs; null without passing episodes. */
  readonly passing: number | null;
  readonly failing: number | null;
  /** Null: no evidence, see `pointBiserial`. */
  readonly rho: number | null;
  /** 95 %, over tasks; null where it cannot be told. */
  readonly interval: Interval | null;
}

function share(part: number, rest: number): number | null {
  return part + rest === 0 ? null : part / (part + rest);
}

function countByGroup(rollouts: readonly Rollout[], tier: Tier): OccurrenceCounts[] {
  const groups = new Map<string, { -readonly [K in keyof OccurrenceCounts]: number }>();
  for (const { group, success, turns } of rollouts) {
    const counts = groups.get(group) ?? {
      passingWith: 0,
      passingWithout: 0,
      failingWith: 0,
      failingWithout: 0,
    };
    const occurs = turns.some((turn) => turn.tier === tier);
    if (success === 1) counts[occurs ? 'passingWith' : 'passingWithout'] += 1;
    else counts[occurs ? 'failingWith' : 'failingWithout'] += 1;
    groups.set(group, counts);
  }
  return [...groups.values()];
}

/** Step 4 of Algorithm 1 before the decision: per tier, how its presence goes with success. */
export function gatherEvidence(
  rollouts: readonly Rollout[],
  options: { readonly seed: number; readonly resamples: number },
): TierEvidence[] {
  return TIERS.map((tier) => {
    const groups = countByGroup(rollouts, tier);
    const total = sumCounts(groups);
    const rho = pointBiserial(total);
    return {
      tier,
      turns: rollouts.reduce((sum, { turns }) => sum + turns.filter((turn) => turn.tier === tier).length, 0),
      passing: share(total.passingWith, total.passingWithout),
      failing: share(total.failingWith, total.failingWithout),
      rho,
      interval:
        rho === null
          ? null
          : bootstrapInterval(groups, { seed: deriveSeed(options.seed, tier), resamples: options.resamples }),
    };
  });
}
