import { z } from 'zod';

export const turn = z
  .number()
  .int()
  .min(0)
  .describe("0 is the opening; k is the agent's k-th action and its feedback");

export const WORDS =
  'When each word is heard: the word, its first sample of `audio`, the first behind it; absent: not known';

export const audioRefSchema = z.object({
  sha256: z.string().length(64).describe('The clip is `audio/<sha256>.wav` in the run folder'),
  sampleRateHz: z.number().int(),
  samples: z.number().int(),
  durationMs: z.number(),
});
