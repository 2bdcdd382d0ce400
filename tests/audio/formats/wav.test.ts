import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import wavefile from 'wavefile';
import { AudioFormatError, decodeWav, encodeWav, encodeWavAt } from '../../../src/audio/index.js';

const ramp = Int16Array.from({ length: 1000 }, (_, i) => Math.round(30_000 * Math.sin(i / 7)));

function written(channels: number, rate: number, depth: string, samples: unknown): wavefile.WaveFile {
  const file = new wavefile.WaveFile();
  file.fromScratch(channels, rate, depth, samples as number[]);
  return file;
}

describe('wav', () => {
  it('encodes the same bytes as the wavefile package', () => {
    for (const samples of [ramp, new Int16Array(0), Int16Array.of(-32768, 0, 32767)]) {
      const mine = encodeWav({ samples, sampleRateHz: 16_000 });
      expect(Buffer.from(mine)).toEqual(Buffer.from(written(1, 16_000, '16', samples).toBuffer()));
    }
  });

  it('reads back what it wrote, also from the middle of a larger buffer', () => {
    const wav = encodeWav({ samples: ramp, sampleRateHz: 8000 });
    const shifted = new Uint8Array(wav.length + 3);
    shifted.set(wav, 3);
    expect(decodeWav(shifted.subarray(3))).toEqual({ samples: ramp, sampleRateHz: 8000 });
  });

  it('averages the channels of a stereo file', () => {
    const file = written(2, 44_100, '16', [
      [100, 200, -300],
      [300, 0, -100],
    ]);
    expect(decodeWav(file.toBuffer())).toEqual({
      samples: Int16Array.of(200, 100, -200),
      sampleRateHz: 44_100,
    });
  });

  it.each(['8', '24', '32', '32f', '64'])('reads %s-bit files within one step of their depth', (depth) => {
    const file = written(1, 16_000, '16', ramp);
    file.toBitDepth(depth);
    const { samples } = decodeWav(file.toBuffer());
    expect(samples.length).toBe(ramp.length);
    const worst = Math.max(...samples.map((sample, i) => Math.abs(sample - (ramp[i] as number))));
    expect(worst).toBeLessThanOrEqual(depth === '8' ? 260 : 1);
  });

  it('reads µ-law and A-law files', () => {
    for (const code of ['toMuLaw', 'toALaw'] as const) {
      const file = written(1, 8000, '16', ramp);
      file[code]();
      const { samples, sampleRateHz } = decodeWav(file.toBuffer());
      expect(sampleRateHz).toBe(8000);
      const error = ramp.reduce((sum, value, i) => sum + (value - (samples[i] ?? 0)) ** 2, 0);
      const signal = ramp.reduce((sum, value) => sum + value * value, 0);
      expect(10 * Math.log10(signal / error)).toBeGreaterThan(30);
    }
  });

  it('answers rubbish with one clear error', () => {
    const valid = encodeWav({ samples: ramp, sampleRateHz: 16_000 });
    const wrongRate = valid.slice();
    wrongRate.fill(0, 24, 28);
    const rubbish = [
      new Uint8Array(0),
      Uint8Array.of(1, 2, 3),
      valid.slice(0, 20),
      Buffer.from('<html>not audio</html>'.repeat(10)),
      wrongRate,
    ];
    for (const bytes of rubbish) expect(() => decodeWav(bytes)).toThrow(AudioFormatError);
  });

  it.each(['8', '24', '32', '32f'] as const)('writes %s-bit files that it reads back', (depth) => {
    const { samples, sampleRateHz } = decodeWav(encodeWavAt({ samples: ramp, sampleRateHz: 24_000 }, depth));
    expect(sampleRateHz).toBe(24_000);
    const worst = Math.max(...samples.map((sample, i) => Math.abs(sample - (ramp[i] as number))));
    expect(worst).toBeLessThanOrEqual(depth === '8' ? 260 : 1);
  });

  it('reads files with broken sizes, odd chunks and extensible headers as recorders write them', () => {
    const samples = ramp.subarray(0, 101);
    const data = new Uint8Array(samples.slice().buffer);
    const plain = chunk('fmt ', format(1, 16));
    const wanted = { samples, sampleRateHz: 16_000 };
    const extra = chunk('LIST', new Uint8Array(7), { padded: true });
    const unpadded = chunk('LIST', new Uint8Array(7));
    const cases: Record<string, Uint8Array> = {
      'size unknown': riff(plain, chunk('data', data, { stated: 0xffff_ffff })),
      'size zero': riff(plain, chunk('data', data, { stated: 0 })),
      'size larger than the file': riff(plain, chunk('data', data, { stated: 5000 })),
      'a chunk before': riff(extra, plain, extra, chunk('data', data)),
      'an odd chunk without padding': riff(unpadded, plain, chunk('data', data)),
      'a chunk after': riff(plain, chunk('data', data), extra),
      'half a sample at the end': riff(plain, chunk('data', Uint8Array.of(...data, 7))),
      'data before the format': riff(chunk('data', data), plain),
      extensible: riff(chunk('fmt ', extensible(1, 16)), chunk('data', data)),
    };
    for (const [name, file] of Object.entries(cases)) expect(decodeWav(file), name).toEqual(wanted);
    const cut = riff(plain, chunk('data', data)).subarray(0, 44 + 50);
    expect(decodeWav(cut)).toEqual({ ...wanted, samples: samples.subarray(0, 25) });
    const floats = new Uint8Array(Float32Array.of(0.5, -0.5, 0).buffer);
    expect(decodeWav(riff(chunk('fmt ', extensible(3, 32)), chunk('data', floats))).samples[1]).toBe(-16_384);
  });

  it('refuses formats it cannot read, and says which it can', () => {
    for (const bad of [format(1, 12), format(85, 16), format(1, 16, 0), format(1, 16, 300)])
      expect(() => decodeWav(riff(chunk('fmt ', bad), chunk('data', new Uint8Array(8))))).toThrow(
        'expected PCM of 8 to 32 bits',
      );
    expect(() => decodeWav(riff(chunk('data', new Uint8Array(8))))).toThrow("no 'fmt ' chunk");
    expect(() => decodeWav(riff(chunk('fmt ', format(1, 16))))).toThrow("no 'data' chunk");
  });

  it('any damage gives samples or one clear error, quickly', () => {
    const valid = riff(
      chunk('fmt ', extensible(1, 24)),
      chunk('LIST', new Uint8Array(6)),
      chunk('data', new Uint8Array(300)),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { maxLength: 6 }),
        fc.nat(valid.length),
        (changes, length) => {
          const bytes = valid.slice(0, length);
          for (const [at, value] of changes) bytes[at] = value;
          try {
            expect(decodeWav(bytes).samples).toBeInstanceOf(Int16Array);
          } catch (error) {
            expect(error).toBeInstanceOf(AudioFormatError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

function chunk(
  tag: string,
  body: Uint8Array,
  options: { stated?: number; padded?: boolean } = {},
): Uint8Array {
  const bytes = new Uint8Array(8 + body.length + (options.padded === true ? body.length % 2 : 0));
  bytes.set(Buffer.from(tag, 'latin1'));
  new DataView(bytes.buffer).setUint32(4, options.stated ?? body.length, true);
  bytes.set(body, 8);
  return bytes;
}

function riff(...chunks: Uint8Array[]): Uint8Array {
  const body = Buffer.concat(chunks);
  return new Uint8Array(
    Buffer.concat([chunk('RIFF', Buffer.from('WAVE'), { stated: body.length + 4 }), body]),
  );
}

function format(code: number, bits: number, channels = 1): Uint8Array {
  const view = new DataView(new ArrayBuffer(16));
  view.setUint16(0, code, true);
  view.setUint16(2, channels, true);
  view.setUint32(4, 16_000, true);
  view.setUint16(14, bits, true);
  return new Uint8Array(view.buffer);
}

function extensible(code: number, bits: number): Uint8Array {
  const bytes = new Uint8Array(40);
  bytes.set(format(0xfffe, bits));
  bytes[16] = 22;
  bytes[24] = code;
  return bytes;
}
