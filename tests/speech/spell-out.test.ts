import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spellOut, toSpokenForm } from '../../src/speech/index.js';
import { readDigits } from '../helpers/number-words.js';

describe('spelling out', () => {
  it.each([
    ['W2378156', 'letters', 'W, two three seven, eight one five, six'],
    ['W2378156', 'nato', 'Whiskey, two three seven, eight one five, six'],
    ['mei_k82@example.com', 'letters', 'M E I, underscore, K, eight two, at, E X A, M P L, E, dot, C O M'],
    ['Zoë', 'nato', 'Zulu Oscar Echo'],
    ['10001', 'nato', 'one zero zero, zero one'],
    ['Main St', 'letters', 'M A I, N, S T'],
    ['...', 'letters', 'dot, dot, dot'],
    ['', 'nato', ''],
  ] as const)('says %j in %s as %j', (text, style, spoken) => {
    expect(spellOut(text, style)).toBe(spoken);
    expect(toSpokenForm(spoken)).toBe(spoken);
  });

  it('keeps every digit, in order', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,20}$/), (digits) => {
        expect(readDigits(spellOut(digits, 'nato'))).toBe(digits);
      }),
    );
  });
});
