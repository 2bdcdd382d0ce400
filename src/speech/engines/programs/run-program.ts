import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Clock, describeError } from '../../../shared/index.js';
import { SynthesisError, SynthesisTimeoutError, SynthesisWorkerError } from '../../errors.js';

interface ProgramLimits {
  readonly deadlineMs: number;
  readonly maxOutputBytes: number;
  readonly clock: Clock;
}

interface ProgramCall {
  readonly args: readonly string[];
  readonly input: string;
  /** Exit codes that are no failure; 0 unless given. */
  readonly goodCodes?: readonly number[];
}

const MAX_MESSAGE_CHARS = 300;

/** Where a program is, in the folders of a PATH variable's value; null if it is in none. */
export function findProgram(name: string, searchPath: string): string | null {
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    for (const file of [name, `${name}.exe`]) {
      const path = join(folder, file);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not here.
      }
    }
  }
  return null;
}

/**
 * Runs a program with a text on its standard input and gives what it printed. Bounded in time and size; killed when either is
 * passed. A program that ends badly is a `SynthesisError`, one that is killed by somebody else a `SynthesisWorkerError`.
 */
export function runProgram(
  path: string,
  { args, input, goodCodes = [0] }: ProgramCall,
  { deadlineMs, maxOutputBytes, clock }: ProgramLimits,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    const parts: Buffer[] = [];
    let bytes = 0;
    let messages = '';
    const fail = (error: Error): void => {
      cancel();
      child.kill('SIGKILL');
      reject(error);
    };
    const cancel = clock.after(deadlineMs, () => fail(new SynthesisTimeoutError(deadlineMs)));
    child.on('error', (error) =>
      fail(new SynthesisWorkerError(`${path} could not start: ${describeError(error)}`, error)),
    );
    // A program that ends before it has read all closes the pipe; its exit code says why.
    child.stdin.on('error', () => {});
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > maxOutputBytes)
        fail(new SynthesisError(`${path} printed more than ${maxOutputBytes} bytes`));
      else parts.push(part);
    });
    child.stderr.on('data', (part: Buffer) => {
      if (messages.length < MAX_MESSAGE_CHARS) messages += part.toString();
    });
    child.on('close', (code, signal) => {
      cancel();
      const said = messages.trim().slice(0, MAX_MESSAGE_CHARS);
      if (code !== null && goodCodes.includes(code)) resolve(Buffer.concat(parts));
      else if (code === null)
        reject(new SynthesisWorkerError(`${path} was ended by ${signal ?? 'a signal'}`));
      else reject(new SynthesisError(`${path} ended with exit code ${code}: ${said}`));
    });
    child.stdin.end(input);
  });
}
