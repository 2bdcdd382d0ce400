import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import wavefile from 'wavefile';
import {
  AudioFormatError,
  decodeImaAdpcm,
  decodeMuLaw,
  encodeImaAdpcm,
  encodeMuLaw,
  imaAdpcmDecoderScript,
} from '../../src/audio/index.js';
import { readFixtures } from '../helpers/audio-fixtures.js';

/** Signal-to-noise ratio in dB of `decoded` against `original`. */
function snrDb(original: Int16Array, decoded: Int16Array): number {
  let signal = 0;
  let noise = 0;
  original.forEach((sample, i) => {
    signal += sample ** 2;
    noise += (sample - (decoded[i] as number)) ** 2;
  });
  return 10 * Math.log10(signal / noise);
}

const anySamples = fc.int16Array({ maxLength: 1200 });
let speech: Int16Array[];
beforeAll(() => {
  speech = readFixtures().map((fixture) => fixture.clip.samples);
});

describe('µ-law', () => {
  it('codes zero and full scale as the standard does', () => {
    // G.711: +0 is 0xff, the largest positive value 0x80, the largest negative 0x00.
    expect([...encodeMuLaw(Int16Array.of(0, 32767, -32768))]).toEqual([0xff, 0x80, 0x00]);
    expect([...decodeMuLaw(Uint8Array.of(0xff, 0x80, 0x00))]).toEqual([0, 32124, -32124]);
  });

  it('keeps every code word through decode and encode (but for the second zero)', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      const again = encodeMuLaw(decodeMuLaw(Uint8Array.of(byte)))[0];
      expect(again).toBe(byte === 0x7f ? 0xff : byte);
    }
  });

  it('agrees with the wavefile package on every sample value', () => {
    const all = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768);
    const file = new wavefile.WaveFile();
    file.fromScratch(1, 8000, '8m', encodeMuLaw(all) as unknown as number[]);
    file.fromMuLaw();
    expect(decodeMuLaw(encodeMuLaw(all))).toEqual(Int16Array.from(file.getSamples(false, Int16Array)));
  });

  it('keeps speech at more than 30 dB', () => {
    for (const samples of speech)
      expect(snrDb(samples, decodeMuLaw(encodeMuLaw(samples)))).toBeGreaterThan(30);
  });
});

describe('IMA ADPCM', () => {
  it('needs a quarter of the bytes and keeps speech at more than 20 dB', () => {
    for (const samples of speech) {
      const bytes = encodeImaAdpcm(samples);
      expect(bytes.length).toBeLessThan(samples.length * 2 * 0.26);
      expect(snrDb(samples, decodeImaAdpcm(bytes, samples.length))).toBeGreaterThan(20);
    }
  });

  it('gives back as many samples as it was given, whatever they are', () => {
    fc.assert(
      fc.property(anySamples, (samples) => {
        const decoded = decodeImaAdpcm(encodeImaAdpcm(samples), samples.length);
        expect(decoded.length).toBe(samples.length);
        expect(decoded.filter((_, i) => i % 505 === 0)).toEqual(samples.filter((_, i) => i % 505 === 0));
      }),
    );
  });

  it('codes a block as worked by hand', () => {
    // First sample 0 in the header, step index 0 (step 7). To 10: 10 ≥ 7 → bit 4, rest 3; 3 ≥ 3 → bit 2, rest 0; code 6.
    // Decoded: 7/8 → 0, +7, +3 = 10; index 0 + 6 = 6 (step 13). To -3: difference -13 → sign 8, 13 ≥ 13 → bit 4, rest 0:
    // code 12, change 1 + 13 = 14, so 10 - 14 = -4. Low half first: byte 0xc6.
    const bytes = encodeImaAdpcm(Int16Array.of(0, 10, -3));
    expect([...bytes]).toEqual([0, 0, 0, 0, 0xc6]);
    expect([...decodeImaAdpcm(bytes, 3)]).toEqual([0, 10, -4]);
  });

  it('decodes the same in the script for pages', () => {
    const decode = runInNewContext(`${imaAdpcmDecoderScript()};decodeImaAdpcm`) as typeof decodeImaAdpcm;
    fc.assert(
      fc.property(anySamples, (samples) => {
        const bytes = encodeImaAdpcm(samples);
        expect(decode(bytes, samples.length).join()).toBe(decodeImaAdpcm(bytes, samples.length).join());
      }),
    );
  });

  it('refuses bytes that do not fit the count', () => {
    expect(() => decodeImaAdpcm(new Uint8Array(10), 505)).toThrow(AudioFormatError);
    expect(() => decodeImaAdpcm(new Uint8Array(10), 505)).toThrow(
      '505 samples of IMA ADPCM are 256 bytes; got 10',
    );
  });
});
