import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArgumentEquality, argumentsEqual } from '../../../src/scoring/rewards/deep-equal.js';

describe('argument equality', () => {
  it.each<[string, unknown, unknown, ArgumentEquality | undefined, boolean]>([
    ['ignores the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, undefined, true],
    ['reads numeric strings as numbers', { n: '12', m: '5.0' }, { n: 12, m: 5 }, undefined, true],
    ['keeps ids that a number would change', '0012', 12, undefined, false],
    ['keeps ids beyond the exact integers', '9007199254740993', '9007199254740992', undefined, false],
    ['compares lists of objects without order', [{ a: 1 }, { b: 2 }], [{ b: 2 }, { a: 1 }], undefined, true],
    ['counts repeated objects', [{ a: 1 }, { a: 1 }], [{ a: 1 }], undefined, false],
    ['keeps the order of plain lists', ['1', '2'], ['2', '1'], undefined, false],
    ['unless told not to', ['1', '2'], ['2', '1'], { unorderedLists: 'all' }, true],
    ['or to keep every order', [{ a: 1 }, { b: 2 }], [{ b: 2 }, { a: 1 }], { unorderedLists: 'none' }, false],
    ['drops empty values', { a: 1, b: null, c: '', d: [], e: {} }, { a: 1 }, undefined, true],
    ['unless told not to', { a: 1, b: null }, { a: 1 }, { dropEmpty: false }, false],
    ['drops what becomes empty', { a: { b: { c: '' } } }, {}, undefined, true],
    ['keeps 0 and false', { a: 0, b: false }, {}, undefined, false],
    ['tells cases apart', 'Gift_Card_1', 'gift_card_1', undefined, false],
    ['unless told not to', 'Gift_Card_1', 'gift_card_1', { ignoreCase: true }, true],
    ['tolerates rounding', 0.1 + 0.2, 0.3, undefined, true],
    ['tells a cent apart', 1234.56, 1234.57, undefined, false],
    ['tells a number from a truth value', 1, true, undefined, false],
    ['tells a list from an object', [], { 0: 1 }, undefined, false],
    ['does not reach into prototypes', { constructor: 1 }, { toString: 1 }, undefined, false],
  ])('%s', (_name, a, b, options, equal) => {
    expect(argumentsEqual(a, b, options)).toBe(equal);
    expect(argumentsEqual(b, a, options)).toBe(equal);
  });

  it('finds every value equal to itself and to its copy with shuffled keys', () => {
    const reverseKeys = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reverseKeys)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, item]) => [key, reverseKeys(item)]),
            )
          : value;
    fc.assert(fc.property(fc.jsonValue(), (value) => argumentsEqual(value, reverseKeys(value))));
  });
});
