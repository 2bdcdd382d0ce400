import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from '../../src/speech/split-text.js';

describe('splitting a long text', () => {
  it('leaves a short text whole', () => {
    expect(splitText('  Hello. I am here. ', 100)).toEqual(['Hello. I am here.']);
  });

  it('cuts after the last sentence that fits', () => {
    expect(splitText('One two. Three four! Five six? Seven.', 22)).toEqual([
      'One two. Three four!',
      'Five six? Seven.',
    ]);
  });

  it('cuts at a comma, then between words, then inside a word', () => {
    expect(splitText('one two, three four five', 12)).toEqual(['one two,', 'three four', 'five']);
    expect(splitText('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
  });

  it('loses nothing and keeps every piece within the bound', () => {
    const word = fc.constantFrom('yes', 'order,', 'please.', 'keyboard', 'why?', 'supercalifragilistic');
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 1, max: 40 }), (words, maxChars) => {
        const pieces = splitText(words.join(' '), maxChars);
        expect(pieces.join('').replaceAll(' ', '')).toBe(words.join(''));
        expect(pieces.every((piece) => piece.length > 0 && piece.length <= maxChars)).toBe(true);
      }),
    );
  });
});
