import { spokenWords, toSpokenForm, type WordTime } from '../../speech/index.js';

/**
 * Where each written word is over, by the times of the words as they were spoken. "$129.95" is several spoken words, "March 5"
 * is said otherwise than its parts: the written words are put together into the smallest groups whose spoken forms, one after the
 * other, are the words that have times. Within a group of several each has its letters' share.
 */

/** More are never read as one. */
const MAX_GROUP = 8;
const MAX_TRIES_PER_PIECE = 50;
/** Text and times come from agents, and the search is done while everybody waits: a quarter of a second, however long the text. */
const MAX_TRIES = 10_000;

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const formOf = (pieces: readonly string[]): string[] => spokenWords(toSpokenForm(pieces.join(''))).map(plain);

interface Group {
  /** Of written words. */
  readonly from: number;
  readonly count: number;
  /** Of timed words. */
  readonly word: number;
  readonly words: number;
}

export function letterCount(spoken: string): number {
  return (spoken.match(/[A-Za-z0-9]/g) ?? []).length;
}

function groupPieces(pieces: readonly string[], said: readonly string[]): Group[] | null {
  const groups: Group[] = [];
  let tries = Math.min(MAX_TRIES, MAX_TRIES_PER_PIECE * (pieces.length + 1));
  let [from, word, count] = [0, 0, 1];
  for (;;) {
    if (from === pieces.length && word === said.length) return groups;
    let found: Group | null = null;
    for (; found === null && tries >= 0 && count <= MAX_GROUP && from + count <= pieces.length; count += 1) {
      tries -= 1;
      const form = formOf(pieces.slice(from, from + count));
      if (form.every((each, i) => each === said[word + i])) found = { from, count, word, words: form.length };
    }
    if (found !== null) {
      groups.push(found);
      [from, word, count] = [from + found.count, word + found.words, 1];
      continue;
    }
    const last = groups.pop();
    if (last === undefined || tries < 0) return null;
    [from, word, count] = [last.from, last.word, last.count + 1];
  }
}

/** @returns a sample for each piece; null: the times are of other words */
export function endsOfWritten(
  pieces: readonly string[],
  words: readonly WordTime[],
): readonly number[] | null {
  const said = words.map(([word]) => plain(word)).filter((word) => word !== '');
  if (said.length !== words.length || said.length === 0) return null;
  const asWritten = pieces.map(plain).filter((word) => word !== '');
  const isWritten = asWritten.length === said.length && asWritten.every((word, i) => word === said[i]);
  if (isWritten) {
    let word = -1;
    return pieces.map((piece) => words[plain(piece) === '' ? word : ++word]?.[2] ?? 0);
  }
  const groups = groupPieces(pieces, said);
  return groups?.flatMap((group) => endsInGroup(group, pieces, words)) ?? null;
}

function endsInGroup(
  { from, count, word, words: length }: Group,
  pieces: readonly string[],
  words: readonly WordTime[],
): number[] {
  const end = words[word + length - 1]?.[2] ?? 0;
  const start = length === 0 ? end : (words[word]?.[1] ?? end);
  const letters = pieces.slice(from, from + count).map((piece) => letterCount(toSpokenForm(piece)));
  const all = letters.reduce((sum, each) => sum + each, 0);
  let before = 0;
  return letters.map((each, i) => {
    before += each;
    return i === count - 1 || all === 0 ? end : Math.round(start + ((end - start) * before) / all);
  });
}
