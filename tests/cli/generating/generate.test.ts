import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planTraining } from '../../../src/cli/generating/training-mode.js';
import type { DatasetManifest } from '../../../src/dataset/index.js';
import { hashesIn } from '../../dataset/helpers/export-run.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';

const TASKS = Array.from({ length: 10 }, (_, place) => `task-${place}`);
const INPUT = { mode: 's&t', speechShare: 0.3, pairs: false, seed: 1 } as const;

function manifestOf(dir: string): DatasetManifest {
  return JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as DatasetManifest;
}

describe('the plan of a training set', () => {
  it('speaks exactly the share of the tasks, each task in one mode', () => {
    const { play } = planTraining(TASKS, INPUT);
    expect([play.speech.length, play.text.length]).toEqual([3, 7]);
    expect(new Set([...play.speech, ...play.text])).toEqual(new Set(TASKS));
    expect(planTraining(TASKS, INPUT)).toEqual(planTraining(TASKS, INPUT));
    expect(planTraining(TASKS, { ...INPUT, seed: 2 })).not.toEqual(planTraining(TASKS, INPUT));
  });

  it('plays spoken tasks as text too when pairs are wanted', () => {
    const { play } = planTraining(TASKS, { ...INPUT, pairs: true });
    expect([play.speech.length, play.text.length]).toEqual([3, 10]);
  });

  it('makes both datasets from the same episodes where they can be', () => {
    const { play, datasets } = planTraining(TASKS, { ...INPUT, mode: 'both' });
    expect(play.text).toEqual(TASKS);
    expect([...datasets.keys()]).toEqual(['s-t', 't-only']);
    expect(datasets.get('t-only')).toEqual({ speech: [], text: TASKS });
    expect(datasets.get('s-t')?.text).toHaveLength(7);
  });
});

describe('parlor generate', () => {
  it('makes groups of one customer each, scored and free of evaluation tasks, the same twice', async () => {
    const cwd = temporaryFolder();
    const args = [
      'generate',
      '--mode',
      't-only',
      '--tasks',
      '3',
      '--faults',
      '0.6',
      '--format',
      'parlor,preference,steps',
    ];
    const made = await cli([...args, '--out', 'one'], { cwd });
    expect(made.stderr).not.toMatch(/error/i);
    expect(made.exitCode).toBe(0);
    const manifest = manifestOf(join(cwd, 'one/t-only'));
    expect(manifest.statistics).toMatchObject({
      episodes: 12,
      groups: 3,
      groupSizes: { 4: 3 },
      judged: 12,
      tasks: 3,
    });
    expect(manifest.tasks.evaluation).toBe(0);
    expect(manifest.seeds.distinct).toBe(3);
    expect(manifest.runs[0]?.scorer?.advantage).toBe('grpo');
    expect(existsSync(join(cwd, 'one/runs/rewards.json'))).toBe(true);
    await cli([...args, '--out', 'two'], { cwd });
    expect(hashesIn(join(cwd, 'two/t-only'))).toEqual(hashesIn(join(cwd, 'one/t-only')));
  }, 120_000);

  it('does not go on in a folder that was begun with other tasks', async () => {
    const cwd = temporaryFolder();
    const args = ['generate', '--mode', 't-only', '--tasks', '1', '--group', '1', '--out', 'data'];
    expect((await cli(args, { cwd })).exitCode).toBe(0);
    const other = await cli([...args, '--seed', '2'], { cwd });
    expect(other.exitCode).toBe(2);
    expect(other.stderr).toContain('holds other tasks');
  }, 120_000);

  it('refuses an unknown format before anything is played', async () => {
    const cwd = temporaryFolder();
    const refused = await cli(['generate', '--tasks', '1', '--format', 'nope', '--out', 'never'], { cwd });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"nope"') });
    expect(existsSync(join(cwd, 'never'))).toBe(false);
  });
});
