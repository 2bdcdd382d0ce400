import { describe, expect, it } from 'vitest';
import { decodeALaw, encodeALaw } from '../../src/audio/index.js';
import { sha256Hex } from '../../src/shared/index.js';

describe('A-law', () => {
  it('codes zero and full scale as the standard does', () => {
    // G.711: the smallest positive value is 0xd5, the largest 0xaa, the largest negative 0x2a.
    expect([...encodeALaw(Int16Array.of(0, 32767, -32768))]).toEqual([0xd5, 0xaa, 0x2a]);
    expect([...decodeALaw(Uint8Array.of(0xd5, 0xaa, 0x2a))]).toEqual([8, 32256, -32256]);
  });

  it('gives the bytes of an independent codec for every sample and every code word', () => {
    // SHA-256 of what CPython's audioop.lin2alaw and alaw2lin give.
    const all = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);
    expect(sha256Hex(encodeALaw(all))).toBe(
      '38488f6fd710f4686360edc4d38639f96c491595ef93f8eb8d62d5e07ca6ce7b',
    );
    const decoded = decodeALaw(Uint8Array.from({ length: 256 }, (_, index) => index));
    expect(sha256Hex(new Uint8Array(decoded.buffer))).toBe(
      'e04788d110e58ff8c70c93b8480190d973e3b67876b6119abbaec766cc75c174',
    );
  });
});
