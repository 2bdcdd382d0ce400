import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256Hex } from '../../src/shared/index.js';

describe('canonical JSON', () => {
  it('sorts keys at every depth and drops what is undefined', () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x', z: undefined })).toBe(
      '{"a":"x","b":[{"c":null,"d":1}]}',
    );
  });

  it('reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('hashes as SHA-256', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
