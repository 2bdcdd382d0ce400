import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSpokenForm } from '../../src/speech/index.js';
import { isNumberWord, readCardinal, readDigits } from '../helpers/number-words.js';
import { SPOKEN_PAIRS } from './spoken-form-pairs.js';

const SPEAKABLE = /^[A-Za-z .,;:?!']*$/;
const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength }).map((list) => list.join(''));
const isoDay = fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });

describe('spoken form', () => {
  const pairs = Object.entries(SPOKEN_PAIRS);

  it('has at least 300 pairs to keep to', () => {
    expect(pairs.flatMap(([, list]) => list).length).toBeGreaterThanOrEqual(300);
  });

  describe.each(pairs)('of %s', (_, list) => {
    it.each(list)('%j is %j', (written, spoken) => {
      expect(toSpokenForm(written)).toBe(spoken);
      expect(toSpokenForm(spoken), 'applied twice').toBe(spoken);
    });
  });

  it('leaves plain sentences as they are', () => {
    for (const text of [
      "Hello, I'd like to return a keyboard, please.",
      'Yes! Why not? It is blue; it was red: well, mostly.',
      'May I ask when it will come? No. It may be late.',
      'I am a customer, and a good one.',
    ]) {
      expect(toSpokenForm(text)).toBe(text);
    }
  });

  it('keeps every digit of an id, in order', () => {
    fc.assert(
      fc.property(digits(5, 18), (id) => {
        expect(readDigits(toSpokenForm(`#W${id}`))).toBe(id);
        expect(readDigits(toSpokenForm(`gift_card_${id}`))).toBe(id);
        expect(readDigits(toSpokenForm(`It is ${id}.`))).toBe(id);
        expect(readDigits(toSpokenForm(`a.b${id}@mail.example.com`))).toBe(id);
        expect(readDigits(toSpokenForm(`ann_lee_${id}`))).toBe(id);
      }),
    );
  });

  it('keeps the value of every amount of money', () => {
    fc.assert(
      fc.property(fc.nat(99_999_999), fc.nat(99), (dollars, cents) => {
        const written = `$${dollars.toLocaleString('en-US')}.${String(cents).padStart(2, '0')}`;
        const match = /^(?:(.*) dollars?)?(?: and )?(?:(.*) cents?)?$/.exec(toSpokenForm(written));
        expect(readCardinal(match?.[1] ?? 'zero')).toBe(dollars);
        expect(readCardinal(match?.[2] ?? 'zero')).toBe(cents);
      }),
    );
  });

  it('keeps the value of every number', () => {
    fc.assert(
      fc.property(fc.nat(9999), (value) => {
        expect(readCardinal(toSpokenForm(`${value}`))).toBe(value);
        expect(readCardinal(toSpokenForm(`${value} items`).replace(' items', ''))).toBe(value);
        expect(readCardinal(toSpokenForm(`${value}ml`).replace(/ milliliters?/, ''))).toBe(value);
      }),
    );
  });

  it('says a date the same way however it is written', () => {
    fc.assert(
      fc.property(isoDay, (date) => {
        const [year, month, day] = date.toISOString().slice(0, 10).split('-') as [string, string, string];
        const spoken = toSpokenForm(`${year}-${month}-${day}`);
        const monthName = date.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
        expect(spoken.startsWith(`${monthName} `)).toBe(true);
        expect(toSpokenForm(`${month}/${day}/${year}`)).toBe(spoken);
        expect(toSpokenForm(`${monthName} ${Number(day)}, ${year}`)).toBe(spoken);
        expect(toSpokenForm(`${Number(day)} ${monthName} ${year}`)).toBe(spoken);
      }),
    );
  });

  it('leaves nothing that an engine stumbles over, whatever comes in, and drops no number silently', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'0123456789 .,-/:$%#"\'()xWAaPpMmGBkg_@&+'), maxLength: 24 }),
      fc.constantFrom(...pairs.flatMap(([, list]) => list.map(([written]) => written))),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const written = pieces.join(' ');
        const spoken = toSpokenForm(written);
        expect(spoken).toMatch(SPEAKABLE);
        if (/[1-9]/.test(written)) {
          expect(
            spoken
              .toLowerCase()
              .split(/[^a-z]+/)
              .some(isNumberWord),
          ).toBe(true);
        }
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  it('takes time in proportion to the text', () => {
    // A pattern that backtracks badly would not end within the test's time limit.
    for (const unit of [
      '1',
      '1,',
      'a_',
      '1.',
      '-',
      '$',
      ' ',
      '(',
      'a@',
      'A ',
      '12 Elm ',
      'W1 ',
      '<a',
      "'",
      '1x',
      '1 x ',
    ]) {
      expect(toSpokenForm(unit.repeat(20_000 / unit.length))).toMatch(SPEAKABLE);
    }
  });
});
