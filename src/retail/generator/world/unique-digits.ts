import type { Random } from '../../../shared/index.js';

/** Gives digit strings of one length, never the same twice, none starting with 0. */
export function createUniqueDigits(random: Random, length: number): () => string {
  const given = new Set<string>();
  return () => {
    for (;;) {
      let digits = String(random.int(1, 9));
      while (digits.length < length) digits += String(random.int(0, 9));
      if (given.has(digits)) continue;
      given.add(digits);
      return digits;
    }
  };
}
