import { foldToAscii } from '../../spoken-form/fold-to-ascii.js';
import { areInOrder, spokenWords, type WordTime } from '../../word-times.js';
import { respellForFlite } from './respell.js';

/** In no text: what is spoken is printable. */
const JOINT = '\u0001';

/**
 * The times of the words of a spoken form, from those of flite's tokens: a token is a word, but for words that were respelled as
 * several. Undefined when the two do not fit: a word of hundreds of letters was cut, or the form holds other signs than words.
 */
export function wordsOfTokens(
  spoken: string,
  tokens: readonly WordTime[],
  samples: number,
): readonly WordTime[] | undefined {
  const respelled = respellForFlite(foldToAscii(spoken), JOINT);
  const tokensOf = respelled
    .split(/\s+/)
    .filter((piece) => /[A-Za-z0-9]/.test(piece))
    .map((piece) => piece.split(JOINT).length);
  const words = spokenWords(spoken);
  if (words.length !== tokensOf.length) return undefined;
  const timed: WordTime[] = [];
  let at = 0;
  for (const [place, count] of tokensOf.entries()) {
    const [first, last] = [tokens[at], tokens[at + count - 1]];
    if (first === undefined || last === undefined) return undefined;
    timed.push([words[place] ?? '', first[1], Math.min(samples, last[2])]);
    at += count;
  }
  return at === tokens.length && areInOrder(timed, samples) ? timed : undefined;
}
