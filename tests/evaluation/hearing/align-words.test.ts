import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignWords } from '../../../src/evaluation/hearing/align-words.js';

describe('what was heard beside what was said', () => {
  it('marks a replaced, a missing and an added word, and leaves case and punctuation aside', () => {
    // "cancel" heard as "council", "please" missed, "oh" added: three errors over five words.
    expect(alignWords('Hello, cancel order W1, please.', 'oh hello council order w1')).toEqual({
      errors: 3,
      words: 5,
      stretches: [
        { said: '', heard: 'oh', same: false },
        { said: 'Hello,', heard: 'hello', same: true },
        { said: 'cancel', heard: 'council', same: false },
        { said: 'order W1,', heard: 'order w1', same: true },
        { said: 'please.', heard: '', same: false },
      ],
    });
  });

  it('keeps every word of both sides in order, whatever they are', () => {
    const words = fc.array(fc.constantFrom('yes', 'no', 'tent', 'four', 'Oh!'), { maxLength: 12 });
    fc.assert(
      fc.property(words, words, (said, heard) => {
        const { stretches, errors } = alignWords(said.join(' '), heard.join(' '));
        const side = (name: 'said' | 'heard'): string =>
          stretches
            .map((stretch) => stretch[name])
            .filter((text) => text !== '')
            .join(' ');
        expect(side('said')).toBe(said.join(' '));
        expect(side('heard')).toBe(heard.join(' '));
        expect(errors).toBeLessThanOrEqual(Math.max(said.length, heard.length));
        expect(errors).toBeGreaterThanOrEqual(Math.abs(said.length - heard.length));
        expect(errors === 0).toBe(stretches.every(({ same }) => same));
      }),
    );
  });
});
