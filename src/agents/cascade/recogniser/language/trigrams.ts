/** Taken off every count and given to what was not seen: absolute discounting. */
const DISCOUNT = 0.6;
const START = '<s>';
const END = '</s>';

type Counts = Map<string, Map<string, number>>;

function count(counts: Counts, history: string, word: string): void {
  const row = counts.get(history) ?? new Map<string, number>();
  row.set(word, (row.get(word) ?? 0) + 1);
  counts.set(history, row);
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const total = (row: ReadonlyMap<string, number>): number => [...row.values()].reduce((sum, n) => sum + n, 0);
const log = (share: number): string => Math.log10(Math.max(share, 1e-9)).toFixed(4);

export interface TrigramOptions {
  readonly vocabulary: ReadonlySet<string>;
  /** Words that may well follow each other, though no sentence says so: first names and last names. */
  readonly pairs: readonly (readonly [string, string])[];
}

/**
 * A trigram model with back-off in ARPA format, learnt from sentences of space-separated words; words outside the
 * vocabulary break a sentence in two. Same input, same bytes.
 */
export function trigramModel(sentences: readonly string[], { vocabulary, pairs }: TrigramOptions): string {
  const ones: Counts = new Map();
  const twos: Counts = new Map();
  const threes: Counts = new Map();
  for (const sentence of sentences) {
    const line = [START, ...sentence.split(' ').filter((word) => vocabulary.has(word)), END];
    line.forEach((word, place) => {
      if (place === 0) return;
      const before = line[place - 1] ?? '';
      count(ones, '', word);
      count(twos, before, word);
      if (place > 1) count(threes, `${line[place - 2] ?? ''} ${before}`, word);
    });
  }
  for (const [first, second] of pairs)
    if (vocabulary.has(first) && vocabulary.has(second)) count(twos, first, second);
  const unigrams = ones.get('') ?? new Map<string, number>();
  const all = total(unigrams);
  const one = (word: string): number => (unigrams.get(word) ?? 0) / all;
  const seen = (counts: Counts, history: string, word: string): number => {
    const row = counts.get(history);
    return row === undefined ? 0 : Math.max(0, (row.get(word) ?? 0) - DISCOUNT) / total(row);
  };
  /** What the discount left, shared among the words not seen after this history. */
  const backOff = (counts: Counts, history: string, lower: (word: string) => number): number => {
    const row = counts.get(history);
    if (row === undefined) return 1;
    const left = (DISCOUNT * row.size) / total(row);
    const taken = [...row.keys()].reduce((sum, word) => sum + lower(word), 0);
    return left / Math.max(1 - taken, 1e-6);
  };
  const two = (before: string, word: string): number => {
    const found = seen(twos, before, word);
    return found > 0 ? found : backOff(twos, before, one) * one(word);
  };
  const sorted = (counts: Counts): string[] => [...counts.keys()].toSorted(byCodeUnits);
  const oneLines = [START, ...[...unigrams.keys()].toSorted(byCodeUnits)].map(
    (word) =>
      `${word === START ? '-99' : log(one(word))} ${word}${word === END ? '' : ` ${log(backOff(twos, word, one))}`}`,
  );
  const twoLines = sorted(twos).flatMap((before) =>
    [...(twos.get(before)?.keys() ?? [])].toSorted(byCodeUnits).map((word) => {
      const history = `${before} ${word}`;
      const weight = threes.has(history)
        ? ` ${log(backOff(threes, history, (next) => two(word, next)))}`
        : '';
      return `${log(seen(twos, before, word))} ${history}${weight}`;
    }),
  );
  const threeLines = sorted(threes).flatMap((history) =>
    [...(threes.get(history)?.keys() ?? [])]
      .toSorted(byCodeUnits)
      .map((word) => `${log(seen(threes, history, word))} ${history} ${word}`),
  );
  return [
    '\\data\\',
    `ngram 1=${oneLines.length}`,
    `ngram 2=${twoLines.length}`,
    `ngram 3=${threeLines.length}`,
    ...['', '\\1-grams:', ...oneLines],
    ...['', '\\2-grams:', ...twoLines],
    ...['', '\\3-grams:', ...threeLines],
    ...['', '\\end\\', ''],
  ].join('\n');
}
