import { z } from 'zod';
import { modeSchema } from '../protocol/index.js';

const faultSchema = z.object({
  kind: z.enum([
    'wrong_item',
    'wrong_payment',
    'no_confirmation',
    'forgotten_step',
    'needless_write',
    'invented_tool',
    'early_end',
    'wrong_answer',
  ]),
  /** The agent turn (1-based) of the first wrong commitment, in words or in a call. */
  turn: z.number().int().min(0),
  announced: z.boolean(),
  detail: z.string(),
});

/** A line of `labels.jsonl`: the faults that a reference agent put into one episode; an empty list means flawless. */
const episodeLabelSchema = z.object({
  type: z.literal('label'),
  episode: z.string(),
  task: z.string(),
  mode: modeSchema,
  trial: z.number().int(),
  faults: z.array(faultSchema),
  /** Faults that were about to be put in, until a live judge broke in; they are in no turn of the record. */
  mended: z.array(faultSchema).optional(),
});
export type EpisodeLabel = z.infer<typeof episodeLabelSchema>;

/** Reads the lines of a label file. A torn last line (the process died while writing) and rubbish are left out. */
export function parseLabels(text: string): EpisodeLabel[] {
  const labels: EpisodeLabel[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    try {
      const parsed = episodeLabelSchema.safeParse(JSON.parse(line));
      if (parsed.success) labels.push(parsed.data);
    } catch {
      // Not JSON: the label is missing, and its episode will be run again.
    }
  }
  return labels;
}
