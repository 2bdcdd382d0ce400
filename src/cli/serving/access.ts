import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SandboxOptions } from '../../sandbox/index.js';
import { describeError, UsageError } from '../../shared/index.js';
import type { Terminal } from '../terminal.js';

export interface AccessOptions {
  readonly tokenEnv?: string;
  readonly tokenFile?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

export interface Tokens {
  readonly tokens: readonly string[];
  /** The token file, when other users of this machine can read it. */
  readonly exposedFile: string | null;
}

const MAX_TOKEN_FILE_BYTES = 64 * 1024;

function checkTokens(source: string, tokens: readonly string[]): readonly string[] {
  if (tokens.length === 0)
    throw new UsageError('missing-token', `${source}: expected at least one token; there is none`);
  // The token itself is not named: this line may end up in a log.
  if (tokens.some((token) => !/^[\x21-\x7e]+$/.test(token)))
    throw new UsageError(
      'missing-token',
      `${source}: a token is made of visible ASCII characters; one here has others and cannot be sent`,
    );
  return tokens;
}

function fromEnvironment(name: string, env: Terminal['env']): readonly string[] {
  const text = env[name];
  if (text === undefined || text.trim() === '')
    throw new UsageError(
      'missing-token',
      `--token-env ${name}: expected the token in the environment variable ${name}; it is not set`,
    );
  return checkTokens(`--token-env ${name}`, text.trim().split(/\s+/));
}

/** One token a line; empty lines and those that begin with # are left out. */
async function fromFile(path: string): Promise<Tokens> {
  try {
    const { size, mode } = await stat(path);
    if (size > MAX_TOKEN_FILE_BYTES)
      throw new RangeError(`it has ${size} bytes, at most ${MAX_TOKEN_FILE_BYTES} are read`);
    const lines = (await readFile(path, 'utf8')).split(/\r?\n/).map((line) => line.trim());
    const tokens = lines.filter((line) => line !== '' && !line.startsWith('#'));
    // Windows has no such bits, and says 0o666 for every file.
    const isExposed = process.platform !== 'win32' && (mode & 0o077) !== 0;
    return { tokens: checkTokens(`--token-file ${path}`, tokens), exposedFile: isExposed ? path : null };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError('missing-token', `--token-file ${path}: cannot be read: ${describeError(error)}`, {
      cause: error,
    });
  }
}

/** The tokens that open this server, from both sources together. */
export async function readTokens(options: AccessOptions, terminal: Terminal): Promise<Tokens> {
  const { tokenEnv, tokenFile } = options;
  const inEnvironment = tokenEnv === undefined ? [] : fromEnvironment(tokenEnv, terminal.env);
  if (tokenFile === undefined) return { tokens: inEnvironment, exposedFile: null };
  const { tokens, exposedFile } = await fromFile(resolve(terminal.cwd, tokenFile));
  return { tokens: [...new Set([...inEnvironment, ...tokens])], exposedFile };
}

export async function readTls(
  { tlsCert, tlsKey }: AccessOptions,
  { cwd }: Terminal,
): Promise<SandboxOptions['tls']> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new UsageError('tls-files', 'TLS needs both --tls-cert and --tls-key; one of them is missing');
  const read = (flag: string, path: string): Promise<string> =>
    readFile(resolve(cwd, path), 'utf8').catch((cause: unknown) => {
      throw new UsageError('tls-files', `${flag} ${path}: cannot be read: ${describeError(cause)}`, {
        cause,
      });
    });
  const [cert, key] = await Promise.all([read('--tls-cert', tlsCert), read('--tls-key', tlsKey)]);
  return { cert, key };
}
