import { describe, expect, it } from 'vitest';
import { trigramModel } from '../../../src/agents/cascade/recogniser/language/trigrams.js';

const SENTENCES = [
  'i want the tent',
  'i want the lamp',
  'cancel the order',
  'the order with the lamp',
  'want it',
];
const vocabulary = new Set(SENTENCES.flatMap((sentence) => sentence.split(' ')));
const model = trigramModel(SENTENCES, { vocabulary, pairs: [['tent', 'lamp']] });

interface Entry {
  readonly probability: number;
  readonly backOff: number;
}

function read(text: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  let order = 0;
  for (const line of text.split('\n')) {
    order = Number(/^\\(\d)-grams:/.exec(line)?.[1] ?? order);
    const parts = line.split(' ');
    if (order === 0 || !/^-?\d/.test(line)) continue;
    entries.set(parts.slice(1, order + 1).join(' '), {
      probability: 10 ** Number(parts[0]),
      backOff: 10 ** Number(parts[order + 1] ?? 0),
    });
  }
  return entries;
}

/** As a recogniser reads the file: the longest history that is there, weighted on the way down. */
function probability(entries: Map<string, Entry>, history: readonly string[], word: string): number {
  const found = entries.get([...history, word].join(' '));
  if (found !== undefined) return found.probability;
  if (history.length === 0) return 0;
  return (entries.get(history.join(' '))?.backOff ?? 1) * probability(entries, history.slice(1), word);
}

describe('a language model learnt from sentences', () => {
  it('gives every history a whole distribution over the next word', () => {
    const entries = read(model);
    for (const history of [[], ['the'], ['i', 'want'], ['with', 'the'], ['tent'], ['lamp', 'order']]) {
      const sum = [...vocabulary, '</s>'].reduce(
        (total, word) => total + probability(entries, history, word),
        0,
      );
      expect(sum).toBeCloseTo(1, 2);
    }
  });

  it('likes what was said better than what was not, and knows the pairs', () => {
    const entries = read(model);
    expect(probability(entries, ['i', 'want'], 'the')).toBeGreaterThan(
      probability(entries, ['i', 'want'], 'cancel'),
    );
    expect(entries.has('tent lamp')).toBe(true);
  });
});
