import { z } from 'zod';

const sample = z.number().int().min(0);

export const wordTimesSchema = z
  .array(z.tuple([z.string().min(1).max(200), sample, sample]))
  .max(20_000)
  .describe('When each word is heard, in order: the word, its first sample, the first sample behind it');
