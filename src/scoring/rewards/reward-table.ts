import { z } from 'zod';
import { canonicalJson, describeError, sha256Hex } from '../../shared/index.js';
import { RewardFileError } from '../errors.js';
import type { TierTurn } from './tier.js';

const value = z.number().min(-100).max(100);

/**
 * A reward per tier, as a file: what `parlor calibrate --out` writes and `--rewards FILE` takes. Version 1.
 * `soft` is the worth of a near miss that gets all arguments right; see `turnReward`.
 */
const rewardTableSchema = z.strictObject({
  type: z.literal('rewards'),
  version: z.literal(1),
  name: z.string().min(1).max(200),
  tiers: z.strictObject({
    gold: value,
    soft: value,
    read: value,
    state: value,
    error: value,
    duplicate: value,
    message: value,
  }),
  /** Share of `soft` that the right tool with hardly an argument right is worth. Default 0.5. */
  softFloor: z.number().min(0).max(1).default(0.5),
  /** Most of `soft` that a near miss can be worth, so that it stays below an exact call. Default 0.99. */
  softCeiling: z.number().min(0).max(1).default(0.99),
  /** How the table came about, for people. */
  note: z.string().max(2000).optional(),
});
export type RewardTable = z.infer<typeof rewardTableSchema>;

function table(name: string, tiers: RewardTable['tiers']): RewardTable {
  return { type: 'rewards', version: 1, name, tiers, softFloor: 0.5, softCeiling: 0.99 };
}

/** Tables by name (arXiv 2604.02869, sections 4.1 and 4.2). `v5` is the paper's harmful first try, `v6` the calibrated one. */
export const REWARD_TABLES: Readonly<Record<'v5' | 'v6', RewardTable>> = {
  v5: table('v5', { gold: 1, soft: 1, read: 0.3, state: 0.1, error: -0.1, duplicate: -0.2, message: 0 }),
  v6: table('v6', { gold: 1, soft: 1, read: 0, state: -0.1, error: -0.1, duplicate: -0.2, message: 0 }),
};

/**
 * r of one turn: its tier's value; a near miss gets soft * min(softCeiling, softFloor + (1 - softFloor) * share),
 * with the default table 0.5 + 0.5 * |arguments in common| / |ground-truth arguments|, at most 0.99.
 */
export function turnReward(rewards: RewardTable, turn: Pick<TierTurn, 'tier' | 'share'>): number {
  const full = rewards.tiers[turn.tier];
  if (turn.tier !== 'soft') return full;
  return full * Math.min(rewards.softCeiling, rewards.softFloor + (1 - rewards.softFloor) * turn.share);
}

/** What makes two tables the same: name and note do not. */
export function rewardTableHash({ tiers, softFloor, softCeiling }: RewardTable): string {
  return sha256Hex(canonicalJson({ tiers, softFloor, softCeiling }));
}

/** @param source the file's name, for the message. @throws RewardFileError */
export function parseRewardTable(text: string, source: string): RewardTable {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new RewardFileError(
      `${source} is no reward file: expected JSON; ${describeError(cause)}. "parlor calibrate --out" writes one`,
      { cause },
    );
  }
  const parsed = rewardTableSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RewardFileError(
    `${source} is no reward file this version can read: at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`,
    { cause: parsed.error },
  );
}
