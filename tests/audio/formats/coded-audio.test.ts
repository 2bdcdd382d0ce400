import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  AudioFormatError,
  decodeAudio,
  encodeAudio,
  encodeWav,
  FfmpegMissingError,
  findFfmpeg,
  type Pcm,
  resample,
  sniffAudioFormat,
} from '../../../src/audio/index.js';
import { readFixtures } from '../../helpers/audio-fixtures.js';

const clip = readFixtures()[0]?.clip as Pcm;
const ffmpegPath = findFfmpeg(process.env.PATH ?? '');
const folder = mkdtempSync(join(tmpdir(), 'parlor-ffmpeg-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program in place of ffmpeg, to see what is asked of it and what happens when it misbehaves. */
function fakeFfmpeg(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Likeness of two clips: the largest correlation over shifts of up to 50 ms (codecs delay). */
function likeness(a: Int16Array, b: Int16Array, shifts: number): number {
  let best = 0;
  for (let shift = -shifts; shift <= shifts; shift += 1) {
    let [ab, aa, bb] = [0, 0, 0];
    for (let i = shifts; i < Math.min(a.length, b.length) - shifts; i += 1) {
      const [x, y] = [a[i] as number, b[i + shift] as number];
      ab += x * y;
      aa += x * x;
      bb += y * y;
    }
    best = Math.max(best, ab / Math.sqrt(aa * bb));
  }
  return best;
}

describe('formats without ffmpeg', () => {
  it('are told apart by their first bytes', () => {
    expect(sniffAudioFormat(encodeWav(clip))).toBe('wav');
    expect(sniffAudioFormat(Buffer.from('fLaC....'))).toBe('flac');
    expect(sniffAudioFormat(Buffer.from('OggS....'))).toBe('opus');
    expect(sniffAudioFormat(Buffer.from('ID3.....'))).toBe('mp3');
    expect(sniffAudioFormat(Uint8Array.of(0xff, 0xfb, 0x90))).toBe('mp3');
    expect(sniffAudioFormat(Buffer.from('<html>'))).toBeNull();
    expect(sniffAudioFormat(new Uint8Array(0))).toBeNull();
  });

  it('WAV goes in and out all the same', async () => {
    const wav = await encodeAudio(clip, 'wav', { ffmpegPath: null });
    expect(await decodeAudio(wav, { ffmpegPath: null })).toEqual(clip);
  });

  it.each(['mp3', 'opus', 'flac'] as const)(
    '%s is refused with a line that says how to get ffmpeg',
    async (format) => {
      const refused = await encodeAudio(clip, format, { ffmpegPath: null }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(FfmpegMissingError);
      expect(String(refused)).toContain('apt-get install ffmpeg');
    },
  );

  it('the program is found in the search path only where it can be run, and in a package only where it is there', () => {
    const path = fakeFfmpeg('ffmpeg', 'exit 0');
    const nothing = () => {
      throw new Error('not installed');
    };
    expect(findFfmpeg(['relative', '/nowhere', folder].join(delimiter), nothing)).toBe(path);
    expect(findFfmpeg('/nowhere', nothing)).toBeNull();
    expect(findFfmpeg('', (name) => (name === 'ffmpeg-static' ? '/gone/ffmpeg' : { path }))).toBe(path);
    chmodSync(path, 0o644);
    expect(findFfmpeg(folder, nothing)).toBeNull();
  });
});

describe('a program that misbehaves', () => {
  const flac = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(100)]);
  // What fluent-ffmpeg asks before it converts, answered as ffmpeg would.
  const capabilities = `case "$*" in
*-version*) exit 0;;
*-encoders*) printf 'Encoders:\\n ------\\n A....D pcm_s16le x\\n A....D flac x\\n A....D libmp3lame x\\n A....D libopus x\\n'; exit 0;;
*-formats*) printf 'File formats:\\n --\\n DE wav x\\n DE flac x\\n DE ogg x\\n DE mp3 x\\n'; exit 0;;
*-codecs*|*-filters*) exit 0;;
esac`;

  it('that hangs is ended after the time limit', async () => {
    const path = fakeFfmpeg('hangs', `${capabilities}\nexec sleep 600`);
    await expect(decodeAudio(flac, { ffmpegPath: path, timeoutMs: 300 })).rejects.toThrow(
      'longer than 300 ms',
    );
  });

  it('that hangs is ended also when the time is up before it was asked to convert', async () => {
    const path = fakeFfmpeg('hangs-later', `${capabilities}\nexec sleep 600`);
    await expect(decodeAudio(flac, { ffmpegPath: path, timeoutMs: 1 })).rejects.toThrow('longer than 1 ms');
  });

  it('that ends long after it has closed its output has converted all the same', async () => {
    const wav = join(folder, 'slow-to-end.wav');
    writeFileSync(wav, encodeWav(clip));
    const path = fakeFfmpeg(
      'slow-to-end',
      `${capabilities}\ncat > /dev/null; cat '${wav}'; exec 1>&-; sleep 0.3; exit 0`,
    );
    expect(await decodeAudio(flac, { ffmpegPath: path })).toEqual(clip);
  });

  it('that gives rubbish is an audio error', async () => {
    const path = fakeFfmpeg('rubbish', `${capabilities}\ncat > /dev/null; echo no audio`);
    await expect(decodeAudio(flac, { ffmpegPath: path })).rejects.toThrow(AudioFormatError);
  });

  it('that never stops talking is ended at the size limit', async () => {
    const path = fakeFfmpeg('endless', `${capabilities}\nexec cat /dev/zero`);
    await expect(decodeAudio(flac, { ffmpegPath: path })).rejects.toThrow('more than 100000000 bytes');
  });

  it('that is not there, or is no program, is refused like a missing one', async () => {
    await expect(decodeAudio(flac, { ffmpegPath: join(folder, 'none') })).rejects.toThrow(FfmpegMissingError);
    const path = join(folder, 'no-program');
    writeFileSync(path, Uint8Array.of(0, 1, 2, 3));
    chmodSync(path, 0o755);
    await expect(decodeAudio(flac, { ffmpegPath: path })).rejects.toThrow('does not start from');
  });
});

describe.skipIf(ffmpegPath === null)('formats with ffmpeg (needs the program ffmpeg)', () => {
  it('flac gives the samples back exactly, and the same bytes every time', async () => {
    const file = await encodeAudio(clip, 'flac', { ffmpegPath });
    expect(sniffAudioFormat(file)).toBe('flac');
    expect(await decodeAudio(file, { ffmpegPath })).toEqual(clip);
    expect(Buffer.compare(file, await encodeAudio(clip, 'flac', { ffmpegPath }))).toBe(0);
  });

  it.each(['mp3', 'opus'] as const)(
    '%s sounds alike, is smaller and has the same bytes every time',
    async (format) => {
      const file = await encodeAudio(clip, format, { ffmpegPath });
      expect(sniffAudioFormat(file)).toBe(format);
      expect(file.length).toBeLessThan(clip.samples.length);
      const heard = await decodeAudio(file, { ffmpegPath });
      const narrow = resample(heard.samples, heard.sampleRateHz, 8000);
      const wanted = resample(clip.samples, clip.sampleRateHz, 8000);
      expect(likeness(wanted, narrow, 600)).toBeGreaterThan(0.95);
      expect(Buffer.compare(file, await encodeAudio(clip, format, { ffmpegPath }))).toBe(0);
    },
  );

  it('hostile files are refused: cut, damaged, or a playlist in disguise', async () => {
    const file = await encodeAudio(clip, 'flac', { ffmpegPath });
    await expect(decodeAudio(file.subarray(0, 30), { ffmpegPath })).rejects.toThrow(AudioFormatError);
    const playlist = Buffer.from(`ID3\n#EXTM3U\n#EXTINF:1,\nfile://${folder}/secret.wav\n`);
    writeFileSync(join(folder, 'secret.wav'), encodeWav(clip));
    await expect(decodeAudio(playlist, { ffmpegPath })).rejects.toThrow(AudioFormatError);
    const damaged = Uint8Array.from(file, (byte, i) => (i > 100 && i % 7 === 0 ? byte ^ 0xff : byte));
    const answer = await decodeAudio(damaged, { ffmpegPath }).catch((error: unknown) => error);
    expect(
      answer instanceof AudioFormatError || (answer as Pcm).samples.length < clip.samples.length * 2,
    ).toBe(true);
  });
});
