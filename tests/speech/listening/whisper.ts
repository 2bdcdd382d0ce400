import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { type Clip, wavBytes } from '../../../src/speech/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';

const venv = resolve(import.meta.dirname, '../../../.venv-speech');
const python = join(venv, 'bin/python');
const libraries = join(venv, 'lib');

/** What neural voices need beside their weights: why they cannot be heard here; null if they can. */
export const noListener: string | null = !existsSync(python)
  ? 'there is no .venv-speech; scripts/speech-venv.sh makes it'
  : spawnSync('espeak-ng', ['--version']).error !== undefined
    ? 'there is no espeak-ng on PATH'
    : null;

/** A folder of one of the environment's packages, or of the environment itself; null where it is not there. */
export function listenerFolder(path: string): string | null {
  const versions = existsSync(libraries) ? readdirSync(libraries) : [];
  const places = [venv, ...versions.map((version) => join(libraries, version, 'site-packages'))];
  return places.map((place) => join(place, path)).find((folder) => existsSync(folder)) ?? null;
}

/** What Whisper (tiny.en) hears in each clip. */
export function whisperHears(clips: readonly Clip[]): string[] {
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
