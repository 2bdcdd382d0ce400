import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
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
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
    return module.default;
  } catch (error) {
    const hint =
      path.endsWith('.ts') &&
      error instanceof Error &&
      'code' in error &&
      error.code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? 'this Node reads no TypeScript (22.18 and later do); call it parlor.config.js or .json'
        : describeError(error);
    throw new UsageError('bad-config', `cannot read ${path}: ${hint}`, { cause: error });
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
