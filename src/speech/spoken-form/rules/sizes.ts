import { group, type SpokenRule } from '../spoken-rule.js';

const LETTERS: Readonly<Record<string, string>> = { S: 'small', M: 'medium', L: 'large' };

/** "XXL" → "double extra large", "2XL" alike. */
function sayExtra(count: number, letter: string): string {
  const times =
    ['', 'extra ', 'double extra ', 'triple extra ', 'quadruple extra '][count] ?? 'extra '.repeat(count);
  return `${times}${LETTERS[letter]}`;
}

export const SIZES: readonly SpokenRule[] = [
  {
    name: 'extra size',
    pattern: /(X{1,4})([SL])\b(?!-)/y,
    say: (match) => sayExtra(group(match, 1).length, group(match, 2)),
  },
  {
    name: 'counted extra size',
    pattern: /([2-4])X([SL])\b/y,
    say: (match) => sayExtra(Number(match[1]), group(match, 2)),
  },
  {
    // A single letter is a size only beside the word: "size M", "size: L", "size is S".
    name: 'size letter behind the word',
    pattern: /(sizes?)(:? | is | to | in |: ?)(["']?)([SML])\3(?![A-Za-z0-9'])/iy,
    say: (match) => {
      const word = LETTERS[group(match, 4)];
      return word === undefined ? null : `${group(match, 1)}${group(match, 2)}${word}`;
    },
  },
  {
    name: 'size letter before the word',
    pattern: /([SML])(?= size\b)/y,
    say: (match) => LETTERS[group(match, 1)] ?? null,
  },
];
