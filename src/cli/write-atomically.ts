import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeError, UsageError } from '../shared/index.js';

/**
 * Writes a file so that nobody ever sees half of it: beside its place first, then moved there.
 * @throws UsageError `cannot-write`; what was at the place before is still there.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  try {
    await writeFile(draft, text);
    await rename(draft, path);
  } catch (cause) {
    // The first failure is the one to tell; a draft that cannot be removed either is of no more interest.
    await rm(draft, { force: true }).catch(() => undefined);
    throw new UsageError(
      'cannot-write',
      `expected to write "${path}"; the system says: ${describeError(cause)}. Does its folder exist?`,
      { cause },
    );
  }
}
