import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AUDIO_HEADER_BYTES,
  BadAudioFrameError,
  decodeAudioFrame,
  encodeAudioFrame,
  pcm16FromBytes,
  pcm16ToBytes,
} from '../../src/protocol/index.js';

const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const frame = fc.record({
  seq: uint32,
  utterance: uint32,
  sampleOffset: uint32,
  kind: fc.constantFrom('customer' as const, 'agent' as const),
  data: fc.uint8Array({ minLength: 1, maxLength: 800 }),
});

describe('the audio frame', () => {
  it('is these bytes', () => {
    const bytes = encodeAudioFrame({
      kind: 'customer',
      seq: 7,
      utterance: 2,
      sampleOffset: 0x01020304,
      data: pcm16ToBytes(Int16Array.of(1, -2)),
    });
    expect(Buffer.from(bytes).toString('hex')).toBe(
      ['50010100', '07000000', '02000000', '04030201', '0100', 'feff'].join(''),
    );
  });

  it('comes back as it went, from any place in a buffer', () => {
    fc.assert(
      fc.property(frame, fc.integer({ min: 0, max: 9 }), (sent, shift) => {
        const bytes = encodeAudioFrame(sent);
        expect(bytes.length).toBe(AUDIO_HEADER_BYTES + sent.data.length);
        const buffer = new Uint8Array(bytes.length + shift);
        buffer.set(bytes, shift);
        for (const place of [buffer.subarray(shift), Buffer.from(buffer.buffer).subarray(shift)]) {
          const { data, ...header } = decodeAudioFrame(place);
          expect({ ...header, data: Uint8Array.from(data) }).toEqual(sent);
        }
      }),
    );
  });

  it('carries PCM16 whatever the address, and refuses half a sample', () => {
    const samples = fc.array(fc.integer({ min: -32768, max: 32767 })).map((list) => Int16Array.from(list));
    fc.assert(
      fc.property(samples, (sent) => {
        expect(pcm16FromBytes(pcm16ToBytes(sent))).toEqual(sent);
      }),
    );
    expect(() => pcm16FromBytes(new Uint8Array(3))).toThrow(BadAudioFrameError);
  });

  it('is either read or refused by name, whatever the bytes', () => {
    const nearly = fc.tuple(frame, fc.nat(600), fc.nat(20), fc.nat(255)).map(([sent, cut, at, value]) => {
      const bytes = encodeAudioFrame(sent).slice(0, cut);
      if (at < bytes.length) bytes[at] = value;
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 64 }), nearly), (bytes) => {
        try {
          expect(Buffer.from(encodeAudioFrame(decodeAudioFrame(bytes)))).toEqual(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(BadAudioFrameError);
        }
      }),
    );
  });
});
