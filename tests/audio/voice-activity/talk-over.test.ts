import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureTalkOver, stretchesOf, trimToSpeech } from '../../../src/audio/index.js';

const clip = { frameMs: 20, sampleRateHz: 1000, length: 1000 };
const frames = (text: string): number[] => [...text].map((letter) => (letter === '#' ? 1 : 0));

describe('stretches of speech', () => {
  it('worked by hand: short silences are bridged, clicks dropped', () => {
    // 20 ms a frame: frames 2-6 with one frame of silence inside, then a click at 20.
    expect(stretchesOf(frames('..##.##.............#...'), clip)).toEqual([
      { startSample: 40, endSample: 140 },
    ]);
    expect(stretchesOf(frames('..##.##.'), clip, { minSilenceMs: 20, minSpeechMs: 20 })).toEqual([
      { startSample: 40, endSample: 80 },
      { startSample: 100, endSample: 140 },
    ]);
    expect(stretchesOf([0.4, 0.6, 0.6, 0.6], clip, { threshold: 0.7 })).toEqual([]);
  });

  it('trims to speech and keeps a little around it', () => {
    const pcm = { samples: Int16Array.from({ length: 1000 }, (_, i) => i), sampleRateHz: 1000 };
    const stretches = [
      { startSample: 100, endSample: 200 },
      { startSample: 300, endSample: 400 },
    ];
    const { samples } = trimToSpeech(pcm, stretches, 50);
    expect([samples[0], samples.length]).toEqual([50, 400]);
    expect(trimToSpeech(pcm, [])).toBe(pcm);
  });
});

describe('measureTalkOver', () => {
  it('worked by hand', () => {
    const customer = [
      { startSample: 0, endSample: 10 },
      { startSample: 20, endSample: 40 },
    ];
    const agent = [
      { startSample: 8, endSample: 25 },
      { startSample: 30, endSample: 31 },
      { startSample: 50, endSample: 60 },
    ];
    expect(measureTalkOver(customer, agent)).toEqual({
      stretches: [
        { startSample: 8, endSample: 10 },
        { startSample: 20, endSample: 25 },
        { startSample: 30, endSample: 31 },
      ],
      samples: 8,
    });
  });

  it('counts what counting sample by sample counts, whoever comes first', () => {
    const list = fc
      .uniqueArray(fc.nat(200), { maxLength: 20 })
      .map((ends) => ends.sort((a, b) => a - b))
      .map((ends) =>
        Array.from({ length: ends.length >> 1 }, (_, i) => ({
          startSample: ends[2 * i] as number,
          endSample: ends[2 * i + 1] as number,
        })),
      );
    const speaks = (stretches: { startSample: number; endSample: number }[], at: number) =>
      stretches.some(({ startSample, endSample }) => startSample <= at && at < endSample);
    fc.assert(
      fc.property(list, list, (a, b) => {
        const both = Array.from({ length: 201 }, (_, at) => at).filter(
          (at) => speaks(a, at) && speaks(b, at),
        ).length;
        expect(measureTalkOver(a, b).samples).toBe(both);
        expect(measureTalkOver(b, a)).toEqual(measureTalkOver(a, b));
      }),
    );
  });
});
