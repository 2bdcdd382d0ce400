import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInDomain, loadTasksFile } from '../../../src/retail/index.js';
import { hasReferenceData, referencePath } from '../../helpers/reference-data.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';

const builtIn = builtInDomain().tasks;

describe('parlor tasks list', () => {
  it('lists the built-in tasks in a table that fits the terminal, and sums them up', async () => {
    const { exitCode, stdout } = await cli(['tasks', 'list'], { columns: 140 });
    const lines = stdout.trimEnd().split('\n');
    expect(exitCode).toBe(0);
    expect(lines[0]).toMatch(/^id +difficulty +tags +calls +writes +instruction$/);
    expect(lines).toHaveLength(builtIn.length + 2);
    expect(lines[1]).toMatch(/^eval-001 +(?:easy|medium|hard) /);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(140);
    expect(lines.at(-1)).toMatch(/^\d+ tasks: \d+ easy, \d+ medium, \d+ hard$/);
  });

  it('picks a split and a tag, and prints JSON', async () => {
    const { stdout } = await cli(['tasks', 'list', '--split', 'test', '--tag', 'change-of-mind', '--json']);
    const tasks = JSON.parse(stdout) as unknown[];
    expect(tasks).toEqual(builtIn.filter((task) => task.tags.includes('change-of-mind')));
    expect(tasks.length).toBeGreaterThan(5);
  });

  it('counts tags', async () => {
    const { stdout } = await cli(['tasks', 'list', '--by-tag']);
    const forbidden = builtIn.filter((task) => task.tags.includes('forbidden')).length;
    expect(stdout).toMatch(new RegExp(`^ +${forbidden}  forbidden$`, 'm'));
    const { stdout: json } = await cli(['tasks', 'list', '--by-tag', '--json']);
    expect(JSON.parse(json)).toMatchObject({ forbidden });
  });

  it('says which splits and which near tags there are', async () => {
    const split = await cli(['tasks', 'list', '--split', 'tset']);
    expect(split).toMatchObject({ exitCode: 2, stdout: '' });
    expect(split.stderr).toMatch(
      /^parlor: --split must be one of test for built-in \(seed \d+\); got "tset"\n$/,
    );
    const tag = await cli(['tasks', 'list', '--tag', 'forbiden']);
    expect(tag.exitCode).toBe(2);
    expect(tag.stderr).toMatch(/did you mean "forbidden"/);
  });

  it('answers a missing folder with one line', async () => {
    const { exitCode, stderr } = await cli(['tasks', 'list', '--data', join(temporaryFolder(), 'nowhere')]);
    expect(exitCode).toBe(2);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('takes one source at a time', async () => {
    const { exitCode, stderr } = await cli(['tasks', 'list', '--data', 'a', '--tasks', 'b']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/at most one of --data and --tasks/);
  });

  it.skipIf(!hasReferenceData)('reads the folders of both benchmarks', async () => {
    for (const [folder, count] of [
      ['tau1-retail', 115],
      ['tau2-retail', 40],
    ] as const) {
      const { stdout } = await cli([
        'tasks',
        'list',
        '--data',
        referencePath('data', folder),
        '--split',
        'test',
      ]);
      expect(stdout).toMatch(new RegExp(`^${count} tasks`, 'm'));
    }
  });
});

describe('parlor tasks show', () => {
  it('shows what the customer wants, the right calls and what has to be said', async () => {
    const task = builtIn.find(
      ({ communicate, scenario }) => communicate.length > 0 && scenario?.requests[0]?.change,
    );
    const { exitCode, stdout } = await cli(['tasks', 'show', task?.id ?? '']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(task?.instruction);
    expect(stdout).toContain(`"${task?.scenario?.requests[0]?.change?.say}"`);
    for (const { name } of task?.groundTruth ?? []) expect(stdout).toContain(name);
    for (const fact of task?.communicate ?? []) expect(stdout).toContain(`  ${fact}\n`);
  });

  it('prints the task as JSON', async () => {
    const { stdout } = await cli(['tasks', 'show', 'eval-002', '--json']);
    expect(JSON.parse(stdout)).toEqual(builtIn[1]);
  });

  it('names near ids when there is none of this name', async () => {
    const { exitCode, stderr } = await cli(['tasks', 'show', 'eval-01']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^parlor: expected the id of one of the \d+ tasks.*; got "eval-01"; did you mean "eval-0/,
    );
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('parlor tasks generate', () => {
  it('writes a file that list and show read, and leaves nothing else behind', async () => {
    const cwd = temporaryFolder();
    const made = await cli(['tasks', 'generate', '--count', '20', '--seed', '7', '--out', 'x.jsonl'], {
      cwd,
    });
    expect(made).toMatchObject({ exitCode: 0, stdout: '' });
    expect(made.stderr).toMatch(
      /^x\.jsonl: 20 tasks: .*; \d+ customers, none of whom calls in an evaluation task\n$/,
    );
    expect(readdirSync(cwd)).toEqual(['x.jsonl']);
    const tasks = await loadTasksFile(join(cwd, 'x.jsonl'));
    expect(tasks.map((task) => task.id)).toEqual(
      tasks.map((_, place) => `train-7-${String(place + 1).padStart(4, '0')}`),
    );
    const listed = await cli(['tasks', 'list', '--tasks', 'x.jsonl', '--split', 'train'], { cwd });
    expect(listed.stdout).toMatch(/^20 tasks/m);
    const shown = await cli(['tasks', 'show', 'train-7-0003', '--tasks', 'x.jsonl', '--json'], { cwd });
    expect(JSON.parse(shown.stdout)).toEqual(tasks[2]);
  });

  it('takes a name from the seed, and gives the same bytes again', async () => {
    const cwd = temporaryFolder();
    await cli(['tasks', 'generate', '--count', '8', '--seed', '5'], { cwd });
    const { stdout } = await cli(['tasks', 'generate', '--count', '8', '--seed', '5', '--out', '-'], { cwd });
    expect(readFileSync(join(cwd, 'train-5.jsonl'), 'utf8')).toBe(stdout);
  });

  it('shows how far it is on a terminal', async () => {
    const { stderr } = await cli(['tasks', 'generate', '--count', '100', '--out', '-'], { isTty: true });
    expect(stderr).toContain('50/100 tasks');
  });

  it('says in one line that a file cannot be written, and leaves no draft behind', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'file'), 'old');
    mkdirSync(join(cwd, 'folder'));
    for (const out of ['file/x.jsonl', 'nowhere/x.jsonl', 'folder']) {
      const { exitCode, stderr } = await cli(['tasks', 'generate', '--count', '1', '--out', out], { cwd });
      expect(exitCode, out).toBe(2);
      expect(stderr).toMatch(/^parlor: expected to write ".*"; the system says: .*\n$/);
    }
    expect(readdirSync(cwd).toSorted()).toEqual(['file', 'folder']);
    expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('old');
  });

  it('refuses numbers that make no sense', async () => {
    for (const flags of [
      ['--count', '0'],
      ['--count', 'many'],
      ['--seed', '-1'],
      ['--seed', '1.5'],
    ]) {
      const { exitCode, stderr } = await cli(['tasks', 'generate', ...flags]);
      expect(exitCode, flags.join(' ')).toBe(2);
      expect(stderr).toContain(`${flags[0]} must be a whole number`);
    }
  });
});
