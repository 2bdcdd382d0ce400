import { measureLevel, type Pcm, resample } from '../../audio/index.js';
import { SynthesisError } from '../errors.js';
import type { Clip } from '../synthesizer.js';

/** What every engine gives, whatever its own rate: agents and recordings need not care. */
export const CLIP_RATE_HZ = 16_000;
/** Quieter over its whole length, a clip is silent. */
export const SILENCE_RMS = 0.003;
const MAX_TEXT_CHARS = 5000;

/** Mono speech at 16 kHz. Throws `SynthesisError` when there is nothing to hear in it. */
export function audibleClip(pcm: Pcm, spoken: string, engine: string): Clip {
  if (pcm.samples.length === 0)
    throw new SynthesisError(`${engine} gave no sound for ${JSON.stringify(spoken)}`);
  if (measureLevel(pcm.samples).rms < SILENCE_RMS)
    throw new SynthesisError(`${engine} gave silence for ${JSON.stringify(spoken)}`);
  return { samples: resample(pcm.samples, pcm.sampleRateHz, CLIP_RATE_HZ), sampleRateHz: CLIP_RATE_HZ };
}

/** The text without outer space. Throws `SynthesisError` when no word is in it, or too many. */
export function sayableText(spoken: string): string {
  if (spoken.length > MAX_TEXT_CHARS)
    throw new SynthesisError(
      `a line may have ${MAX_TEXT_CHARS} characters; got ${spoken.length}; split it into turns`,
    );
  if (/[\p{L}\p{N}]/u.test(spoken)) return spoken.trim();
  throw new SynthesisError(
    `nothing to say: expected a text with a word in it; got ${JSON.stringify(spoken)}`,
  );
}
