import { createProgram, runCli } from '../../src/cli/program.js';
import type { Terminal } from '../../src/cli/terminal.js';

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one parlor command line inside this process and gives what it printed. */
export async function cli(args: readonly string[], options: Partial<Terminal> = {}): Promise<CliResult> {
  let stdout = '';
  let stderr = '';
  const terminal: Terminal = {
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    isTty: false,
    columns: 100,
    colour: false,
    env: {},
    cwd: process.cwd(),
    ...options,
  };
  const exitCode = await runCli(createProgram(terminal), ['node', 'parlor', ...args], terminal);
  return { exitCode, stdout, stderr };
}
