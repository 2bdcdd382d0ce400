import { UsageError } from '../../shared/index.js';
import type { Terminal } from '../terminal.js';

/** The key of a model's server. @throws UsageError when the variable that was named is not set */
export function keyFrom({ env }: Terminal, name: string | undefined): string | undefined {
  if (name === undefined) return env.PARLOR_API_KEY ?? env.OPENAI_API_KEY;
  const key = env[name];
  if (key === undefined || key === '')
    throw new UsageError('missing-key', `the environment variable ${name} (--api-key-env) is not set`);
  return key;
}
