import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/temporary-folder.js';
import { cli } from '../helpers/terminal.js';

const main = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'main.js');

describe('the command as a process', () => {
  it('ends in good order when its reader goes away (| head)', async () => {
    // More than a pipe holds, so that the command meets the closed end.
    const child = spawn(process.execPath, [main, 'tasks', 'list', '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.once('close', (...end) => resolve(end)),
    );
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
  });
});

describe('calls that are wrong are told in one line, exit status 2', () => {
  const readme = join(import.meta.dirname, '..', '..', 'README.md');
  it.each([
    [['say', ''], '<text> must hold something to say, a word or a number; got ""'],
    [['say', ' ... '], 'got " ... "'],
    [['run', '--tasks', '-1'], '--tasks must be at least 1, or ids separated by commas; got "-1"'],
    [['run', '--tasks', '0'], 'got "0"'],
    [['import', readme, '--out', 'run'], 'README.md: it holds no JSON; give '],
    [['export', 'no-run', '--out', 'data'], 'no-run'],
  ])('parlor %j', async (args, told) => {
    const { exitCode, stdout, stderr } = await cli(args, { cwd: temporaryFolder() });
    expect(stderr).toContain(told);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect([exitCode, stdout]).toEqual([2, '']);
  });

  it.skipIf(!existsSync('/proc/self'))(
    'a run below /proc is refused at once (skipped without /proc)',
    async () => {
      const { exitCode, stderr } = await cli([
        'run',
        '--tasks',
        '1',
        '--mode',
        'text',
        '--out',
        '/proc/x/run',
      ]);
      expect(stderr).toContain('cannot use /proc/x/run for a run');
      expect(exitCode).toBe(2);
    },
  );
});
