import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyTimeline,
  conditionPresets,
  findConditions,
  lineTimelineSchema,
  type Pcm,
  renderLine,
  settleConditions,
  TimelineError,
} from '../../../src/audio/index.js';
import { sha256Hex } from '../../../src/shared/index.js';
import { line, lineAt, speechRms, voices } from './line-clips.js';

const bytesOf = (clip: Pcm): Buffer =>
  Buffer.from(clip.samples.buffer, clip.samples.byteOffset, clip.samples.byteLength);
const names = [...conditionPresets().keys()];
const BEDS = names.filter((name) => name.startsWith('bed-'));

/** SNR in dB of `mixed` against the clean line: speech while it is active, noise over the stretch. */
function measuredSnr(clean: Pcm, mixed: Pcm, start = 0, end = mixed.samples.length): number {
  let sum = 0;
  for (let i = start; i < end; i += 1) sum += ((mixed.samples[i] ?? 0) - (clean.samples[i] ?? 0)) ** 2;
  return 20 * Math.log10(speechRms(clean) / Math.sqrt(sum / (end - start)));
}

describe('renderLine', () => {
  it.each(names)("'%s': the same seed gives the same bytes, and the timeline makes them again", (name) => {
    const conditions = findConditions(name);
    for (let seed = 0; seed < 8; seed += 1) {
      const first = renderLine(line, conditions, { seed, voices });
      expect(bytesOf(renderLine(line, conditions, { seed, voices }).clip).equals(bytesOf(first.clip))).toBe(
        true,
      );
      const read = lineTimelineSchema.parse(JSON.parse(JSON.stringify(first.timeline)));
      expect(bytesOf(applyTimeline(line, read, voices)).equals(bytesOf(first.clip))).toBe(true);
    }
  });

  it.each(names.filter((name) => name !== 'clean' && name !== 'control'))(
    "'%s' changes the line and says how",
    (name) => {
      const { clip, timeline } = renderLine(line, findConditions(name), { seed: 3, voices });
      expect(bytesOf(clip).equals(bytesOf(line))).toBe(false);
      expect(timeline.entries.length).toBeGreaterThan(0);
      for (const { startSample, endSample } of timeline.entries) {
        expect(startSample).toBeLessThan(endSample);
        expect(endSample).toBeLessThanOrEqual(clip.samples.length);
      }
    },
  );

  it("'clean' hands the clip back as it is", () => {
    const { clip, timeline } = renderLine(line, findConditions('clean'), { seed: 1 });
    expect(clip).toBe(line);
    expect(timeline.entries).toEqual([]);
  });

  it('has the bytes it had where this was written, so seeds mean the same in every process', () => {
    const digests = Object.fromEntries(
      names.map((name) => [
        name,
        sha256Hex(bytesOf(renderLine(line, findConditions(name), { seed: 7, voices }).clip)).slice(0, 16),
      ]),
    );
    expect(digests).toMatchInlineSnapshot(`
      {
        "bed-babble": "f7fc67651d1afa07",
        "bed-metro": "e0f732fb8593cc70",
        "bed-music": "fe31f6532a3a13be",
        "bed-street": "eebf133167b626f3",
        "bed-tv-news": "1ed76ff65ad7cc05",
        "bursts": "053a00423839f9ad",
        "clean": "ca2617b998e30dcf",
        "clipping": "7d01ad3172cded44",
        "control": "039fc4dc2d1ef2dc",
        "inserts": "739d8e8707657a3d",
        "level": "52ce6619bb0ae2fb",
        "muffling": "38ad7a58255db91d",
        "packet-loss": "5f8b041889032b47",
        "regular": "c88f6c93225d6a58",
        "reverberation": "270f3b78bb4402b6",
        "telephony": "039fc4dc2d1ef2dc",
        "tics": "e4e02cc5851b9d0a",
      }
    `);
  });

  it('another seed is another line', () => {
    const conditions = findConditions('regular');
    const digests = new Set(
      Array.from({ length: 20 }, (_, seed) =>
        sha256Hex(bytesOf(renderLine(line, conditions, { seed, voices }).clip)),
      ),
    );
    expect(digests.size).toBe(20);
  });

  it('works at every usual rate, on silence, on one sample and on nothing', () => {
    const conditions = findConditions('regular');
    const odd = [new Int16Array(16_000), Int16Array.of(9), new Int16Array(0)].map((samples) => ({
      samples,
      sampleRateHz: 16_000,
    }));
    for (const clean of [...[8000, 22_050, 24_000, 48_000].map(lineAt), ...odd]) {
      for (let seed = 0; seed < 6; seed += 1) {
        const { clip, timeline } = renderLine(clean, conditions, { seed, voices });
        expect(clip.sampleRateHz).toBe(clean.sampleRateHz);
        expect(clip.samples.length).toBeGreaterThanOrEqual(clean.samples.length);
        expect(bytesOf(applyTimeline(clean, timeline, voices)).equals(bytesOf(clip))).toBe(true);
      }
    }
  });

  it('switching one effect off changes nothing about when the others happen', () => {
    const regular = findConditions('regular');
    for (let seed = 0; seed < 30; seed += 1) {
      const all = renderLine(line, regular, { seed, voices }).timeline.entries;
      const some = renderLine(line, { ...regular, muffling: null, bed: null }, { seed, voices }).timeline
        .entries;
      expect(some).toEqual(all.filter(({ kind }) => kind !== 'muffling' && kind !== 'bed'));
    }
  });
});

