import { z } from 'zod';
import { EPISODE_KINDS } from '../rewards/tarl.js';
import { TIERS } from '../rewards/tier.js';
import { SCORE_ADVANTAGES, SCORE_OUTCOMES } from './scorer.js';

const identitySchema = z.object({ name: z.string(), version: z.string(), hash: z.string() });

/** First line of a score file, version 1: how the scores came about. No clock, no host: the same input gives the same bytes. */
export const scoreHeaderSchema = z.object({
  type: z.literal('scores'),
  version: z.literal(1),
  scorer: z.object({
    version: z.string(),
    judge: identitySchema,
    turnScale: z.enum(['5/T', '1/T']),
    outcome: z.enum(SCORE_OUTCOMES),
    rewards: z.object({ name: z.string(), hash: z.string() }),
    advantage: z.enum(SCORE_ADVANTAGES),
    hash: z.string(),
  }),
});
export type ScoreHeader = z.infer<typeof scoreHeaderSchema>;

const turnScoreSchema = z.object({
  /** The record's turn number. */
  turn: z.number().int(),
  /** Null: the judgement is missing. */
  verdict: z.union([z.literal(-1), z.literal(0), z.literal(1)]).nullable(),
  reason: z.string().nullable(),
  tier: z.enum(TIERS),
  /** By the reward table. */
  tierReward: z.number(),
  /** What the verdict adds to S; null: missing. */
  verdictReward: z.number().nullable(),
  /** Null: not asked for, or the episode has no number to compare. */
  advantage: z.number().nullable(),
});

/** One episode of a score file. */
export const scoreLineSchema = z.object({
  type: z.literal('score'),
  episode: z.string(),
  /** Episodes of one group are compared with each other. */
  group: z.string(),
  /** The judge that broke in while the episode was played: not comparable with others. Absent: none did. */
  liveJudge: z.string().optional(),
  /** R; null: the record has none. */
  outcome: z.union([z.literal(0), z.literal(1)]).nullable(),
  /** TARL's S; null when R or the judgement is missing. */
  score: z.number().nullable(),
  kind: z.enum(EPISODE_KINDS).nullable(),
  /** Null: judged. */
  missing: z.object({ reason: z.string(), detail: z.string() }).nullable(),
  turns: z.array(turnScoreSchema),
  subScores: z.record(z.string(), z.number().nullable()),
});
export type ScoreLine = z.infer<typeof scoreLineSchema>;
export type TurnScore = z.infer<typeof turnScoreSchema>;
