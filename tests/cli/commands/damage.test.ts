import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';

/** A finished run of two episodes, one of them with half a line at its end. */
async function damagedRun(): Promise<string> {
  const root = temporaryFolder();
  const run = join(root, 'run');
  const options = ['--tasks', '2', '--trials', '1', '--mode', 'text', '--no-report'];
  expect((await cli(['run', ...options, '--out', run])).exitCode).toBe(0);
  const episodes = join(run, 'episodes');
  const file = join(episodes, readdirSync(episodes)[0] ?? '');
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"cut":\n`);
  return root;
}

describe('a run with a damaged record', () => {
  it.each([
    ['report', []],
    ['score', []],
    ['export', ['--purpose', 'eval', '--out', 'data']],
  ])(
    '%s names it, goes on and counts at the end; with --strict it exits with 1 and makes nothing',
    async (command, more) => {
      const cwd = await damagedRun();
      const before = readdirSync(cwd, { recursive: true });
      const strict = await cli([command, 'run', ...more, '--strict'], { cwd });
      expect(strict.stderr).toContain('1 damaged place in the records; nothing was made (--strict)');
      expect([strict.exitCode, strict.stdout]).toEqual([1, '']);
      expect(readdirSync(cwd, { recursive: true })).toEqual(before);

      const { exitCode, stderr } = await cli([command, 'run', ...more], { cwd });
      const lines = stderr.trim().split('\n');
      expect(lines.filter((line) => /(\.jsonl|\.s\d+):\d+: /.test(line))).toHaveLength(1);
      expect(lines.at(-1)).toBe(
        'parlor: 1 damaged place in the records; what they hold is left out (--strict makes that an error)',
      );
      expect(exitCode).toBe(0);
    },
  );
});
