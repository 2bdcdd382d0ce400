import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculate } from '../../../src/retail/calculator/calculate.js';

function evaluate(expression: string): number | string {
  const result = calculate(expression);
  return 'value' in result ? result.value : 'fault';
}

describe('calculate', () => {
  it.each([
    ['1.25 + 2', 3.25],
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['-(5)', -5],
    ['--5 - -3', 8],
    ['2 * -3', -6],
    ['10 / 4', 2.5],
    ['1 / 3', 0.33],
    ['-325/438.73/427', 0],
    ['5. + .5', 5.5],
    ['  7 ', 7],
  ])('%s is %d', (expression, value) => expect(evaluate(expression)).toBe(value));

  it.each([
    ['7 // 2', 3],
    ['-7 // 2', -4],
    ['7 // -2', -4],
    ['7.5 // 2', 3],
    ['1 // 0.1', 9],
    ['2 ** 10', 1024],
    ['-2 ** 2', -4],
    ['2 ** 3 ** 2', 512],
    ['2 ** -1', 0.5],
    ['2 ** 0.5', 1.41],
    ['0 ** 0', 1],
    ['(-8) ** 2', 64],
  ])('%s is %d, as in the dialect of the reference', (expression, value) =>
    expect(evaluate(expression)).toBe(value),
  );

  it('keeps whole numbers exact beyond the doubles until the end', () => {
    expect(evaluate('99999999999999999999 - 99999999999999999998')).toBe(1);
    expect(evaluate('9007199254740993 // 1 - 9007199254740992')).toBe(1);
    expect(evaluate('12345678901234567890 / 12345678901234567890')).toBe(1);
    expect(evaluate(`${'9'.repeat(400)} / ${'9'.repeat(399)}`)).toBe(10);
  });

  it('rounds the binary value, and an exact tie to the even cent', () => {
    // 2.675 is stored a little below, 1.005 too; 0.125, 0.375, 0.625 and 0.875 are exact ties.
    expect(['2.675', '1.005', '0.125', '0.375', '0.625', '0.875', '-0.125'].map(evaluate)).toEqual([
      2.67, 1, 0.12, 0.38, 0.62, 0.88, -0.12,
    ]);
  });

  it.each([
    '',
    ' ',
    '1 +',
    '+',
    '* 5',
    '5 5',
    '(1',
    '1)',
    '()',
    '1.2.3',
    '.',
    '1..',
    '5(3)',
    '(1)(2)',
    '2* *3',
    '007',
    '08',
    '1 / 0',
    '1 // 0',
    '0 ** -1',
    '(-8) ** 0.5',
    '1e5',
    '1,000',
    '$5',
    '2 ^ 3',
    '7 % 2',
    '1_000',
    'abs(1)',
    '1\n',
    '٣',
    '9 ** 9 ** 9',
    '9 ** 9 ** 9 ** 9',
    '9'.repeat(400),
    '10.0 ** 400',
  ])('%j has no value', (expression) => expect(evaluate(expression)).toBe('fault'));

  it('says why in words the model can act on', () => {
    expect(calculate('$5 + 1')).toEqual({ fault: expect.stringContaining('"$"') });
    expect(calculate('5 / (3 - 3)')).toEqual({ fault: 'it divides by zero' });
    expect(calculate('(5')).toEqual({ fault: 'a "(" is never closed' });
    expect(calculate('1'.repeat(5000))).toEqual({ fault: expect.stringContaining('5000 characters') });
  });

  it('refuses deep nesting and long text instead of running out of stack', () => {
    expect(evaluate(`${'('.repeat(150)}1${')'.repeat(150)}`)).toBe(1);
    expect(evaluate(`${'('.repeat(1500)}1${')'.repeat(1500)}`)).toBe('fault');
    expect(evaluate(`${'-'.repeat(3000)}1`)).toBe(1);
    expect(evaluate(`1${'**1'.repeat(1000)}`)).toBe('fault');
  });

  it('never throws and never gives anything but a finite number, whatever the text', () => {
    const text = fc
      .array(fc.constantFrom(...'0123456789+-*/(). '), { maxLength: 40 })
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(text, (expression) => {
        const value = evaluate(expression);
        expect(value === 'fault' || Number.isFinite(value)).toBe(true);
      }),
      { numRuns: 2000, seed: 1 },
    );
  });
});
