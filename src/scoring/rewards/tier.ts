/**
 * What a turn is worth by its kind (arXiv 2604.02869, Algorithm 1 line 9), before any judge:
 * - gold: a call that equals a ground-truth call
 * - soft: a call of the same tool that shares some of a ground-truth call's arguments
 * - read: any other call that only reads
 * - state: any other call that changes something, or hands over to a human
 * - error: a call that failed
 * - duplicate: a call made before
 * - message: words to the customer
 */
export const TIERS = ['gold', 'soft', 'read', 'state', 'error', 'duplicate', 'message'] as const;
export type Tier = (typeof TIERS)[number];

/** A turn with its tier. */
export interface TierTurn {
  readonly tier: Tier;
  /** Share of the ground-truth call's arguments that the call got right: 1 for gold, above 0 for soft, else 0. */
  readonly share: number;
  /** Index into the task's ground truth of the call that was matched; null: none. */
  readonly matched: number | null;
}

/** Tiers as numbers, for flat arrays: the index into `TIERS`. */
export function tierCodes(turns: readonly Pick<TierTurn, 'tier'>[]): Uint8Array {
  return Uint8Array.from(turns, (turn) => TIERS.indexOf(turn.tier));
}

/** Which way a tier's mean advantage should point. 0: no claim. */
export type Intent = -1 | 0 | 1;
