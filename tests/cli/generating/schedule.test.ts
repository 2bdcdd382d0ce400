import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createModelRewriter,
  type DatasetManifest,
  fillSchedule,
  parseSchedule,
} from '../../../src/dataset/index.js';
import { generateMathsTasks } from '../../../src/maths/index.js';
import { createScriptedChat, recordChat } from '../../../src/models/index.js';
import { generateTrainingTasks } from '../../../src/retail/index.js';
import { hashesIn, readLines } from '../../dataset/helpers/export-run.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';

const main = join(import.meta.dirname, '..', '..', '..', 'dist', 'cli', 'main.js');
const SCHEDULE = JSON.stringify({
  ...{ version: 1, seed: 4, batch: { tasks: 5, rollouts: 2 } },
  phases: [
    { name: 'warm-up', steps: 1, tasks: 'simplified', shares: { text: 1 } },
    { name: 'mixed', steps: 2, harder: 0.5, shares: { maths: 0.4, text: 0.5, speech: 0.1 } },
  ],
});
const ARGS = ['generate', '--schedule', 'mine.json', '--format', 'parlor,trl,verl', '--concurrency', '4'];
const phase = (changes: object) => ({ name: 'long', steps: 3, shares: { text: 1 }, ...changes });
const HUGE = JSON.stringify({
  ...{ version: 1, batch: { tasks: 4096, rollouts: 1024 }, phases: [phase({ steps: 1_000_000 })] },
});

function folder(): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'mine.json'), SCHEDULE);
  return cwd;
}

