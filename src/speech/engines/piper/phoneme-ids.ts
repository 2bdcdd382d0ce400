import { MARKS, type PiperConfig } from './piper-config.js';

/** Start, then every known sound with a blank after it, then end. Signs that the voice was not trained on are left out. */
export function phonemeIds(phonemes: string, { phoneme_id_map: ids }: PiperConfig): number[] {
  const of = (symbol: string): readonly number[] => ids[symbol] ?? [];
  const sounds = [...phonemes.normalize('NFD')].flatMap((symbol) => {
    const known = of(symbol);
    return known.length === 0 ? [] : [...known, ...of(MARKS.pad)];
  });
  return [...of(MARKS.start), ...of(MARKS.pad), ...sounds, ...of(MARKS.end)];
}
