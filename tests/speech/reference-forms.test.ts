import { beforeAll, describe, expect, it } from 'vitest';
import { toSpokenForm } from '../../src/speech/index.js';
import { readCardinal, readDigits } from '../helpers/number-words.js';
import { hasReferenceData, readReferenceJson } from '../helpers/reference-data.js';

const SPEAKABLE = /^[A-Za-z .,;:?!']*$/;

/** Every string and number of a JSON value, and every key. */
function* leaves(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (!Array.isArray(value)) yield key;
      yield* leaves(item);
    }
  }
}

// The data lies beside the project; without it these tests are skipped.
describe.skipIf(!hasReferenceData)('spoken forms of the reference data', () => {
  let texts: string[];
  let prose: string[];
  const matching = (pattern: RegExp): string[] => texts.filter((text) => pattern.test(text));
  beforeAll(() => {
    texts = [
      ...new Set([
        ...leaves(readReferenceJson('data', 'tau2-retail', 'db.json')),
        ...leaves(readReferenceJson('data', 'tau1-retail', 'users.json')),
      ]),
    ];
    prose = ['tau2-retail', 'tau1-retail'].flatMap((source) => [
      ...leaves(
        readReferenceJson('data', source, source === 'tau2-retail' ? 'tasks.json' : 'tasks_test.json'),
      ),
    ]);
  });

  it.each([
    ['order ids', /^#W\d+$/, 1000],
    ['item, product and tracking ids', /^\d{10,}$/, 500],
    ['emails', /^\S+@\S+$/, 500],
    ['zip codes', /^\d{5}$/, 100],
    ['user ids', /^[a-z]+_[a-z]+_\d+$/, 500],
    ['payment method ids', /^(gift_card|credit_card|paypal)_\d+$/, 500],
  ])('keep every digit: %s', (_, pattern, atLeast) => {
    const ids = matching(pattern);
    expect(ids.length).toBeGreaterThanOrEqual(atLeast);
    const wrong = ids.filter((id) => readDigits(toSpokenForm(id)) !== id.replace(/\D/g, ''));
    expect(wrong).toEqual([]);
  });

  it('keep the value of every price', () => {
    const prices = matching(/^\d+\.\d{1,2}$/);
    expect(prices.length).toBeGreaterThan(1000);
    const wrong = prices.filter((price) => {
      const match = /^(?:(.*?) dollars?)?(?: and )?(?:(.*) cents?)?$/.exec(toSpokenForm(`$${price}`));
      const cents = readCardinal(match?.[1] ?? 'zero') * 100 + readCardinal(match?.[2] ?? 'zero');
      return cents !== Math.round(Number(price) * 100);
    });
    expect(wrong).toEqual([]);
  });

  it('hold nothing that an engine stumbles over and are their own spoken form', () => {
    const faulty = texts.filter((text) => {
      const spoken = toSpokenForm(text);
      return spoken === '' || !SPEAKABLE.test(spoken) || toSpokenForm(spoken) !== spoken;
    });
    expect(faulty).toEqual([]);
  });

  it('read what the tasks say with every id whole', () => {
    const faulty = prose.filter((text) => {
      const spoken = toSpokenForm(text);
      const digits = readDigits(spoken);
      return !SPEAKABLE.test(spoken) || (text.match(/\d{5,}/g) ?? []).some((id) => !digits.includes(id));
    });
    expect(faulty).toEqual([]);
  });
});
