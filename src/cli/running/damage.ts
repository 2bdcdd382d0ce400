import { ParlorError } from '../../shared/index.js';
import type { Terminal } from '../terminal.js';

/** Records that cannot be read, where the caller would rather have nothing than a part. Exit status 1. */
export class DamagedRecordsError extends ParlorError {
  constructor(message: string, options: { facts?: Readonly<Record<string, unknown>> } = {}) {
    super('damaged-records', message, options);
  }
}

/** What is named one by one. */
const MOST_NAMED = 10;

export const STRICT = ['--strict', 'exit 1, and make nothing, when a record is damaged'] as const;

/**
 * Names what of the records cannot be read. With `strict` any damage is an error before anything is written; else the returned
 * function counts it once more, for the end of the output.
 */
export function tellDamage(
  faults: readonly string[],
  { strict, terminal }: { readonly strict: boolean; readonly terminal: Terminal },
): () => void {
  for (const fault of faults.slice(0, MOST_NAMED)) terminal.err(`parlor: ${fault}\n`);
  if (faults.length > MOST_NAMED) terminal.err(`parlor: and ${faults.length - MOST_NAMED} more\n`);
  if (faults.length === 0) return () => undefined;
  const count = `${faults.length} damaged ${faults.length === 1 ? 'place' : 'places'} in the records`;
  if (strict)
    throw new DamagedRecordsError(`${count}; nothing was made (--strict). Play those episodes again`, {
      facts: { damaged: faults.length },
    });
  return () => terminal.err(`parlor: ${count}; what they hold is left out (--strict makes that an error)\n`);
}
