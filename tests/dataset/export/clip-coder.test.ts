import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { decodeAudio, decodeWav, findFfmpeg } from '../../../src/audio/index.js';
import { openClipCoder } from '../../../src/dataset/index.js';
import { sha256Hex } from '../../../src/shared/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';
import { exportRun, hashesIn, readLines } from '../helpers/export-run.js';
import { sampleRun } from '../helpers/sample-run.js';

const ffmpegPath = findFfmpeg(process.env.PATH ?? '');
if (ffmpegPath === null) console.warn('no ffmpeg: clips as FLAC and Opus are not checked');

interface Row {
  messages: { audio?: { sha256: string; samples: number; path: string } | null }[];
}

describe.skipIf(ffmpegPath === null)('clips in another format than WAV', () => {
  it.each([
    ['flac', 16_000],
    ['opus', 48_000],
  ] as const)(
    'are %s everywhere, named by their content, as long as the WAV files were',
    async (format, rate) => {
      const { dir, scores } = await sampleRun({ tasks: 1, trials: 2 });
      const out = join(temporaryFolder(), 'data');
      const formats = ['parlor', 'hugging-face', 'web-dataset', 'verl-trajectories'];
      const manifest = await exportRun(dir, out, {
        scores,
        formats,
        coder: await openClipCoder(format, ffmpegPath),
      });
      expect(manifest.settings.audioFormat).toBe(format);
      const clips = readLines(join(out, 'parlor/train-00000.jsonl')).flatMap((row) =>
        (row as unknown as Row).messages.flatMap(({ audio }) => (audio ? [audio] : [])),
      );
      expect(clips.length).toBeGreaterThan(4);
      for (const { path, samples, sha256 } of clips) {
        const file = readFileSync(join(out, path));
        expect(path).toBe(`audio/${sha256Hex(file).slice(0, 2)}/${sha256Hex(file)}.${format}`);
        const pcm = await decodeAudio(file, { ffmpegPath });
        expect(pcm.sampleRateHz).toBe(rate);
        expect(pcm.samples.length / rate).toBe(samples / 16_000);
        if (format === 'flac')
          expect(pcm.samples).toEqual(decodeWav(readFileSync(join(dir, 'audio', `${sha256}.wav`))).samples);
      }
      expect(Object.keys(hashesIn(join(out, 'audio'))).every((name) => name.endsWith(`.${format}`))).toBe(
        true,
      );
      const file = await asyncBufferFromFile(join(out, 'hugging-face/train-00000.parquet'));
      const rows = (await parquetReadObjects({ file, utf8: false })) as {
        clips: { bytes: Uint8Array; path: string }[];
      }[];
      const [first] = rows.flatMap((row) => row.clips);
      expect(String(first?.path)).toMatch(new RegExp(`\\.${format}$`));
      expect(sha256Hex(first?.bytes ?? new Uint8Array())).toBe(clips[0]?.path.slice(9, 73));
      const again = join(temporaryFolder(), 'again');
      await exportRun(dir, again, { scores, formats, coder: await openClipCoder(format, ffmpegPath) });
      expect(hashesIn(again)).toEqual(hashesIn(out));
    },
    120_000,
  );
});

describe('without ffmpeg', () => {
  it('says so in one line before anything is written', async () => {
    const { dir } = await sampleRun({ tasks: 1, trials: 1 });
    const cwd = temporaryFolder();
    const refused = await cli(['export', dir, '--audio-format', 'opus', '--out', 'data'], {
      cwd,
      env: { PATH: '' },
    });
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toMatch(/ffmpeg/);
    expect(
      refused.stderr
        .trim()
        .split('\n')
        .filter((line) => line.includes('ffmpeg')),
    ).toHaveLength(1);
  });
});
