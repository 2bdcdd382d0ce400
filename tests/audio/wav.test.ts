import { describe, expect, it } from 'vitest';
import wavefile from 'wavefile';
import { AudioFormatError, decodeWav, encodeWav } from '../../src/audio/index.js';

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
});
