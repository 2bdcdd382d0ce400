import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/program.js';
import type { Terminal } from '../../src/cli/terminal.js';
import { ParlorError, UsageError } from '../../src/shared/index.js';
import { cli } from '../helpers/terminal.js';

async function runThrowing(error: unknown, env: Terminal['env'] = {}) {
  let stderr = '';
  const terminal: Terminal = {
    out: () => undefined,
    err: (text) => {
      stderr += text;
    },
    isTty: false,
    columns: 80,
    colour: false,
    env,
    cwd: '.',
  };
  const program = new Command('parlor').action(() => {
    throw error;
  });
  const exitCode = await runCli(program, ['node', 'parlor'], terminal);
  return { exitCode, stderr };
}

describe('the command line', () => {
  it('exits with 2 and one line on a usage error', async () => {
    const result = await runThrowing(new UsageError('no-such-folder', 'no folder "x"; give one that exists'));
    expect(result).toEqual({ exitCode: 2, stderr: 'parlor: no folder "x"; give one that exists\n' });
  });

  it('exits with 1 and one line on a failed run', async () => {
    const result = await runThrowing(new ParlorError('synthesis-failed', 'the voice gave no sound'));
    expect(result).toEqual({ exitCode: 1, stderr: 'parlor: the voice gave no sound\n' });
  });

  it('shows no stack trace of its own faults unless asked', async () => {
    const quiet = await runThrowing(new TypeError('boom'));
    expect(quiet.exitCode).toBe(1);
    expect(quiet.stderr).not.toMatch(/\n\s+at /);
    const loud = await runThrowing(new TypeError('boom'), { PARLOR_DEBUG: '1' });
    expect(loud.stderr).toMatch(/\n\s+at /);
  });

  it('takes --help as success, an unknown command and an unknown option as wrong usage', async () => {
    expect((await cli(['--help'])).exitCode).toBe(0);
    expect((await cli(['no-such-command'])).exitCode).toBe(2);
    expect((await cli(['--no-such-option'])).exitCode).toBe(2);
  });
});
