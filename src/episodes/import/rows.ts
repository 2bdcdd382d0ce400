import { z } from 'zod';
import type { ImportFault } from './import-format.js';

/** A row that cannot become an episode. It is named and skipped; the others go on. */
export class BrokenRowError extends Error {}

/** The value in the schema's form. @throws BrokenRowError naming the field */
export function parseRow<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new BrokenRowError(`at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`);
}

const keySchema = z.looseObject({ task_id: z.unknown().optional(), trial: z.unknown().optional() });

/** A row's name for people: `row 17 (task 4, trial 1)`. */
export function nameRow(kind: string, index: number, value: unknown): string {
  const key = keySchema.safeParse(value);
  if (!key.success || key.data.task_id === undefined) return `${kind} ${index}`;
  return `${kind} ${index} (task ${String(key.data.task_id)}, trial ${String(key.data.trial ?? 0)})`;
}

/** Runs one step for one row; a broken row goes to the faults. */
export function tryRow(faults: ImportFault[], where: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!(error instanceof BrokenRowError)) throw error;
    faults.push({ where, problem: error.message });
  }
}
