import { expect, it } from 'vitest';
import { wordErrorRate } from './word-errors.js';

it('counts words that were put in, left out or taken for others, whatever their case and signs', () => {
  expect(wordErrorRate(['Yes, please.'], ['yes please'])).toBe(0);
  // "a" for "the", "big" put in, "today" left out: three of four words.
  expect(wordErrorRate(['the lamp came today'], ['a big lamp came'])).toBe(0.75);
  expect(wordErrorRate(['one or two', 'three'], ['1 or 2'])).toBe(0.25);
  expect(wordErrorRate(['no'], ['oh no no'])).toBe(2);
});
