import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { RolloutInput } from '../../scoring/index.js';
import { describeError } from '../../shared/index.js';

const SCRIPT = fileURLToPath(new URL('./reference.py', import.meta.url));
const TIME_LIMIT_MS = 120_000;
const MAX_OUTPUT_CHARACTERS = 64 * 1024 * 1024;

const replySchema = z.object({
  numpy: z.string(),
  seconds: z.number().positive(),
  grpo: z.array(z.number()),
  hybrid: z.array(z.number()),
});
export type NumpyReply = z.infer<typeof replySchema>;

interface Exit {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(python: string, input: string): Promise<Exit> {
  return new Promise((settle, fail) => {
    const child = spawn(python, [SCRIPT], { timeout: TIME_LIMIT_MS, stdio: ['pipe', 'pipe', 'pipe'] });
    const read = { out: '', err: '' };
    const collect = (key: 'out' | 'err') => (chunk: string) => {
      read[key] += chunk;
      if (read[key].length > MAX_OUTPUT_CHARACTERS) child.kill();
    };
    child.stdout.setEncoding('utf8').on('data', collect('out'));
    child.stderr.setEncoding('utf8').on('data', collect('err'));
    child.on('error', fail);
    child.on('close', (code) => settle({ code, ...read }));
    // A child that dies before it has read all breaks the pipe; its exit code tells why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/**
 * GRPO and hybrid by plain numpy, in a process of its own, on the same numbers.
 * @returns what it computed and needed, or in a few words why it could not be asked
 */
export async function askNumpy(
  python: string,
  groups: readonly (readonly RolloutInput[])[],
  repeats: number,
): Promise<NumpyReply | string> {
  let exit: Exit;
  try {
    exit = await run(python, JSON.stringify({ repeats, groups }));
  } catch (error) {
    return `${python} cannot be started: ${describeError(error)}`;
  }
  if (exit.code !== 0) {
    const last = exit.err.trim().split('\n').at(-1) ?? '';
    return /No module named 'numpy'/.test(last) ? `${python} has no numpy` : `${python} failed: ${last}`;
  }
  try {
    return replySchema.parse(JSON.parse(exit.out));
  } catch {
    return `${python} printed something else than results`;
  }
}
