import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPythonLiteral } from '../../../src/sandbox/session/python-literal.js';
import { readCall } from '../../../src/sandbox/session/tool-arguments.js';

const read = (args: string | Record<string, unknown>) =>
  readCall({ callId: 'c', name: 'cancel', arguments: args });

/** Values that JSON and Python have in common. */
const key = fc.string({ maxLength: 8 });
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.string({ maxLength: 12 }),
    fc.boolean(),
    fc.constant(null),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).map((number) => number + 0.5),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;
const args = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });

/** As Python's `repr` writes it. */
function repr(item: unknown): string {
  if (item === null) return 'None';
  if (item === true) return 'True';
  if (item === false) return 'False';
  if (typeof item === 'string') return reprString(item);
  if (Array.isArray(item)) return `[${item.map(repr).join(', ')}]`;
  if (typeof item === 'object')
    return `{${Object.entries(item)
      .map(([name, inner]) => `${reprString(name)}: ${repr(inner)}`)
      .join(', ')}}`;
  return String(item);
}

function reprString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  return `${quote}${escaped.replace(/[^ -~]/g, unicodeEscape)}${quote}`;
}

/** A code unit as Python writes it when asked for ASCII. */
const unicodeEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

describe('arguments of a tool call (case 21: arguments arrive as nested JSON, Python dictionaries, or with the call around them) [P-TOOL-6]', () => {
  it('are read from every dialect, and the record keeps what came', () => {
    fc.assert(
      fc.property(args, (sent) => {
        fc.pre(!('name' in sent && 'arguments' in sent));
        const json = JSON.stringify(sent);
        const plain = JSON.parse(json) as Record<string, unknown>;
        expect(read(plain)).toEqual({ callId: 'c', name: 'cancel', arguments: plain });
        const dialects = [json, ` ${json}\n`, JSON.stringify(json), repr(plain), JSON.stringify(repr(plain))];
        for (const written of dialects)
          expect(read(written)).toEqual({
            ...{ callId: 'c', name: 'cancel', arguments: plain, rawArguments: written },
          });
        for (const whole of [
          { name: 'cancel', arguments: plain },
          { name: 'cancel', arguments: json },
        ])
          expect(read(whole).arguments).toEqual(plain);
      }),
    );
  });

  it.each([
    ['nothing', '', {}],
    ['a trailing comma', "{'a': [1, 2,], }", { a: [1, 2] }],
    ['both quotes', `{'a': "it's", "b": 'say "x"'}`, { a: "it's", b: 'say "x"' }],
    ['escapes', String.raw`{'a': 'x\n\'\x41\u00e9'}`, { a: "x\n'Aé" }],
    [
      'a call of another name stays an object',
      { name: 'other', arguments: {} },
      { name: 'other', arguments: {} },
    ],
  ])('with %s are read', (_what, written, understood) => {
    expect(read(written)).toMatchObject({ arguments: understood });
    expect(read(written).fault).toBeUndefined();
  });

  it('do not reach the prototype', () => {
    for (const written of ['{"__proto__": {"x": 1}}', "{'__proto__': {'x': 1}}"]) {
      const { arguments: understood } = read(written);
      expect(Object.keys(understood)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(understood)).toBe(Object.prototype);
    }
  });

  it.each([
    ['words', 'cancel order one'],
    ['a list', '[1, 2]'],
    ['a number', '17'],
    ['half an object', '{"a": 1'],
    ['two objects', '{"a": 1}{"b": 2}'],
    ['a key twice', "{'a': 1, 'a': 2}"],
    ['a key that is no string', "{1: 'a'}"],
    ['a Python call', 'dict(a=1)'],
    ['a tuple', "{'a': (1, 2)}"],
    ['a set', "{'a'}"],
    ['a prefix', "{'a': f'x'}"],
    ['a name', "{'a': true}"],
    ['a number too large to hold', "{'a': 12345678901234567890}"],
    ['text in text without end', JSON.stringify(JSON.stringify(JSON.stringify(JSON.stringify('{}'))))],
  ])('as %s are answered with an error that a model can read [P-TOOL-7]', (_what, written) => {
    const call = read(written);
    expect(call).toMatchObject({ arguments: {}, rawArguments: written });
    expect(call.fault).toContain('must be a JSON object');
  });

  it('never break the reader, whatever the text', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        "'",
        '"',
        ':',
        ',',
        '\\',
        'True',
        'None',
        '1',
        '-',
        '.',
        'e',
        ' ',
        'x',
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map((list) => list.join('')),
        ),
        (text) => {
          expect(() => readPythonLiteral(text)).not.toThrow();
          expect(read(text).callId).toBe('c');
        },
      ),
      { numRuns: 500 },
    );
    expect(readPythonLiteral('['.repeat(100_000))).toBeUndefined();
  });
});
