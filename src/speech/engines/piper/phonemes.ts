import type { EspeakProgram } from '../espeak/espeak-program.js';
import { espeakVoiceArgs } from '../espeak/espeak-program.js';
import { MARKS, type PiperConfig } from './piper-config.js';

/** The text as sounds: each clause in IPA with the sign that ends it, which the voice has learned to hear. */
export async function phonemize(espeak: EspeakProgram, text: string, espeakVoice: string): Promise<string> {
  const parts: string[] = [];
  // The program drops the signs between clauses, so each clause is asked for by itself.
  for (const [clause, words, sign] of text.matchAll(/([^.,;:?!]+)([.,;:?!]*)/g)) {
    if (!/[\p{L}\p{N}]/u.test(clause)) continue;
    const printed = await espeak.run([...espeakVoiceArgs(espeakVoice), '-q', '--ipa'], (words ?? '').trim());
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

/** Start, then every known sound with a blank after it, then end. Signs that the voice was not trained on are left out. */
export function phonemeIds(phonemes: string, { phoneme_id_map: ids }: PiperConfig): number[] {
  const of = (symbol: string): readonly number[] => ids[symbol] ?? [];
  const sounds = [...phonemes.normalize('NFD')].flatMap((symbol) => {
    const known = of(symbol);
    return known.length === 0 ? [] : [...known, ...of(MARKS.pad)];
  });
  return [...of(MARKS.start), ...of(MARKS.pad), ...sounds, ...of(MARKS.end)];
}
