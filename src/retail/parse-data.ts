import type { z } from 'zod';
import { UsageError } from '../shared/index.js';

/** What to call the data in an error: one file, or for joined data the file and the place in it that a path stands for. */
export type DataSource =
  | string
  | ((path: readonly PropertyKey[]) => { readonly file: string; readonly path: readonly PropertyKey[] });

function toPointer(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '(the whole file)' : `/${path.map(String).join('/')}`;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    data,
  );
}

/** What came, short enough for one line. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    return `an object with ${keys.length === 0 ? 'no fields' : `the fields ${keys.slice(0, 4).join(', ')}${keys.length > 4 ? ', …' : ''}`}`;
  }
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function describeExpectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    const names: Record<string, string> = { record: 'object', array: 'list' };
    return `expected ${names[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  if (issue.code === 'unrecognized_keys')
    return `expected only known fields, but ${issue.keys
      .slice(0, 5)
      .map((key) => JSON.stringify(key))
      .join(', ')} is not one`;
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined)
    return `expected a known ${issue.discriminator}`;
  return `expected other data (${issue.message})`;
}

/** A fault in a data file: the file, the place inside it, what was expected and what came. */
export function dataFault(
  source: DataSource,
  path: readonly PropertyKey[],
  facts: { readonly expected: string; readonly came: string },
): UsageError {
  const located = typeof source === 'string' ? { file: source, path } : source(path);
  const pointer = toPointer(located.path);
  return new UsageError(
    'invalid-data',
    `${located.file}: at ${pointer}: ${facts.expected}; got ${facts.came}`,
    {
      facts: { file: located.file, pointer },
    },
  );
}

/**
 * Checks data against a schema.
 * @throws UsageError `invalid-data` for the first fault, with its JSON Pointer.
 */
export function parseData<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  source: DataSource,
): z.output<Schema> {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [first, ...more] = parsed.error.issues;
  if (first === undefined)
    throw dataFault(source, [], { expected: 'expected other data', came: describeValue(data) });
  const came =
    describeValue(valueAt(data, first.path)) + (more.length > 0 ? ` (and ${more.length} more faults)` : '');
  throw dataFault(source, first.path, { expected: describeExpectation(first), came });
}
