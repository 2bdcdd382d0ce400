import type { RewardTable } from '../rewards/reward-table.js';
import { TIERS, type Tier } from '../rewards/tier.js';
import type { Rollout } from '../rollout.js';
import { byTier, type DecisionOptions, decideValue, withTiers } from './decide.js';
import { pointBiserial } from './point-biserial.js';

/** What the online estimate remembers; plain numbers, so that a trainer can keep it in a checkpoint. */
export interface OnlineState {
  /** Sum of the weights. */
  readonly weight: number;
  /** Sum of the squared weights. */
  readonly squaredWeight: number;
  readonly passing: number;
  readonly occurring: Readonly<Record<Tier, number>>;
  readonly occurringInPassing: Readonly<Record<Tier, number>>;
}

export interface OnlineOptions extends DecisionOptions {
  /** After this many episodes an episode counts half. Default 512. */
  readonly halfLifeEpisodes?: number;
  /** No value is changed before the estimate rests on as many episodes' worth of weight. Default 64. */
  readonly leastEpisodes?: number;
}

export interface OnlineTier {
  readonly tier: Tier;
  readonly rho: number | null;
  readonly value: number;
}

/** Nothing seen yet. */
export function startOnline(): OnlineState {
  return {
    weight: 0,
    squaredWeight: 0,
    passing: 0,
    occurring: byTier(() => 0),
    occurringInPassing: byTier(() => 0),
  };
}

/** The state after one more episode. */
export function observeRollout(
  state: OnlineState,
  { success, turns }: Pick<Rollout, 'success' | 'turns'>,
  options: OnlineOptions = {},
): OnlineState {
  const decay = 0.5 ** (1 / (options.halfLifeEpisodes ?? 512));
  const present = new Set(turns.map((turn) => turn.tier));
  return {
    weight: decay * state.weight + 1,
    squaredWeight: decay * decay * state.squaredWeight + 1,
    passing: decay * state.passing + success,
    occurring: byTier((tier) => decay * state.occurring[tier] + (present.has(tier) ? 1 : 0)),
    occurringInPassing: byTier(
      (tier) => decay * state.occurringInPassing[tier] + (present.has(tier) ? success : 0),
    ),
  };
}

/** How many equally weighted episodes would tell as much: (sum of weights)² / sum of squared weights. */
export function effectiveEpisodes({ weight, squaredWeight }: OnlineState): number {
  return squaredWeight === 0 ? 0 : (weight * weight) / squaredWeight;
}

/** Decayed sums of 0s never quite reach 0; below this share of the weight they are. */
const NOTHING_LEFT = 1e-9;

/**
 * Rewards from what was seen so far, old episodes counting less: the online variant that arXiv 2604.02869, section 9
 * leaves as future work. The decision per tier is the same as in `calibrate`; there is no sign check, which needs
 * whole groups.
 */
export function onlineRewards(
  state: OnlineState,
  start: RewardTable,
  options: OnlineOptions = {},
): { readonly rewards: RewardTable; readonly tiers: readonly OnlineTier[] } {
  const enough = effectiveEpisodes(state) >= (options.leastEpisodes ?? 64);
  const clean = (value: number): number => (value <= NOTHING_LEFT * state.weight ? 0 : value);
  const tiers = TIERS.map((tier): OnlineTier => {
    const passingWith = clean(state.occurringInPassing[tier]);
    const failingWith = clean(state.occurring[tier] - passingWith);
    const rho = pointBiserial({
      passingWith,
      passingWithout: clean(state.passing - passingWith),
      failingWith,
      failingWithout: clean(state.weight - state.passing - failingWith),
    });
    const old = start.tiers[tier];
    return { tier, rho, value: enough ? decideValue({ tier, rho, old }, options).value : old };
  });
  const values = byTier((tier) => tiers[TIERS.indexOf(tier)]?.value ?? 0);
  return { rewards: withTiers(start, values, `${start.name}-online`), tiers };
}
