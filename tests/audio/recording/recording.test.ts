import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import wavefile from 'wavefile';
import {
  AudioFormatError,
  drawCallPicture,
  drawSpectrogram,
  encodePng,
  encodeStereoWav,
  formatAudacityLabels,
  mixCall,
} from '../../../src/audio/index.js';
import { sha256Hex } from '../../../src/shared/index.js';
import { readFixtures } from '../../helpers/audio-fixtures.js';

const constant = (value: number, length: number, sampleRateHz = 1000) => ({
  samples: new Int16Array(length).fill(value),
  sampleRateHz,
});

function tone(frequencyHz: number, sampleRateHz: number): { samples: Int16Array; sampleRateHz: number } {
  const samples = Int16Array.from({ length: sampleRateHz }, (_, i) =>
    Math.round(20_000 * Math.sin((2 * Math.PI * frequencyHz * i) / sampleRateHz)),
  );
  return { samples, sampleRateHz };
}

describe('the recording of a call', () => {
  it('has the customer left and the agent right, each clip at its time', () => {
    const call = mixCall(
      {
        customer: [{ startMs: 2, clip: constant(5, 3) }],
        agent: [
          { startMs: 0, clip: constant(7, 2) },
          { startMs: 1, clip: constant(100, 2) },
        ],
      },
      1000,
    );
    expect([...call.left]).toEqual([0, 0, 5, 5, 5]);
    expect([...call.right]).toEqual([7, 107, 100, 0, 0]);
  });

  it('converts rates, keeps to full scale, and refuses times outside a call', () => {
    const clip = tone(440, 24_000);
    const call = mixCall({ customer: [{ startMs: 500, clip }], agent: [] }, 16_000);
    expect(call.left.length).toBe(24_000);
    const loud = constant(30_000, 4);
    const sum = mixCall(
      {
        customer: [
          { startMs: 0, clip: loud },
          { startMs: 0, clip: loud },
        ],
        agent: [],
      },
      1000,
    );
    expect([...sum.left]).toEqual([32_767, 32_767, 32_767, 32_767]);
    for (const startMs of [-1, Number.NaN, 1e15])
      expect(() => mixCall({ customer: [{ startMs, clip: loud }], agent: [] }, 16_000)).toThrow(
        AudioFormatError,
      );
  });

  it('is written as a stereo WAV that the wavefile package reads', () => {
    const bytes = encodeStereoWav(Int16Array.of(1, 2, 3), Int16Array.of(-1, -2, -3), 8000);
    const file = new wavefile.WaveFile(bytes);
    expect(file.fmt).toMatchObject({ numChannels: 2, sampleRate: 8000, bitsPerSample: 16 });
    const [left, right] = file.getSamples(false, Int16Array) as unknown as [Int16Array, Int16Array];
    expect([[...left], [...right]]).toEqual([
      [1, 2, 3],
      [-1, -2, -3],
    ]);
    expect(() => encodeStereoWav(new Int16Array(1), new Int16Array(2), 8000)).toThrow('same length');
  });

  it('has labels that Audacity imports: seconds, tabs, one line each', () => {
    const labels = [
      { startMs: 1500, endMs: 2000.5, text: 'two\twords\nhere ' },
      { startMs: 0, endMs: 250, text: 'hello' },
    ];
    expect(formatAudacityLabels(labels)).toBe(
      '0.000000\t0.250000\thello\n1.500000\t2.000500\ttwo words here\n',
    );
  });
});

describe('the spectrogram', () => {
  it('shows a tone at its frequency, at full brightness, and nothing elsewhere', () => {
    // Rows are 8000 / 80 = 100 Hz high, from the top: 1050 Hz lies in row 80 - 11 = 69.
    const { pixels } = drawSpectrogram(tone(1050, 16_000), { width: 50, height: 80 });
    const column = Array.from({ length: 80 }, (_, row) => pixels[row * 50 + 25] as number);
    expect(column.indexOf(Math.max(...column))).toBe(69);
    expect(column[69]).toBe(255);
    expect(Math.max(...column.slice(0, 60))).toBe(0);
  });

  it('measures the level: a sine of -40 dB is (90 - 40) / 75 of the brightness', () => {
    const samples = Int16Array.from({ length: 16_000 }, (_, i) =>
      Math.round(327.68 * Math.sin((2 * Math.PI * i) / 16)),
    );
    const { pixels } = drawSpectrogram({ samples, sampleRateHz: 16_000 }, { width: 1, height: 256 });
    expect(Math.abs(Math.max(...pixels) - (255 * 50) / 75)).toBeLessThan(3);
  });

  it('becomes a PNG that holds its pixels', () => {
    const image = drawSpectrogram(tone(500, 8000), { width: 30, height: 20 });
    const png = Buffer.from(encodePng(image));
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    const at = png.indexOf('IDAT');
    const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
    const pixels = Array.from({ length: 20 }, (_, row) => [
      ...rows.subarray(row * 31 + 1, row * 31 + 31),
    ]).flat();
    expect(pixels).toEqual([...image.pixels]);
  });
});

describe('the picture of a call', () => {
  const clips = readFixtures().map(({ clip }) => clip);
  const sides = {
    customer: clips.slice(0, 2).map((clip, i) => ({ startMs: 4000 * i, clip })),
    agent: clips.slice(2, 3).map((clip) => ({ startMs: 2500, clip })),
  };
  const call = mixCall(sides, 16_000);

  it('is the same every time and as long as the call', () => {
    const labels = { customer: [{ startMs: 0, endMs: 2500, text: 'order "W2" & <more>' }], agent: [] };
    const picture = drawCallPicture(call, { labels });
    expect(drawCallPicture(call, { labels })).toBe(picture);
    expect(picture).toContain('order &#34;W2&#34; &#38; &#60;more&#62;');
    expect(picture).toContain('>5 s<');
    expect(
      sha256Hex(
        drawSpectrogram({ samples: call.left, sampleRateHz: 16_000 }, { width: 300, height: 90 }).pixels,
      ),
    ).toMatchInlineSnapshot(`"d5b296c6368b497460f221d450cea6cd03c5d23fcec0ffb35345dbed459ecb4a"`);
  });

  it('can be drawn of nothing and of a very long call', () => {
    const empty = { left: new Int16Array(0), right: new Int16Array(0), sampleRateHz: 8000 };
    expect(drawCallPicture(empty)).toContain('silent');
    const long = {
      left: new Int16Array(8000 * 1500),
      right: new Int16Array(8000 * 1500),
      sampleRateHz: 8000,
    };
    expect(drawCallPicture(long)).toContain('1200 s');
  });
});
