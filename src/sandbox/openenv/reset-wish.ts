import { z } from 'zod';
import type { Mode } from '../../protocol/index.js';
import { deriveSeed } from '../../shared/index.js';
import { parseInput } from './faults.js';

const MODES: Readonly<Record<string, Mode>> = {
  ...{ 's&t': 'speech', speech: 'speech' },
  ...{ 't-only': 'text', text: 'text' },
};

const modeNameSchema = z
  .string()
  .transform((name) => name.toLowerCase())
  .pipe(z.enum(['s&t', 't-only', 'speech', 'text']))
  .describe('How the customer reaches the agent: "s&t" (speech) or "t-only"');

/** The parameters of `reset`. Unknown ones are dropped, as OpenEnv's own server does. */
export const resetSchema = z.object({
  task_id: z
    .union([z.string().min(1).max(200), z.number().int()])
    .transform(String)
    .optional()
    .describe('The task to play'),
  split: z.string().max(200).optional().describe('Where the task is drawn from; "train" if there is one'),
  index: z.number().int().min(0).optional().describe('Its place in the split'),
  seed: z
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe(
      "Decides the task, when neither task_id nor index is given, and the customer's words and voice",
    ),
  episode_id: z.string().max(255).optional().describe('A name of your own; `state` gives it back'),
  trial: z.number().int().min(0).max(1_000_000).optional().describe('Counts repeated rollouts of a task'),
  agent: z.string().min(1).max(200).optional().describe("The agent's name, for the record"),
  mode: modeNameSchema.optional(),
  audio: z
    .enum(['inline', 'url', 'none'])
    .optional()
    .describe("How the customer's speech travels; larger than 8 MB it is always a URL"),
  transcript: z.boolean().optional().describe("Also give the words of the customer's speech as text"),
  reward_mode: z.enum(['sparse', 'dense']).optional().describe('Dense: every step has a reward'),
});

export interface ResetWish {
  readonly taskId: string | undefined;
  readonly split: string | undefined;
  readonly index: number | undefined;
  readonly seed: number | undefined;
  readonly episodeId: string | undefined;
  readonly trial: number;
  readonly agent: string;
  readonly mode: Mode;
  readonly audio: 'inline' | 'url' | 'none';
  readonly transcript: boolean;
  readonly rewardMode: 'sparse' | 'dense';
}

/** An OpenEnv seed may be any whole number; ours has 32 bits. */
const fold = (seed: number): number => (seed <= 0xffffffff ? seed : deriveSeed('openenv-seed', seed));

/** @throws EnvFault VALIDATION_ERROR */
export function readResetWish(data: unknown): ResetWish {
  // Clients send None for what they leave out.
  const given =
    typeof data === 'object' && data !== null && !Array.isArray(data)
      ? Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
      : data;
  const wish = parseInput(resetSchema, given);
  return {
    ...{ taskId: wish.task_id, split: wish.split, index: wish.index, episodeId: wish.episode_id },
    seed: wish.seed === undefined ? undefined : fold(wish.seed),
    trial: wish.trial ?? 0,
    agent: wish.agent ?? 'openenv',
    mode: MODES[wish.mode ?? 't-only'] ?? 'text',
    ...{ audio: wish.audio ?? 'inline', transcript: wish.transcript ?? false },
    rewardMode: wish.reward_mode ?? 'sparse',
  };
}
