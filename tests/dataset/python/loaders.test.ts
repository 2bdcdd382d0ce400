import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { findFfmpeg } from '../../../src/audio/index.js';
import {
  createTokenEncoder,
  FORMATS,
  findAudioFamily,
  loadTokenizer,
  openClipCoder,
  TARL_LIMITS,
} from '../../../src/dataset/index.js';
import { keptFolder } from '../../helpers/temporary-folder.js';
import { exportRun } from '../helpers/export-run.js';
import { sampleRun } from '../helpers/sample-run.js';
import { writeTinyTokenizer } from '../helpers/tiny-tokenizer.js';

const python = join(import.meta.dirname, '../../../.venv-dataset/bin/python');
const isThere = existsSync(python);
if (!isThere)
  console.warn(
    'no .venv-dataset: the checks with real loaders are skipped; make it with scripts/dataset-venv.sh',
  );

const run = promisify(execFile);

describe.skipIf(!isThere)('real loaders read what was exported', () => {
  let out = '';
  let scores = '';
  beforeAll(async () => {
    const folder = keptFolder();
    const made = await sampleRun({
      tasks: 4,
      folder,
      words: ['Grüße ☕ <tool_call> 你好', 'yes 👍🏽', 'thanks'],
    });
    scores = made.scores;
    out = join(folder, 'data');
    const tokens = join(folder, 'tokenizer');
    mkdirSync(tokens);
    writeTinyTokenizer(tokens);
    const encoder = {
      tokenizer: await loadTokenizer({ folder: tokens, template: null }),
      audio: findAudioFamily('qwen2.5-omni'),
    };
    await exportRun(made.dir, out, { scores, encode: createTokenEncoder({ encoder, limits: TARL_LIMITS }) });
  });

  async function check(script: string, data: string, ...args: string[]): Promise<Record<string, number>> {
    const { stdout } = await run(python, [join(import.meta.dirname, script), data, ...args], {
      env: {
        PATH: process.env.PATH,
        // Of its own: `datasets` takes folders of one name for the same dataset.
        HF_HOME: join(data, '..', 'hub'),
        HF_HUB_OFFLINE: '1',
        HOME: join(data, '..'),
      },
      timeout: 240_000,
      maxBuffer: 1 << 24,
    });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, number>;
  }

  it('pyarrow, duckdb, datasets, soundfile and webdataset: sums equal the scores, sound lasts as stated', async () => {
    const report = await check('check_files.py', out, scores);
    expect(report).toMatchObject({
      'hugging-face': 24,
      'web-dataset': 24,
      'verl-trajectories': 24,
      'with tokens': 24,
    });
    expect(report.clips).toBeGreaterThan(30);
  }, 300_000);

  it("the trainers' own data classes: verl, LLaMA-Factory, ms-swift, TRL, verifiers, OpenEnv", async () => {
    const report = await check('check_trainers.py', out);
    expect(report).toMatchObject({
      verl: 8,
      llama_factory: 24,
      ms_swift: 24,
      verifiers: 24,
      open_env: 0,
      nemo_gym: 24,
    });
    expect(report.trl).toBeGreaterThan(24 + 8);
  }, 300_000);

  it.skipIf(findFfmpeg(process.env.PATH ?? '') === null).each(['flac', 'opus'] as const)(
    'clips as %s: soundfile and datasets open them, and they last as the rows say',
    async (format) => {
      const folder = keptFolder();
      const { dir } = await sampleRun({ tasks: 2, trials: 2, folder });
      const data = join(folder, 'data');
      const coder = await openClipCoder(format, findFfmpeg(process.env.PATH ?? ''));
      await exportRun(dir, data, { formats: ['parlor', 'hugging-face', 'web-dataset'], coder });
      const report = await check('check_codecs.py', data, format);
      expect(Math.min(...Object.values(report))).toBeGreaterThan(10);
    },
    240_000,
  );

  it('covers every format', () => {
    expect(FORMATS.size).toBe(16);
  });
});
