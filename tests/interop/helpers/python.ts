import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const projectRoot = resolve(import.meta.dirname, '../../..');
const bin = join(projectRoot, '.venv-interop', 'bin');

/** Made by scripts/interop-venv.sh, which CI runs. */
export const hasPython = existsSync(join(bin, 'python'));

/** Loading the stock package alone takes several seconds on a busy machine. */
export const PYTHON_TIMEOUT_MS = 180_000;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the Python environment to its end. */
export function runInVenv(program: string, args: readonly string[], input = ''): Promise<Finished> {
  return new Promise((settle, fail) => {
    const child = spawn(join(bin, program), args, { cwd: import.meta.dirname });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once('error', fail);
    child.once('close', (code) => settle({ code, stdout, stderr }));
    child.stdin.end(input);
  });
}

export const pythonFile = (name: string): string => join(projectRoot, 'tests', 'interop', 'python', name);
export const venvPython = join(bin, 'python');
