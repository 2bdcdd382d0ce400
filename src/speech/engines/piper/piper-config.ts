import { z } from 'zod';
import { describeError } from '../../../shared/index.js';
import { VoiceNeedsError } from '../../errors.js';

/** The part of a Piper voice's `.onnx.json` that is used; https://github.com/rhasspy/piper. */
const configSchema = z.object({
  audio: z.object({ sample_rate: z.int().min(8000).max(48_000) }),
  espeak: z.object({ voice: z.string().min(1).max(40) }),
  phoneme_type: z.literal('espeak').default('espeak'),
  num_speakers: z.int().min(1).default(1),
  inference: z.object({ length_scale: z.number().min(0.1).max(10).default(1) }).default({ length_scale: 1 }),
  phoneme_id_map: z.record(z.string(), z.array(z.int().min(0)).min(1)),
});
export type PiperConfig = z.infer<typeof configSchema>;

/** Start, end and the blank between sounds, as Piper's training wrote them. */
export const MARKS = { pad: '_', start: '^', end: '$' } as const;

/** Throws `VoiceNeedsError` that names the file and what does not fit. */
export function parsePiperConfig(path: string, text: string): PiperConfig {
  try {
    const config = configSchema.parse(JSON.parse(text));
    for (const mark of Object.values(MARKS))
      if (config.phoneme_id_map[mark] === undefined) throw new RangeError(`no id for '${mark}'`);
    return config;
  } catch (error) {
    throw new VoiceNeedsError(
      `expected ${path} to be the settings of a Piper voice with espeak phonemes: ${describeError(error)}`,
      error,
    );
  }
}
