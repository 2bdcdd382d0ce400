import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AudioFormatError, createResampler, resample } from '../../../src/audio/index.js';
import { sha256Hex } from '../../../src/shared/index.js';

const RATES_HZ = [8000, 16_000, 22_050, 24_000, 44_100, 48_000];
const PAIRS = RATES_HZ.flatMap((from) =>
  RATES_HZ.filter((to) => to !== from).map((to) => [from, to] as const),
);

/** One second of a tone, amplitude 16000. */
function tone(frequencyHz: number, rateHz: number): Int16Array {
  return Int16Array.from({ length: rateHz }, (_, i) =>
    Math.round(16_000 * Math.sin((2 * Math.PI * frequencyHz * i) / rateHz)),
  );
}

/** Level in dB of a frequency relative to amplitude 16000, in the middle half of a second (all but the edges); Hann window. */
function levelAt(frequencyHz: number, samples: Int16Array, rateHz: number): number {
  const start = Math.round(samples.length / 4);
  const length = Math.round(samples.length / 2);
  let real = 0;
  let imaginary = 0;
  let weights = 0;
  for (let i = 0; i < length; i += 1) {
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / length);
    const angle = (2 * Math.PI * frequencyHz * (start + i)) / rateHz;
    real += weight * (samples[start + i] as number) * Math.cos(angle);
    imaginary += weight * (samples[start + i] as number) * Math.sin(angle);
    weights += weight;
  }
  return 20 * Math.log10((2 * Math.hypot(real, imaginary)) / weights / 16_000 + 1e-9);
}

/** Where a tone above the Nyquist frequency folds to. */
function folded(frequencyHz: number, rateHz: number): number {
  const inside = frequencyHz % rateHz;
  return inside > rateHz / 2 ? rateHz - inside : inside;
}

describe('resample', () => {
  it.each(PAIRS)(
    '%i to %i Hz: ripple below 0.01 dB up to 85 %% of Nyquist, aliases below -90 dB',
    (from, to) => {
      const nyquist = Math.min(from, to) / 2;
      for (const quality of ['standard', 'fast'] as const) {
        for (const share of [0.1, 0.3, 0.6, 0.8, 0.85]) {
          const gain = levelAt(nyquist * share, resample(tone(nyquist * share, from), from, to, quality), to);
          expect(Math.abs(gain)).toBeLessThan(0.01);
        }
        if (to > from) continue;
        for (const share of [1.02, 1.1, 1.3].filter((each) => nyquist * each < from / 2)) {
          const alias = levelAt(
            folded(nyquist * share, to),
            resample(tone(nyquist * share, from), from, to, quality),
            to,
          );
          expect(alias).toBeLessThan(-90);
        }
      }
    },
  );

  it('keeps speech-band tones aligned in time and length', () => {
    const [from, to] = [24_000, 16_000];
    const out = resample(tone(1000, from), from, to);
    const wanted = tone(1000, to);
    expect(out.length).toBe(wanted.length);
    let worst = 0;
    for (let i = 200; i < out.length - 200; i += 1)
      worst = Math.max(worst, Math.abs((out[i] as number) - (wanted[i] as number)));
    expect(worst).toBeLessThanOrEqual(1);
  });

  it('gives equal rates back untouched and a tiny clip its share', () => {
    const clip = tone(300, 8000);
    expect(resample(clip, 8000, 8000)).toBe(clip);
    expect(resample(Int16Array.of(5), 8000, 24_000).length).toBe(3);
    expect(resample(new Int16Array(0), 8000, 16_000).length).toBe(0);
    expect(resample(new Int16Array(3), 48_000, 8000).length).toBe(1);
  });

  it('has the bytes it had on the machine where this was written', () => {
    const digest = (from: number, to: number) =>
      sha256Hex(new Uint8Array(resample(tone(997, from), from, to).buffer));
    expect(digest(24_000, 16_000)).toMatchInlineSnapshot(
      `"db3a5553493db00d5b7f98ca7e00a418a008903ca1de8ed7d3af22c3111b2e19"`,
    );
    expect(digest(16_000, 8000)).toMatchInlineSnapshot(
      `"4712dd44e79bc48460bdaa6ee714ca0a7d145bf81f97a7ec4e06d7ecd4755bb4"`,
    );
  });

  it('streams the same samples, however the input is cut', () => {
    const noise = Int16Array.from({ length: 30_000 }, (_, i) => ((i * 7919) % 20_011) - 10_000);
    fc.assert(
      fc.property(
        fc.constantFrom(...PAIRS),
        fc.array(fc.integer({ min: 1, max: 12_000 }), { maxLength: 8 }),
        ([from, to], cuts) => {
          const stream = createResampler(from, to);
          const pieces: number[] = [];
          let at = 0;
          for (const cut of [...cuts, noise.length]) {
            for (const sample of stream.push(noise.subarray(at, at + cut))) pieces.push(sample);
            at += cut;
          }
          for (const sample of stream.end()) pieces.push(sample);
          return Buffer.from(Int16Array.from(pieces).buffer).equals(
            Buffer.from(resample(noise, from, to).buffer),
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  it('never wraps around at full scale', () => {
    const square = Int16Array.from({ length: 4800 }, (_, i) => (i % 48 < 24 ? 32_767 : -32_768));
    const out = resample(square, 24_000, 16_000);
    for (let i = 100; i < out.length - 100; i += 1)
      if (((i * 24_000) / 16_000) % 48 > 6 && ((i * 24_000) / 16_000) % 48 < 18)
        expect(out[i]).toBeGreaterThan(25_000);
  });

  it.each([
    [0, 8000],
    [16_000, 500_000],
    [16_000.5, 8000],
    [Number.NaN, 8000],
  ])('refuses %d to %d Hz', (from, to) => {
    expect(() => resample(new Int16Array(10), from, to)).toThrow(AudioFormatError);
    expect(() => resample(new Int16Array(10), to, from)).toThrow(AudioFormatError);
  });

  it('a used-up resampler says so', () => {
    const stream = createResampler(8000, 16_000);
    stream.end();
    expect(stream.end().length).toBe(0);
    expect(() => stream.push(new Int16Array(1))).toThrow('has ended');
  });
});