/** Starts the same as a process of its own and kills it, for good, when it begins with the second run. */
async function startAndKill(cwd: string, out: string): Promise<void> {
  const child = spawn(process.execPath, [main, ...ARGS, '--out', out], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.on('data', (data: Buffer) => {
    told += data.toString();
    if (/into \S+\/runs\/text/.test(told)) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect(signal, told).toBe('SIGKILL');
}

describe('parlor generate --schedule', () => {
  it('makes what "curriculum show" shows, labels every row, and ends with the same bytes after a kill', async () => {
    const cwd = folder();
    const made = await cli([...ARGS, '--out', 'one'], { cwd });
    expect(made.stderr).not.toMatch(/error/i);
    expect(made.exitCode).toBe(0);
    const shown = JSON.parse((await cli(['curriculum', 'show', 'mine.json', '--json'], { cwd })).stdout) as {
      counts: { step: number; maths: number; text: number; speech: number }[];
    };
    const manifest = JSON.parse(
      readFileSync(join(cwd, 'one/curriculum/manifest.json'), 'utf8'),
    ) as DatasetManifest;
    expect(manifest.statistics.curriculum).toEqual(shown.counts);
    expect(manifest.statistics.episodes).toBe(30);
    expect(manifest.tasks.evaluation).toBe(0);
    expect(shown.counts.map(({ maths, text, speech }) => [maths, text, speech])).toEqual([
      [0, 5, 0],
      [2, 3, 0],
      [2, 2, 1],
    ]);

    const rows = readLines(join(cwd, 'one/curriculum/parlor/train-00000.jsonl')) as {
      domain: string;
      mode: string;
      curriculum: { step: number; source: string; variant: string };
    }[];
    expect(rows.map(({ curriculum }) => curriculum.step)).toEqual(
      rows.map((_, place) => 1 + Math.floor(place / 10)),
    );
    for (const { domain, mode, curriculum } of rows) {
      expect(domain).toBe(curriculum.source === 'maths' ? 'maths' : 'retail');
      expect(mode).toBe(curriculum.source === 'speech' ? 'speech' : 'text');
    }
    expect(readLines(join(cwd, 'one/curriculum/trl/train-00000.jsonl'))[29]).toMatchObject({
      step: 3,
      phase: 'mixed',
    });

    await startAndKill(cwd, 'two');
    expect((await cli([...ARGS, '--out', 'two'], { cwd })).exitCode).toBe(0);
    expect(hashesIn(join(cwd, 'two/curriculum'))).toEqual(hashesIn(join(cwd, 'one/curriculum')));
    const other = await cli([...ARGS, '--steps', '2', '--out', 'two'], { cwd });
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('of another schedule') });
  }, 240_000);

  it("uses a model's rewrites from a recording, and asks for them only once", async () => {
    const cwd = folder();
    const lines: string[] = [];
    const chat = createScriptedChat((request) => {
      const { instruction } = JSON.parse(String(request.messages[1]?.content)) as { instruction: string };
      return JSON.stringify({ instruction: `Be roundabout. ${instruction}`, requests: [] });
    });
    await fillSchedule(parseSchedule(SCHEDULE, 'test'), {
      rewriter: createModelRewriter(
        recordChat(chat, (line) => lines.push(line)),
        1,
      ),
      supply: {
        retail: (count) => generateTrainingTasks({ count, seed: 1 }),
        maths: (count) => generateMathsTasks({ count, seed: 1 }),
      },
      steps: 2,
    });
    mkdirSync(join(cwd, 'said'));
    writeFileSync(join(cwd, 'said/rewriter.jsonl'), lines.join(''));
    const args = [...ARGS, '--steps', '2', '--rewrite', 'model', '--replay', 'said', '--out', 'data'];
    const made = await cli(args, { cwd });
    expect(made.exitCode).toBe(0);
    expect(made.stderr).toMatch(/made harder: \d by model/);
    expect(readFileSync(join(cwd, 'data/tasks.jsonl'), 'utf8')).toContain('Be roundabout. ');
  }, 120_000);

  it.each([
    [['--schedule', 'tarl', '--tasks', '3'], '--tasks is for the schedule to say'],
    [['--schedule', 'tarl', '--speech-share', '0.1'], '--speech-share is for the schedule to say'],
    [['--steps', '3'], '--steps goes with --schedule only'],
    [['--schedule', 'none.json'], 'cannot read the schedule'],
    [
      ['--schedule', 'tarl', '--steps', '11', '--rewrite', 'model'],
      'the rewriter needs a model: give --rewrite-base-url',
    ],
  ])('refuses %s in one line', async (flags, message) => {
    const cwd = temporaryFolder();
    const refused = await cli(['generate', ...flags, '--out', 'never'], { cwd });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(existsSync(join(cwd, 'never'))).toBe(false);
  });

  it.each([
    ['garbage', '{ "version": 1', 'expected a schedule as JSON'],
    [
      'a negative step count',
      JSON.stringify({ version: 1, phases: [phase({ steps: -3 })] }),
      'phases.0.steps',
    ],
    ['too many tasks', HUGE, 'at most 100,000 tasks in one go; these are 4,096,000,000'],
    [
      'too many episodes',
      JSON.stringify({ version: 1, batch: { tasks: 4096, rollouts: 1024 }, phases: [phase({ steps: 2 })] }),
      'at most 2,000,000 episodes in one go; these are 8,388,608',
    ],
  ])('makes nothing of a schedule that is %s', async (_name, schedule, message) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'mine.json'), schedule);
    const refused = await cli(['generate', '--schedule', 'mine.json', '--out', 'never'], { cwd });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(existsSync(join(cwd, 'never'))).toBe(false);
  });

  it('makes nothing for an agent that there is not', async () => {
    const cwd = temporaryFolder();
    const refused = await cli(['generate', '--agent', 'nobody', '--tasks', '1', '--out', 'never'], { cwd });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no agent "nobody"') });
    expect(existsSync(join(cwd, 'never'))).toBe(false);
  });

  it('makes nothing of more episodes than can be planned', async () => {
    const cwd = temporaryFolder();
    const args = ['generate', '--tasks', '100000', '--group', '1000', '--out', 'never'];
    const refused = await cli(args, { cwd });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('100,000,000') });
    expect(existsSync(join(cwd, 'never'))).toBe(false);
  });
});

describe('parlor curriculum show', () => {
  it('lays out only the steps that are asked for, and refuses more than can be shown', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'huge.json'), HUGE);
    const show = ['curriculum', 'show', 'huge.json'];
    const two = await cli([...show, '--steps', '2', '--picture', 'mix.svg'], { cwd });
    expect(two).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('1000000 steps of 4096 tasks'),
    });
    expect(two.stdout.match(/long/g)).toHaveLength(2);
    const json = JSON.parse((await cli([...show, '--steps', '2', '--json'], { cwd })).stdout) as object;
    expect(json).toMatchObject({ counts: [{ step: 1 }, { step: 2 }], steps: [{ step: 1 }, { step: 2 }] });
    expect(await cli(show, { cwd })).toMatchObject({
      ...{ exitCode: 2, stdout: '' },
      stderr: expect.stringContaining('Look at the first ones with --steps'),
    });
  });
});
