import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cli } from '../../helpers/terminal.js';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'parlor-cli-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const row = (task: number, trial: number, reward: number) => ({
  task_id: task,
  trial,
  reward,
  info: {
    task: { instruction: 'i', actions: [{ name: 'get_x', kwargs: { id: '1' } }], outputs: [] },
    reward_info: { info: { r_actions: reward } },
  },
  traj: [
    { role: 'user', content: 'hello' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', function: { name: 'get_x', arguments: `{"id":"${reward}"}` } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'ok' },
    { role: 'assistant', content: 'Done' },
    { role: 'user', content: '###STOP###' },
  ],
});

async function writeRows(rows: unknown[]): Promise<void> {
  await writeFile(join(cwd, 'rows.json'), JSON.stringify(rows));
}

describe('parlor import', () => {
  it('tells what it did, names what it skipped, and works out pass^k', async () => {
    // Task 1: 2 of 2, task 2: 1 of 2. pass^1 = (1 + 0.5) / 2, pass^2 = (1 + 0) / 2.
    await writeRows([row(1, 0, 1), row(1, 1, 1), row(2, 0, 1), row(2, 1, 0), 'rubbish']);
    const result = await cli(['import', 'rows.json', '--out', 'run'], { cwd });
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result.stderr).toMatch(/^skipped row 4: /);
    expect(result.stdout).toContain(
      '4 episodes of 2 tasks imported from rows.json (tau1) into run; 1 rows skipped',
    );
    expect(result.stdout).toContain('3 of 4 passed; pass^1 75.0 %, pass^2 50.0 %');
  });

  it('exits with 2 and one line when there is nothing to import', async () => {
    await writeRows(['rubbish']);
    for (const args of [['rows.json'], ['no-such-file.json'], ['rows.json', '--format', 'tau2']]) {
      const result = await cli(['import', ...args, '--out', 'run'], { cwd });
      expect(result.exitCode).toBe(2);
      expect(result.stderr).toMatch(/^parlor: [^\n]+\n$/);
    }
    expect((await cli(['import', 'rows.json', '--out', 'run', '--format', 'csv'], { cwd })).exitCode).toBe(2);
  });
});

describe('parlor report', () => {
  it('sums imported episodes up, though nobody planned them, with the pass^k that parlor import printed', async () => {
    await writeRows([row(1, 0, 1), row(1, 1, 1), row(2, 0, 1), row(2, 1, 0)]);
    await cli(['import', 'rows.json', '--out', 'run', '--agent', 'theirs'], { cwd });
    const result = await cli(['report', 'run'], { cwd });
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result.stdout).toContain('rows.json (imported) (rules tau1) · 2 tasks × 2 trials · text');
    expect(result.stdout).toContain('agent theirs');
    expect(result.stdout).toMatch(/\n {2}1 +75\.0 [^\n]+\n {2}2 +50\.0 /);
    expect(existsSync(join(cwd, 'run', 'report.html'))).toBe(true);
    // They cannot be played on.
    const resumed = await cli(['run', '--resume', 'run'], { cwd });
    expect(resumed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('has no run.json') });
  });
});

describe('parlor calibrate', () => {
  it('prints rounds that a person can read and writes a reward file that it takes again', async () => {
    await writeRows(
      Array.from({ length: 12 }, (_, index) => row(index % 6, index % 2, index % 3 === 0 ? 1 : 0)),
    );
    await cli(['import', 'rows.json', '--out', 'run'], { cwd });
    const result = await cli(['calibrate', 'run', '--out', 'rewards.json'], { cwd });
    expect(result).toMatchObject({ exitCode: 0, stderr: 'rewards written to rewards.json\n' });
    expect(result.stdout).toContain('Round 1: 12 episodes of 6 tasks, 4 passed');
    const rewards = JSON.parse(await readFile(join(cwd, 'rewards.json'), 'utf8'));
    // Passing rollouts make the gold call, failing ones read something else: rho is 1 and -1.
    expect(rewards.tiers).toMatchObject({ gold: 1, read: -1 });
    const again = await cli(['calibrate', 'run', '--rewards', 'rewards.json', '--json'], { cwd });
    expect(JSON.parse(again.stdout).rewards.tiers).toEqual(rewards.tiers);
  });

  it.each([
    ['a folder without a run', ['calibrate', 'nowhere'], /no run in/],
    [
      'a missing reward file',
      ['calibrate', 'run', '--rewards', 'x.json'],
      /cannot read the reward file x\.json/,
    ],
    ['a broken reward file', ['calibrate', 'run', '--rewards', 'rows.json'], /no reward file/],
    [
      'only failures',
      ['calibrate', 'run'],
      /calibration needs episodes that passed and episodes that failed/,
    ],
  ])('refuses %s with one line and exit code 2', async (_name, args, message) => {
    await writeRows([row(1, 0, 0)]);
    await cli(['import', 'rows.json', '--out', 'run'], { cwd });
    const result = await cli(args, { cwd });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(message);
    expect(result.stderr).toMatch(/^parlor: [^\n]+\n$/);
  });

  it('refuses numbers that make no sense', async () => {
    for (const option of [
      ['--delta', 'x'],
      ['--alpha', '-1'],
      ['--max-rounds', '1.5'],
      ['--seed', ''],
    ])
      expect((await cli(['calibrate', 'run', ...option], { cwd })).exitCode).toBe(2);
  });

  it('names unreadable episodes and goes on without them', async () => {
    await writeRows([row(1, 0, 1), row(1, 1, 0)]);
    await cli(['import', 'rows.json', '--out', 'run'], { cwd });
    await mkdir(join(cwd, 'run', 'episodes'), { recursive: true });
    await writeFile(join(cwd, 'run', 'episodes', 'broken.jsonl'), 'rubbish');
    const result = await cli(['calibrate', 'run'], { cwd });
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toContain('broken.jsonl');
  });
});

const real = resolve(
  import.meta.dirname,
  '../../../../shared/data/tau1-airline/trajectories_gpt-4o_even_tasks.json',
);

describe.skipIf(!existsSync(real))(
  'the real airline rollouts (skipped where the reference data is absent)',
  () => {
    it('give the pass^k that their rewards imply', async () => {
      const result = await cli(['import', real, '--out', 'run', '--json'], { cwd });
      // Of 25 tasks 8 passed 4 of 4 trials, 2 passed 3, 4 passed 2, 3 passed 1, 8 none.
      // pass^1 = (8 + 2 * 3/4 + 4 * 2/4 + 3 * 1/4) / 25; pass^2 = (8 + 2 * 3/6 + 4 * 1/6) / 25; pass^3 = (8 + 2 * 1/4) / 25.
      const { episodes, tasks, scored, passed, passHat, skipped } = JSON.parse(result.stdout);
      expect({ episodes, tasks, scored, passed, skipped }).toEqual({
        episodes: 100,
        tasks: 25,
        scored: 100,
        passed: 49,
        skipped: [],
      });
      const expected = [12.25 / 25, (9 + 4 / 6) / 25, 8.5 / 25, 8 / 25];
      expect(passHat).toHaveLength(4);
      expected.forEach((value, index) => {
        expect(passHat[index]).toBeCloseTo(value, 12);
      });
    });
  },
);
