import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Conditions, ConditionsError, findConditions, parseConditions } from '../../audio/index.js';
import { describeError } from '../../shared/index.js';

const MAX_FILE_BYTES = 1_000_000;

/** The value of `--conditions`: a preset's name, or a JSON file's path. Throws `ConditionsError`. */
export async function loadConditions(nameOrFile: string, cwd: string): Promise<Conditions> {
  if (!nameOrFile.endsWith('.json')) return findConditions(nameOrFile);
  const path = resolve(cwd, nameOrFile);
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES)
      throw new RangeError(`it has ${size} bytes; conditions have at most ${MAX_FILE_BYTES}`);
    return parseConditions(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof ConditionsError) throw error;
    throw new ConditionsError(`cannot read the conditions in ${nameOrFile}: ${describeError(error)}`);
  }
}
