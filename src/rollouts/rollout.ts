import { z } from 'zod';
import { endOwnerSchema, endReasonSchema } from '../protocol/index.js';

/**
 * `done`: played to an end that counts, whatever the reward. `invalid`: not the agent's doing; leave it out of training.
 * `cancelled`: the trainer called it off.
 */
export const ROLLOUT_STATES = ['queued', 'running', 'done', 'invalid', 'cancelled'] as const;
export type RolloutState = (typeof ROLLOUT_STATES)[number];

export const isOver = (state: RolloutState): boolean => state !== 'queued' && state !== 'running';

const turnRewardSchema = z.object({
  /** Counts the agent's actions from 1, as the record does. */
  turn: z.number().int(),
  /** Its tier by the reward table. */
  reward: z.number(),
  /** The judge's mark, 1, 0 or -1; null: not judged. */
  verdict: z.number().nullable(),
  /** What the mark adds to the TARL score. */
  verdict_reward: z.number().nullable(),
});

const generationSchema = z.object({
  turn: z.number().int(),
  finish: z.string(),
  usage: z.object({ prompt: z.number().int(), completion: z.number().int() }).nullable(),
  /** The prompt: so many ids of the generation before (its prompt, then its completion), then `prompt_rest`. */
  prompt_shared: z.number().int().nullable(),
  prompt_rest: z.array(z.number().int()).nullable(),
  token_ids: z.array(z.number().int()).nullable(),
  logprobs: z.array(z.number()).nullable(),
  faults: z.array(z.string()),
  discarded: z.boolean(),
});

/** How a rollout ended, in the words of the answers: what a trainer may learn, and nothing of the task's truth. */
export const rolloutResultSchema = z.object({
  /** False: leave it out; it has no reward. */
  valid: z.boolean(),
  end: z.object({ reason: endReasonSchema, owner: endOwnerSchema, detail: z.string().nullable() }).nullable(),
  /** A limit cut it short: turns, errors, context or time. */
  truncated: z.boolean(),
  /** Null unless valid and verified. */
  reward: z.number().nullable(),
  success: z.boolean().nullable(),
  turn_rewards: z.array(turnRewardSchema),
  tarl_score: z.number().nullable(),
  /** Names of what gave the turn rewards. */
  reward_source: z.object({ rewards: z.string(), judge: z.string(), hash: z.string() }).nullable(),
  /** Actions of the agent. */
  turns: z.number().int(),
  /** The record's id; its file is `episodes/<id>.jsonl` of the server's `--out` folder. */
  record: z.string().nullable(),
  seconds: z.number(),
  generations: z.array(generationSchema),
});
export type RolloutResult = z.infer<typeof rolloutResultSchema>;

/** A rollout that gave nothing: why, for the trainer and the journal. */
export function failedResult(reason: 'platform_failed' | 'shutdown', detail: string): RolloutResult {
  return {
    ...{ valid: false, end: { reason, owner: 'platform', detail }, truncated: false },
    ...{ reward: null, success: null, turn_rewards: [], tarl_score: null, reward_source: null },
    ...{ turns: 0, record: null, seconds: 0, generations: [] },
  };
}

/**
 * Where the reward's way to the trainer stands. `none`: nothing to deliver. `waiting`: it needs `reward_headers` that were
 * lost with the process; posting the rollout again gives them back. `failed`: given up; the reward is still to be fetched.
 */
export const CALLBACK_STATES = ['none', 'pending', 'waiting', 'delivered', 'failed'] as const;
export type CallbackState = (typeof CALLBACK_STATES)[number];

export interface CallbackView {
  readonly state: CallbackState;
  readonly attempts: number;
  readonly error: string | null;
}

/** What is answered about a rollout. */
export interface RolloutView {
  readonly rollout_id: string;
  readonly group_id: string | null;
  readonly state: RolloutState;
  readonly task: string;
  readonly mode: 's&t' | 't-only';
  readonly seed: number;
  readonly trial: number;
  /** Null until it is over. */
  readonly result: Omit<RolloutResult, 'generations'> | null;
  readonly callback: CallbackView;
}
