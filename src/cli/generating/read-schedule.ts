import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseSchedule, type Schedule, TARL_SCHEDULE } from '../../dataset/index.js';
import { describeError, UsageError } from '../../shared/index.js';
import type { Terminal } from '../terminal.js';

/** The schedule in a file; undefined or "tarl": the recipe of the TARL paper. @throws UsageError */
export async function readSchedule(file: string | undefined, { cwd }: Terminal): Promise<Schedule> {
  if (file === undefined || file === 'tarl') return TARL_SCHEDULE;
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new UsageError('file-unreadable', `cannot read the schedule ${file}: ${describeError(cause)}`, {
      cause,
    });
  }
  return parseSchedule(text, file);
}
