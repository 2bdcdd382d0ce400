import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AUDIO_HEADER_BYTES,
  BadAudioFrameError,
  decodeAudioFrame,
  encodeAudioFrame,
} from '../../src/protocol/index.js';

const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const frame = fc.record({
  seq: uint32,
  utterance: uint32,
  sampleOffset: uint32,
  samples: fc
    .array(fc.integer({ min: -32768, max: 32767 }), { minLength: 1, maxLength: 400 })
    .map((samples) => Int16Array.from(samples)),
});

describe('the audio frame', () => {
  it('is these bytes', () => {
    const bytes = encodeAudioFrame({
      seq: 7,
      utterance: 2,
      sampleOffset: 0x01020304,
      samples: Int16Array.of(1, -2),
    });
    expect(Buffer.from(bytes).toString('hex')).toBe(
      ['50010100', '07000000', '02000000', '04030201', '0100', 'feff'].join(''),
    );
  });

  it('comes back as it went, from any place in a buffer', () => {
    fc.assert(
      fc.property(frame, fc.integer({ min: 0, max: 9 }), (sent, shift) => {
        const bytes = encodeAudioFrame(sent);
        expect(bytes.length).toBe(AUDIO_HEADER_BYTES + 2 * sent.samples.length);
        const buffer = new Uint8Array(bytes.length + shift);
        buffer.set(bytes, shift);
        expect(decodeAudioFrame(buffer.subarray(shift))).toEqual(sent);
        expect(decodeAudioFrame(Buffer.from(buffer.buffer).subarray(shift))).toEqual(sent);
      }),
    );
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
