import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blotKey } from '../../../src/models/index.js';

describe('a key in what a server says', () => {
  it.each([
    ['wrong key sk-secret-4711!', 'sk-secret-4711', 'wrong key [key]!'],
    ['sk-secret-4711 sk-secret-4711', 'sk-secret-4711', '[key] [key]'],
    ['wrong key sk-secret-4… (cut)', 'sk-secret-4711', 'wrong key [key]… (cut)'],
    ['wrong key sk-se', 'sk-secret-4711', 'wrong key [key]'],
    ['wrong key sk-se…', 'sk-secret-4711', 'wrong key [key]…'],
    ['wrong key sk-', 'sk-secret-4711', 'wrong key sk-'],
    ['{"error":"a\\"b\\\\cdefgh"}', 'a"b\\cdefgh', '{"error":"[key]"}'],
    ['no key here', 'k', 'no key here'],
    ['key "k" is wrong', 'k', 'key "[key]" is wrong'],
    ['a model', 'del', 'a model'],
    ['a+ b', 'a+', '[key] b'],
    ['anything', undefined, 'anything'],
  ])('%j without %j is %j', (text, key, blotted) => {
    expect(blotKey(text, key)).toBe(blotted);
  });

  it('leaves no eight letters of it in a text that was blotted and then cut anywhere', () => {
    const key = fc.string({ minLength: 12, maxLength: 40 }).filter((text) => /^[!-~]+$/.test(text));
    fc.assert(
      fc.property(key, fc.nat(300), fc.nat(60), (secret, before, kept) => {
        const said = `${'_'.repeat(before)}${secret} is wrong`.slice(0, before + kept);
        expect(blotKey(said, secret)).not.toContain(secret.slice(0, 8));
      }),
    );
  });
});
