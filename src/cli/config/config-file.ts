import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import { z } from 'zod';
import { describeError, UsageError } from '../../shared/index.js';

const NAMES = ['parlor.config.json', 'parlor.config.ts', 'parlor.config.js', 'parlor.config.mjs'] as const;

const configSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Settings by the long flags' names in camel case, e.g. `baseUrl`. */
export interface ConfigFile {
  /** Null: there is none. */
  readonly path: string | null;
  readonly values: Readonly<Record<string, string | number | boolean>>;
}

async function load(path: string): Promise<unknown> {
  try {
    if (path.endsWith('.json')) return JSON.parse(await readFile(path, 'utf8'));
    // The same loader on every Node, also on those that read TypeScript by themselves. It writes no cache.
    const jiti = createJiti(import.meta.url, { fsCache: false, interopDefault: false });
    const module: unknown = path.endsWith('.ts')
      ? await jiti.import(path)
      : await import(pathToFileURL(path).href);
    return (module as { default?: unknown }).default;
  } catch (error) {
    // Of a syntax error only the first line is for people.
    const [what] = describeError(error).split('\n');
    throw new UsageError('bad-config', `cannot read ${path}: ${what}`, { cause: error });
  }
}

/**
 * The settings file of a folder.
 * @throws UsageError when there are two, or it cannot be read
 */
export async function readConfigFile(cwd: string): Promise<ConfigFile> {
  const found = NAMES.filter((name) => existsSync(join(cwd, name)));
  const [name] = found;
  if (name === undefined) return { path: null, values: {} };
  if (found.length > 1)
    throw new UsageError('bad-config', `${found.join(' and ')} stand side by side; keep one of them`);
  const parsed = configSchema.safeParse(await load(join(cwd, name)));
  if (parsed.success) return { path: name, values: parsed.data };
  const issue = parsed.error.issues[0];
  throw new UsageError(
    'bad-config',
    `${name}, at ${issue?.path.join('.') || 'the top'}: expected an object of settings, each a text, number or boolean`,
  );
}
