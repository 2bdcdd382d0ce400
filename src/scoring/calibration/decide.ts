import type { RewardTable } from '../rewards/reward-table.js';
import { type Intent, TIERS, type Tier } from '../rewards/tier.js';

/** The numbers that arXiv 2604.02869 leaves open, with this project's defaults. */
export interface DecisionOptions {
  /** r = alpha * rho. Default 1. */
  readonly alpha?: number;
  /** A correlation no stronger than this is worth nothing: r = 0. Default 0.05. */
  readonly delta?: number;
  /**
   * `scaled` (default): r = alpha * rho, as Algorithm 1 is printed. `magnitude`: keep the size of the old value and take
   * the sign of rho; that is how the paper's own V6 follows from its V5 (state-changing 0.1 became -0.1).
   */
  readonly values?: 'scaled' | 'magnitude';
  /**
   * A value whose sign contradicts the tier's fixed intent (say, a penalty for exact ground-truth calls, out of a few
   * odd episodes): `zero` (default) drops it, `keep` takes the data at its word, as Algorithm 1 is printed.
   */
  readonly contradictions?: 'zero' | 'keep';
  /** Intents that differ from `intentsOf`. */
  readonly intents?: Partial<Readonly<Record<Tier, Intent>>>;
}

/**
 * Fixed intents: what is right is wanted, what is wrong is not. A state change outside the ground truth is not wanted
 * even where a table rewards it: the paper counts its negative advantage under V5 as right. Reading and talking are
 * neither right nor wrong, so their intent is the sign of the reward they are given; 0 makes no claim.
 */
const FIXED_INTENTS: Partial<Readonly<Record<Tier, Intent>>> = {
  gold: 1,
  soft: 1,
  state: -1,
  error: -1,
  duplicate: -1,
};

/** Which way each tier's mean advantage should point under a reward table. */
export function intentsOf(
  rewards: RewardTable,
  overrides: Partial<Readonly<Record<Tier, Intent>>> = {},
): Readonly<Record<Tier, Intent>> {
  const fixed = { ...FIXED_INTENTS, ...overrides };
  const intent = (tier: Tier): Intent => fixed[tier] ?? (Math.sign(rewards.tiers[tier]) as Intent);
  return {
    gold: intent('gold'),
    soft: intent('soft'),
    read: intent('read'),
    state: intent('state'),
    error: intent('error'),
    duplicate: intent('duplicate'),
    message: intent('message'),
  };
}

/** Does the tier's intent follow its reward, so that a reward of 0 settles a misalignment? */
export function followsReward(tier: Tier, options: DecisionOptions): boolean {
  return options.intents?.[tier] === undefined && FIXED_INTENTS[tier] === undefined;
}

/**
 * - `kept`: the tier occurs in none or in all of the episodes, or all have the same outcome: no evidence, no change
 * - `scaled` / `sign`: by rho, in the way that `values` names
 * - `weak`: |rho| is at most delta: 0
 * - `contradiction`: the sign contradicts the intent: 0
 * - `held`: it pointed the wrong way in the round before: 0
 */
export type Decision = 'kept' | 'scaled' | 'sign' | 'weak' | 'contradiction' | 'held';

export interface DecidedValue {
  readonly decision: Decision;
  readonly value: number;
}

export interface DecisionInput {
  readonly tier: Tier;
  /** Null: no evidence. */
  readonly rho: number | null;
  readonly old: number;
  readonly held?: boolean;
}

/** One tier's next value: step 4 of Algorithm 1, with the guards above. */
export function decideValue(
  { tier, rho, old, held = false }: DecisionInput,
  options: DecisionOptions = {},
): DecidedValue {
  const { alpha = 1, delta = 0.05, values = 'scaled', contradictions = 'zero' } = options;
  if (held) return { decision: 'held', value: 0 };
  if (rho === null) return { decision: 'kept', value: old };
  if (Math.abs(rho) <= delta) return { decision: 'weak', value: 0 };
  const value = values === 'scaled' ? alpha * rho : Math.sign(rho) * Math.abs(old);
  const intent = options.intents?.[tier] ?? FIXED_INTENTS[tier] ?? 0;
  if (contradictions === 'zero' && value * intent < 0) return { decision: 'contradiction', value: 0 };
  if (values === 'magnitude') return { decision: 'sign', value };
  // A correlation's further digits are noise, and a person has to read the file.
  return { decision: 'scaled', value: Math.round(value * 1e4) / 1e4 };
}

/** The table with other values; names are given by the caller. */
export function withTiers(rewards: RewardTable, tiers: RewardTable['tiers'], name: string): RewardTable {
  const { note: _note, ...rest } = rewards;
  return { ...rest, name, tiers };
}

/** Builds the record of one number per tier. */
export function byTier<T>(make: (tier: Tier) => T): Record<Tier, T> {
  return Object.fromEntries(TIERS.map((tier) => [tier, make(tier)])) as Record<Tier, T>;
}
