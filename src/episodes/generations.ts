import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * What a model behind an agent said, reply by reply: `generations/<episode>.jsonl` beside the record, for training. It stands
 * apart because it is the agent's own and large, and because a record must not depend on what a server happens to tell.
 */
export const generationSchema = z.object({
  type: z.literal('generation'),
  turn: z
    .number()
    .int()
    .min(1)
    .describe('First action that came of it, as the record counts; of a discarded reply the next one'),
  finish: z.enum(['stop', 'length', 'tools', 'filter', 'other']),
  usage: z.object({ prompt: z.number().int(), completion: z.number().int() }).nullable(),
  promptShared: z
    .number()
    .int()
    .min(0)
    .nullable()
    .describe('The prompt begins with so many ids of the line before, its prompt and then its completion'),
  promptRest: z.array(z.number().int()).nullable().describe('… and goes on with these'),
  ids: z.array(z.number().int()).nullable().describe('Sampled ids, as the server gave them'),
  logprobs: z.array(z.number()).nullable().describe('One for each of `ids`'),
  clips: z
    .array(z.object({ sha256: z.string(), durationMs: z.number(), tokens: z.number().int().nullable() }))
    .describe(
      'In the prompt, in order; of a realtime model those since the line before. `tokens`: null, not known',
    ),
  faults: z.array(z.string()).describe('What does not fit together; leave such a line out of training'),
  discarded: z.boolean().describe('Nothing of it could be used; the model was asked again'),
});
export type GenerationLine = z.infer<typeof generationSchema>;

export function generationsPath(dir: string, episode: string): string {
  return join(dir, 'generations', `${episode}.jsonl`);
}

export interface RestoredGeneration extends Omit<GenerationLine, 'promptShared' | 'promptRest'> {
  /** The whole prompt, audio placeholders expanded. */
  readonly prompt: readonly number[] | null;
}

/** Reads an episode's generations with whole prompts; null when there are none. Throws on a broken file. */
export async function readGenerations(dir: string, episode: string): Promise<RestoredGeneration[] | null> {
  let text: string;
  try {
    text = await readFile(generationsPath(dir, episode), 'utf8');
  } catch {
    return null;
  }
  let before: readonly number[] = [];
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { promptShared, promptRest, ...rest } = generationSchema.parse(JSON.parse(line));
      const prompt =
        promptShared === null || promptRest === null
          ? null
          : [...before.slice(0, promptShared), ...promptRest];
      if (prompt !== null) before = [...prompt, ...(rest.ids ?? [])];
      return { ...rest, prompt };
    });
}

export function formatGenerations(lines: readonly Omit<GenerationLine, 'type'>[]): string {
  return lines.map((line) => `${JSON.stringify({ type: 'generation', ...line })}\n`).join('');
}
