import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasBox } from '../../src/maths/extract-answer.js';
import { extractAnswer, verifyAnswer } from '../../src/maths/index.js';

const CASES: readonly (readonly [text: string, answer: bigint | 'other' | 'none'])[] = [
  ['The answer is \\boxed{42}.', 42n],
  ['\\boxed{1,234,567}', 1234567n],
  ['\\boxed{1{,}234}', 1234n],
  ['\\boxed{12\\,345}', 12345n],
  ['\\boxed{-7}', -7n],
  ['\\boxed{\u22127}', -7n],
  ['\\boxed{007}', 7n],
  ['\\boxed{42\\text{ apples}}', 42n],
  ['\\boxed{\\text{42}}', 42n],
  ['\\boxed{$42$}', 42n],
  ['\\boxed{42\\%}', 42n],
  ['\\boxed{x = 42}', 42n],
  ['\\boxed{42.0}', 42n],
  ['\\fboxed{5}', 5n],
  ['first \\boxed{3}, no: \\boxed{4}', 4n],
  ['\\boxed{3} and then a box that is cut off \\boxed{4', 3n],
  ['\\boxed{42.5}', 'other'],
  ['\\boxed{\\frac{84}{2}}', 'other'],
  ['\\boxed{3/4}', 'other'],
  ['\\boxed{2^{10}}', 'other'],
  ['\\boxed{1, 2}', 'other'],
  ['\\boxed{}', 'other'],
  // A box that holds no number is an answer all the same: the 8 before it was not given.
  ['8 \\boxed{\\text{none}}', 'other'],
  ['So we get 12, then 17.', 17n],
  ['The total is 1,234.', 1234n],
  ['It is -5', -5n],
  ['10 - 3 = 7', 7n],
  ['about 3.5', 'other'],
  ['no idea', 'none'],
  ['', 'none'],
];

/** The last closed box by its definition: each box is followed to its own end. Quadratic, so for short texts only. */
function lastBoxByDefinition(text: string): string | null {
  let found: string | null = null;
  for (const match of text.matchAll(/\\f?boxed\s*\{/g)) {
    const start = match.index + match[0].length;
    let depth = 1;
    let at = start;
    for (; at < text.length && depth > 0; at += 1)
      if (text[at] === '\\') at += 1;
      else if (text[at] === '{') depth += 1;
      else if (text[at] === '}') depth -= 1;
    if (depth === 0) found = text.slice(start, at - 1);
  }
  return found;
}

const textOf = (parts: readonly string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 24 }).map((chosen) => chosen.join(''));

describe('the answer in a text', () => {
  it.each(CASES)('%j gives %s', (text, expected) => {
    const found = extractAnswer(text);
    expect(found.kind === 'integer' ? found.value : found.kind).toBe(expected);
  });

  it('finds any whole number in a box, however it is written', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.integer({ min: 0, max: 3 }),
        (value, form) => {
          const plain = value.toString();
          const commas = plain.replace(/\B(?=(\d{3})+$)/g, ',');
          const text = [plain, commas, commas.replaceAll(',', '{,}'), `n = ${plain}`][form] ?? plain;
          expect(verifyAnswer(`thinking … \\boxed{${text}}`, value)).toBe(1);
          expect(verifyAnswer(`thinking … \\boxed{${text}}`, value + 1n)).toBe(0);
        },
      ),
    );
  });

  it('survives rubbish', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void extractAnswer(`\\boxed{${text}`)));
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('\\boxed{', '{', '}', '\\', '1', ',', '.', '-', '/')),
        (parts) => void extractAnswer(parts.join('')),
      ),
    );
  });

  it('is in the box that the definition names, whatever nests, is escaped or is left open', () => {
    const parts = ['\\boxed{', '\\fboxed \n{', 'boxed{', '{', '}', '}', '\\', '\\}', '1', '=', '/', ' '];
    fc.assert(
      fc.property(textOf(parts), (text) => {
        const box = lastBoxByDefinition(text);
        expect(hasBox(text)).toBe(box !== null);
        if (box !== null) expect(extractAnswer(text)).toEqual(extractAnswer(`\\boxed{${box}}`));
      }),
      { numRuns: 2000 },
    );
  });

  it('closes the groups of a number exactly where there is a mark between them', () => {
    const gap = /(\d)\s*(?:\{,\}|\\[,;!:]|\\ |~|\u00A0|\u202F)\s*(?=\d{3}(?!\d))/g;
    const parts = [
      '1',
      '23',
      '456',
      '789',
      '{,}',
      '\\,',
      '\\ ',
      '~',
      '\u00A0',
      '\u202F',
      ' ',
      '\n',
      ',',
      '-',
    ];
    fc.assert(
      fc.property(textOf(parts), (text) => {
        expect(extractAnswer(text)).toEqual(extractAnswer(text.replace(gap, '$1')));
      }),
      { numRuns: 2000 },
    );
  });

  // Of the length that is looked at most. What is quadratic in it does not end while somebody waits.
  it.each([
    ['open boxes', '\\boxed{'.repeat(140_000), 'none'],
    ['open boxes around a closed one', `${'\\boxed{'.repeat(140_000)}5}`, 5n],
    ['numbers', '1 '.repeat(500_000), 1n],
    ['spaces that could part a number', `7${'\u00A0'.repeat(900_000)}x`, 7n],
    ['backslashes', `${'\\'.repeat(900_000)} 8`, 8n],
  ] as const)('is found among very many %s', (_name, text, expected) => {
    const found = extractAnswer(text);
    expect(found.kind === 'integer' ? found.value : found.kind).toBe(expected);
  });
});
