import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeNumbers } from '../../../src/agents/cascade/listening/numbers.js';
import { toWrittenForm } from '../../../src/agents/cascade/listening/written-form.js';
import {
  sayDigits,
  sayNumber,
  sayPairs,
} from '../../../src/agents/cascade/recogniser/language/say-number.js';

describe('numbers that were heard', () => {
  it('are written with digits, whichever way they were said', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), (value) => {
        const digits = String(value);
        if (value > 1) expect(writeNumbers(sayNumber(value))).toBe(digits);
        if (value > 9) expect(writeNumbers(sayDigits(digits))).toBe(digits);
      }),
    );
  });

  it('in pairs are house numbers', () => {
    for (const house of ['7', '42', '905', '969', '1250', '8600'])
      expect(writeNumbers(sayPairs(house))).toBe(house);
  });
});

describe('what was heard, in writing', () => {
  it.each([
    ['order w seven one four zero six nine seven please', 'order #W7140697 please'],
    [
      'my email is oscar dot martinez nine one seven two at example dot org',
      'my email is oscar.martinez9172@example.org',
    ],
    ['my email is leo underscore king dash five at example dot com', 'my email is leo_king-5@example.com'],
    ["i'm afraid i don't know my name is leo torres my zip code is six eight one zero eight", 'Leo Torres'],
    [
      'the new address is nine sixty nine orchard street suite twelve new york new york one zero zero two three',
      '969 Orchard Street, Suite 12, New York, NY 10023',
    ],
    ['one with storage one hundred twenty eight gigabytes', '128 gb'],
    ['my visa card ending in one zero three seven', 'ending in 1037'],
    ['it is kilo india mike zulu', 'kimz'],
    // As Whisper and others write.
    ["It's Oscar.Martinez9172 at example.org.", "it's oscar.martinez9172@example.org"],
    ['My email is leo.king5@example.com, thanks.', 'my email is leo.king5@example.com'],
    ['from order W. 714-0697.', 'from order #W7140697'],
    ['My zip code is 87-105.', 'my zip code is 87105'],
    ['1 with capacity 1.5 liters', 'one with capacity 1.5 liters'],
    ['thank you one more thing could you cancel my order', 'one more thing. could you cancel my order'],
  ])('%s', (heard, written) => {
    expect(toWrittenForm(heard)).toContain(written);
  });

  it('takes anything', () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void toWrittenForm(text)));
  });
});