describe('what was asked for', () => {
  it.each(BEDS)("'%s' has its signal-to-noise ratio within 0.5 dB, whatever the seed", (name) => {
    const settings = findConditions(name);
    for (const snrDb of [-5, 0, 15, 25]) {
      const conditions = {
        ...settings,
        level: { activeRms: 1500 },
        bed: { snrDb, driftDb: 3, variationHz: 0.5 },
      };
      const loud = renderLine(line, { ...conditions, bed: null }, { seed: 0 }).clip;
      for (let seed = 0; seed < 10; seed += 1) {
        const { clip } = renderLine(line, conditions, { seed, voices });
        expect(Math.abs(measuredSnr(loud, clip) - snrDb)).toBeLessThan(0.5);
      }
    }
  });

  it('bursts have the ratio that the timeline states, within the range that was asked', () => {
    const conditions = { ...findConditions('bursts'), level: { activeRms: 1500 } };
    const loud = renderLine({ ...line }, { ...conditions, bursts: null }, { seed: 0 }).clip;
    let measured = 0;
    for (let seed = 0; seed < 80; seed += 1) {
      const { clip, timeline } = renderLine(line, conditions, { seed, voices });
      const bursts = timeline.entries.filter((entry) => entry.kind === 'burst');
      const [only] = bursts;
      if (only === undefined || bursts.length > 1 || only.kind !== 'burst') continue;
      const { snrDb, burst } = only.parameters;
      expect(snrDb).toBeGreaterThanOrEqual(-5);
      expect(snrDb).toBeLessThanOrEqual(10);
      // A burst that the line's end cuts short has only its beginning to measure.
      const seconds = { 'phone-ring': 1.2, 'dog-bark': 1, 'car-horn': 0.9, engine: 2.5, siren: 3 }[burst];
      if (only.endSample - only.startSample < Math.round(seconds * 16_000)) continue;
      expect(Math.abs(measuredSnr(loud, clip, only.startSample, only.endSample) - snrDb)).toBeLessThan(0.5);
      measured += 1;
    }
    expect(measured).toBeGreaterThan(5);
  });

  it('the bed drifts, but by no more than was asked', () => {
    const bed = { snrDb: 10, driftDb: 3, variationHz: 2 };
    const conditions = {
      ...findConditions('bed-street'),
      environments: [{ name: 'pink', beds: ['pink' as const], bursts: [] }],
      bed,
    };
    const silence = { samples: new Int16Array(16_000 * 8), sampleRateHz: 16_000 };
    const { samples } = renderLine(silence, conditions, { seed: 5 }).clip;
    const steady = renderLine(silence, { ...conditions, bed: { ...bed, driftDb: 0 } }, { seed: 5 }).clip
      .samples;
    const ratios: number[] = [];
    for (let at = 0; at < samples.length; at += 1600) {
      const power = (of: Int16Array) =>
        of.subarray(at, at + 1600).reduce((sum, sample) => sum + sample * sample, 0);
      ratios.push(10 * Math.log10(power(samples) / power(steady)));
    }
    const spread = Math.max(...ratios) - Math.min(...ratios);
    expect(spread).toBeGreaterThan(2);
    expect(spread).toBeLessThan(6.1);
  });

  it('the level is the one that was asked', () => {
    const { clip } = renderLine(line, findConditions('level'), { seed: 1 });
    expect(speechRms(clip)).toBeGreaterThan(2990);
    expect(speechRms(clip)).toBeLessThan(3010);
  });

  it('packets are lost at the asked rate, in bursts', () => {
    const conditions = findConditions('packet-loss');
    const long = { samples: new Int16Array(16_000 * 600).fill(1000), sampleRateHz: 16_000 };
    const { clip, timeline } = renderLine(long, conditions, { seed: 2 });
    const lost = clip.samples.filter((sample) => sample === 0).length / clip.samples.length;
    expect(lost).toBeGreaterThan(0.04);
    expect(lost).toBeLessThan(0.06);
    const stretches = timeline.entries.map((entry) => (entry.endSample - entry.startSample) / 320);
    // Alone, losses of 5 % would follow one another once in twenty; in a bad state it is about every second time.
    expect(stretches.filter((packets) => packets > 1).length / stretches.length).toBeGreaterThan(0.25);
  });

  it('chances and rates are kept over many lines', () => {
    const regular = settleConditions(findConditions('regular'), 1);
    const counts: Record<string, number> = {};
    const runs = 1500;
    // Planning is what is counted, so the clip is short; its length is put back into the rate of bursts.
    const short = { samples: line.samples.subarray(0, 8000), sampleRateHz: 16_000 };
    for (let seed = 0; seed < runs; seed += 1) {
      for (const { kind } of renderLine(
        short,
        { ...regular, telephony: null, bed: null },
        { seed, voices, words: 5 },
      ).timeline.entries)
        counts[kind] = (counts[kind] ?? 0) + 1;
    }
    const share = (kind: string) => (counts[kind] ?? 0) / runs;
    expect(share('muffling')).toBeGreaterThan(0.17);
    expect(share('muffling')).toBeLessThan(0.23);
    expect(share('tic')).toBeGreaterThan(0.05);
    expect(share('tic')).toBeLessThan(0.09);
    expect(share('insert') + share('aside')).toBeGreaterThan(0.05);
    expect(share('insert') + share('aside')).toBeLessThan(0.09);
    expect(share('level')).toBe(1);
  });

  it('a line of few words has no tics', () => {
    const conditions = findConditions('tics');
    expect(renderLine(line, conditions, { seed: 1, words: 2 }).timeline.entries).toEqual([]);
    expect(renderLine(line, conditions, { seed: 1, words: 3 }).timeline.entries.length).toBe(1);
  });
});

