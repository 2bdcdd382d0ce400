import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeError, UsageError } from '../../shared/index.js';

/** Some fifty times the largest file of the benchmarks. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/**
 * Names of the files of a data folder.
 * @throws UsageError `no-such-folder`.
 */
export async function listFolder(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(folder));
  } catch (cause) {
    throw new UsageError(
      'no-such-folder',
      `expected a data folder at "${folder}"; got none that can be read (${describeError(cause)}). Give a tau-bench or tau2-bench retail folder`,
      { cause, facts: { folder } },
    );
  }
}

/**
 * A text file of bounded size.
 * @throws UsageError `missing-file`, `file-too-large`.
 */
export async function readTextFile(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES)
      throw new UsageError(
        'file-too-large',
        `${path}: expected at most ${MAX_FILE_BYTES} bytes; got ${size}`,
        { facts: { path, size } },
      );
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(
      'missing-file',
      `expected a file at "${path}"; got none that can be read (${describeError(cause)})`,
      {
        cause,
        facts: { path },
      },
    );
  }
}

export interface JsonFile {
  /** The file's name, for errors. */
  readonly name: string;
  readonly data: unknown;
}

/**
 * A JSON file of bounded size.
 * @throws UsageError `missing-file`, `file-too-large`, `broken-json`.
 */
export async function readJsonFile(folder: string, name: string): Promise<JsonFile> {
  const path = join(folder, name);
  const text = await readTextFile(path);
  try {
    return { name: join(basename(folder), name), data: JSON.parse(text) };
  } catch (cause) {
    const found =
      text.trim() === '' ? 'an empty file' : `${text.length} characters that are damaged or cut off`;
    throw new UsageError(
      'broken-json',
      `${path}: expected JSON; got ${found} (${describeError(cause).replaceAll(/\s+/g, ' ')}). Copy the file again`,
      { cause, facts: { path } },
    );
  }
}
