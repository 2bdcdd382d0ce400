import { type Intent, TIERS, type Tier } from '../rewards/tier.js';
import type { TurnAdvantages } from './batch.js';

/** Share of turns that give no gradient because nothing varied over the rollouts; null for a batch without turns. */
export function deadTurnShare({ live }: Pick<TurnAdvantages, 'live'>): number | null {
  let alive = 0;
  for (const flag of live) alive += flag;
  return live.length === 0 ? null : 1 - alive / live.length;
}

/** Sums and counts of one number per tier, by tier code. */
function sumByTier(tiers: Uint8Array, values: Float64Array): { sums: Float64Array; counts: Float64Array } {
  const sums = new Float64Array(TIERS.length);
  const counts = new Float64Array(TIERS.length);
  for (let turn = 0; turn < tiers.length; turn += 1) {
    const tier = tiers[turn] as number;
    (sums[tier] as number) += values[turn] as number;
    (counts[tier] as number) += 1;
  }
  return { sums, counts };
}

export interface TierAlignment {
  readonly tier: Tier;
  readonly turns: number;
  /** Mean advantage over the tier's turns; null: the tier does not occur. */
  readonly meanAdvantage: number | null;
  readonly intended: Intent;
  /** Null: no claim, or no turn to judge by. A mean within `tolerance` of 0 points nowhere, so it is not aligned. */
  readonly aligned: boolean | null;
}

/**
 * The misalignment table (arXiv 2604.02869, table 1): does each tier's mean advantage point where it should?
 * @param tiers tier code per turn, see `tierCodes`
 * @param advantages one per turn
 */
export function tierAlignment(
  tiers: Uint8Array,
  advantages: Float64Array,
  options: { readonly intents: Readonly<Record<Tier, Intent>>; readonly tolerance?: number },
): TierAlignment[] {
  const { sums, counts } = sumByTier(tiers, advantages);
  return TIERS.map((tier, code) => {
    const turns = counts[code] as number;
    const intended = options.intents[tier];
    const meanAdvantage = turns === 0 ? null : (sums[code] as number) / turns;
    const aligned =
      intended === 0 || meanAdvantage === null
        ? null
        : meanAdvantage * intended > (options.tolerance ?? 1e-9);
    return { tier, turns, meanAdvantage, intended, aligned };
  });
}

/**
 * How the gradient is shared out over the tiers: sum of |A| of a tier over the sum of all.
 * @param tokens agent tokens per turn, where known: every token of a turn carries its advantage
 * @returns null when all advantages are 0
 */
export function gradientShare(
  tiers: Uint8Array,
  advantages: Float64Array,
  tokens?: Uint32Array,
): Readonly<Record<Tier, number>> | null {
  const weight = Float64Array.from(advantages, (value, turn) => Math.abs(value) * (tokens?.[turn] ?? 1));
  const { sums } = sumByTier(tiers, weight);
  const total = sums.reduce((sum, value) => sum + value, 0);
  if (total === 0) return null;
  const share = (tier: Tier): number => (sums[TIERS.indexOf(tier)] as number) / total;
  return {
    gold: share('gold'),
    soft: share('soft'),
    read: share('read'),
    state: share('state'),
    error: share('error'),
    duplicate: share('duplicate'),
    message: share('message'),
  };
}

/** False for equals, and for what rounding alone tells apart. */
function varies(values: Float64Array): boolean {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high - low > 1e-12 * Math.max(Math.abs(low), Math.abs(high));
}

/** Pearson's correlation; null where one side does not vary, or there are fewer than two pairs. */
export function correlation(a: Float64Array, b: Float64Array): number | null {
  const n = a.length;
  if (n !== b.length || n < 2 || !varies(a) || !varies(b)) return null;
  let meanA = 0;
  let meanB = 0;
  for (let i = 0; i < n; i += 1) {
    meanA += (a[i] as number) / n;
    meanB += (b[i] as number) / n;
  }
  let both = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let i = 0; i < n; i += 1) {
    const da = (a[i] as number) - meanA;
    const db = (b[i] as number) - meanB;
    both += da * db;
    squaresA += da * da;
    squaresB += db * db;
  }
  const scale = Math.sqrt(squaresA) * Math.sqrt(squaresB);
  return scale === 0 ? null : Math.max(-1, Math.min(1, both / scale));
}
