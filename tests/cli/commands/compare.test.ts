import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../../helpers/terminal.js';

const cwd = mkdtempSync(join(tmpdir(), 'parlor-compare-'));
const run = (out: string, args: readonly string[]) =>
  cli(['run', '--mode', 'text', '--tasks', '6', '--trials', '2', '--no-report', '--out', out, ...args], {
    cwd,
  });

describe('parlor compare', () => {
  beforeAll(async () => {
    await run('good', ['--agent', 'oracle']);
    await run('bad', ['--agent', 'oracle', '--faults', '1']);
    await run('short', ['--agent', 'oracle', '--max-turns', '29']);
  });

  it('shows what an agent’s faults cost, on the same tasks', async () => {
    const { exitCode, stdout } = await cli(['compare', 'good', 'bad'], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/text {2}6 tasks that all runs have/);
    expect(stdout).toMatch(/1 +good +100\.0/);
    expect(stdout).toMatch(/1 +bad .* -\d+\.\d/);
  });

  it('prints one JSON document', async () => {
    const { stdout } = await cli(['compare', 'good', 'bad', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ modes: [{ mode: 'text', sharedTasks: 6 }], sameSeed: true });
  });

  it('refuses runs under other rules in one line, and takes them when told to', async () => {
    const refused = await cli(['compare', 'good', 'short'], { cwd });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('limits is {"maxErrors":10,"maxTurns":30} in good');
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    const { exitCode, stdout } = await cli(['compare', 'good', 'short', '--different-rules'], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('note  by request, limits');
  });

  it.each([
    ['one run', ['good'], 'two runs or more'],
    ['the same run twice', ['good', './good'], 'named twice'],
    ['a folder without a run', ['good', 'nothing'], 'no run in'],
  ])('%s is a usage error', async (_what, folders, words) => {
    const { exitCode, stderr } = await cli(['compare', ...folders], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(words);
  });
});