describe('a timeline that does not fit', () => {
  const { timeline } = renderLine(line, findConditions('bed-babble'), { seed: 1, voices });

  it('is refused with the clip of another line, with other voices, or with none', () => {
    const other = voices.crowd[1] as Pcm;
    expect(() => applyTimeline(other, timeline, voices)).toThrow(TimelineError);
    expect(() => applyTimeline(line, timeline)).toThrow('needs the voices');
    expect(() => applyTimeline(line, timeline, { ...voices, crowd: [other] })).toThrow(TimelineError);
    expect(() => renderLine(line, findConditions('bed-babble'), { seed: 1 })).toThrow(
      "hand some in as 'crowd'",
    );
  });

  it('never runs away, whatever stretches it states', () => {
    const spans = fc.record({ startSample: fc.nat(200_000), endSample: fc.nat(4_000_000_000) });
    const tic = { tic: 'cough', seed: 1, referenceRms: 1000 } as const;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('tic', 'tail', 'packet-loss'), spans), { maxLength: 5 }),
        (parts) => {
          const entries = parts.map(([kind, span]) => ({
            kind,
            ...span,
            parameters: kind === 'tic' ? tic : {},
          }));
          const read = lineTimelineSchema.parse({ ...timeline, entries });
          try {
            expect(applyTimeline(line, read).samples.length).toBeLessThan(line.samples.length + 61 * 16_000);
          } catch (error) {
            expect(error).toBeInstanceOf(TimelineError);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
