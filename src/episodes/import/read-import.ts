import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeError } from '../../shared/index.js';
import { ImportError } from '../errors.js';
import type { ImportFormat, ImportReading } from './import-format.js';
import { readTau1 } from './tau1.js';
import { readTau2 } from './tau2.js';
import { tau2ResultsSchema } from './tau2-schema.js';

/** Longer text cannot be held as one string. */
const MAX_FILE_BYTES = 400 * 1024 * 1024;

const FORMATS =
  'a result list of tau-bench version 1 (a JSON list of {task_id, reward, info, traj, trial}), or results of tau2-bench (a JSON object with tasks and simulations, or a folder with results.json and simulations/)';

/** The parser's own message quotes the file, lines and all. */
const whyUnreadable = (cause: unknown): string =>
  cause instanceof SyntaxError ? 'it holds no JSON' : describeError(cause);

async function readJson(file: string): Promise<unknown> {
  try {
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES)
      throw new ImportError(
        `${file} is ${size} bytes; at most ${MAX_FILE_BYTES} can be read. Split it by tasks`,
      );
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    if (cause instanceof ImportError) throw cause;
    throw new ImportError(`cannot read ${file}: ${whyUnreadable(cause)}; give ${FORMATS}`, { cause });
  }
}

/** Simulations of the folder form: one JSON file each, in the order of their names. */
async function readSimulations(folder: string): Promise<unknown[]> {
  const names = await readdir(join(folder, 'simulations')).catch(() => []);
  const simulations: unknown[] = [];
  const files = names.filter((name) => name.endsWith('.json'));
  // A file that is not JSON becomes a row that fits no schema, so that it is named like any other broken row.
  for (const name of files.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })))
    simulations.push(
      await readJson(join(folder, 'simulations', name)).catch(() => `${name} is not readable JSON`),
    );
  return simulations;
}

function refuse(path: string, format: ImportFormat | 'auto', found: string): never {
  const wanted = format === 'auto' ? FORMATS : `the format ${format}`;
  throw new ImportError(`${path}: expected ${wanted}; got ${found}`);
}

/**
 * Reads finished rollouts of tau-bench (version 1) or tau2-bench. Broken rows stand in `faults` and harm no other.
 * @param path a file, or the folder form of tau2-bench
 * @param options.agent the agent's name for the records; default: what the source says, or the file's name
 * @throws ImportError when nothing of that format is there
 */
export async function readImport(
  path: string,
  options: { readonly format?: ImportFormat | 'auto'; readonly agent?: string | undefined } = {},
): Promise<ImportReading> {
  const { format = 'auto', agent = null } = options;
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const json = await readJson(isFolder ? join(path, 'results.json') : path);
  const source = { file: basename(path), agent };
  if (Array.isArray(json)) {
    if (format === 'tau2') refuse(path, format, 'a JSON list, as version 1 writes');
    return { ...readTau1(json, source), fields: {} };
  }
  if (format === 'tau1') refuse(path, format, 'no JSON list');
  const results = tau2ResultsSchema.safeParse(json);
  if (!results.success) {
    const issue = results.error.issues[0];
    refuse(path, format, `a fault at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`);
  }
  const inline = results.data.simulations ?? [];
  const simulations = inline.length > 0 || !isFolder ? inline : await readSimulations(path);
  // The raw file, not the parsed one: whatever the schema does not name is kept too.
  const { simulations: _simulations, ...fields } = json as Record<string, unknown>;
  return { ...readTau2(results.data, simulations, source), fields };
}
