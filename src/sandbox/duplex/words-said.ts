import { toSpokenForm, type WordTime } from '../../speech/index.js';
import { endsOfWritten, letterCount } from './word-ends.js';

interface Stretch {
  readonly startSample: number;
  readonly endSample: number;
}

/** When something is heard, and when its words are, if that is known. */
export interface Talk {
  readonly talks: readonly Stretch[];
  readonly words?: readonly WordTime[] | undefined;
}

/** How the words were found. */
export type WordsBy = 'times' | 'share';

/** Samples of speech before a sample. */
function spokenBefore(talks: readonly Stretch[], sample: number): number {
  return talks.reduce(
    (sum, { startSample, endSample }) => sum + Math.max(0, Math.min(endSample, sample) - startSample),
    0,
  );
}

const piecesOf = (text: string): string[] => text.split(/(?<=\S)(?=\s)/);

/**
 * Where the words are over, by their times where those are known and are of these words. Else each word gets the share of the time
 * spoken that its letters have of all letters, in spoken form: "$129.95" lasts longer than "cat".
 */
export function wordsBy(said: string, { words }: Talk): WordsBy {
  return words !== undefined && endsOfWritten(piecesOf(said.trim()), words) !== null ? 'times' : 'share';
}

/** The words that were over by this sample. A word that was begun is not counted. */
export function wordsSaid(said: string, { talks, words: times }: Talk, sample: number): string {
  const text = said.trim();
  const all = spokenBefore(talks, Number.POSITIVE_INFINITY);
  const share = all === 0 ? 0 : spokenBefore(talks, sample) / all;
  if (share >= 1) return text;
  const words = piecesOf(text);
  const ends = times === undefined ? null : endsOfWritten(words, times);
  const heard =
    ends === null ? wordsInShare(words, share) : words.findIndex((_, place) => (ends[place] ?? 0) > sample);
  return heard < 0 ? text : words.slice(0, heard).join('');
}

/** How many words are over; -1: all. */
function wordsInShare(words: readonly string[], share: number): number {
  const letters = words.map((word) => letterCount(toSpokenForm(word)));
  const limit = share * letters.reduce((sum, count) => sum + count, 0);
  let before = 0;
  return words.findIndex((_, place) => {
    before += letters[place] ?? 0;
    return before > limit + 1e-6;
  });
}
