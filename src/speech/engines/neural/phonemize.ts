import type { EspeakProgram } from '../espeak/espeak-program.js';
import { espeakVoiceArgs } from '../espeak/espeak-program.js';

interface PhonemizeOptions {
  /** Such as "en-us". */
  readonly espeakVoice: string;
  /** Put between the letters of one sound, as in "t^ʃ", so that it is told from two; null for none. */
  readonly tie: '^' | null;
}

/** The text as sounds: each clause in IPA with the sign that ends it, which the voice has learned to hear. */
export async function phonemize(
  espeak: EspeakProgram,
  text: string,
  { espeakVoice, tie }: PhonemizeOptions,
): Promise<string> {
  const args = [...espeakVoiceArgs(espeakVoice), '-q', '--ipa', ...(tie === null ? [] : [`--tie=${tie}`])];
  const parts: string[] = [];
  // The program drops the signs between clauses, so each clause is asked for by itself.
  for (const [clause, words, sign] of text.matchAll(/([^.,;:?!]+)([.,;:?!]*)/g)) {
    if (!/[\p{L}\p{N}]/u.test(clause)) continue;
    const printed = await espeak.run(args, (words ?? '').trim());
    const sounds = Buffer.from(printed)
      .toString('utf8')
      // "(en)" and the like mark words of another language.
      .replace(/\([a-z-]+\)/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    parts.push(`${sounds}${(sign ?? '').slice(0, 1)}`);
  }
  return parts.join(' ');
}
