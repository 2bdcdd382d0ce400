import { ToolError } from '../errors.js';

/** A tool's arguments as data, from which come its JSON Schema, its check and the TypeScript type of what passes. */
export interface TextArgument {
  readonly type: 'text';
  readonly description: string;
  readonly choices?: readonly string[];
}
export interface TextListArgument {
  readonly type: 'text-list';
  readonly description: string;
}
export type ArgumentTable = Readonly<Record<string, TextArgument | TextListArgument>>;
export type ArgumentsOf<Table extends ArgumentTable> = {
  readonly [Name in keyof Table]: Table[Name] extends TextArgument ? string : readonly string[];
};

/** Room for a long summary or thought; far below what could slow a session down. */
const MAX_TEXT_LENGTH = 20_000;
const MAX_LIST_LENGTH = 200;

export function text(description: string, choices?: readonly string[]): TextArgument {
  return choices === undefined ? { type: 'text', description } : { type: 'text', description, choices };
}

export function textList(description: string): TextListArgument {
  return { type: 'text-list', description };
}

export function toInputSchema(table: ArgumentTable): {
  readonly type: 'object';
  readonly [key: string]: unknown;
} {
  const properties = Object.entries(table).map(([name, argument]) => {
    const { description } = argument;
    if (argument.type === 'text-list')
      return [name, { type: 'array', items: { type: 'string' }, description }] as const;
    const choices = argument.choices === undefined ? {} : { enum: argument.choices };
    return [name, { type: 'string', ...choices, description }] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(table),
    additionalProperties: false,
  };
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function faultOf(
  name: string,
  argument: TextArgument | TextListArgument,
  value: unknown,
): string | undefined {
  if (value === undefined) return `"${name}" is missing (${argument.description})`;
  if (argument.type === 'text') {
    if (typeof value !== 'string') return `"${name}" must be a string; got ${nameType(value)}`;
    if (value.length > MAX_TEXT_LENGTH)
      return `"${name}" may have ${MAX_TEXT_LENGTH} characters; got ${value.length}`;
    return undefined;
  }
  if (!Array.isArray(value)) return `"${name}" must be a list of strings; got ${nameType(value)}`;
  if (value.length > MAX_LIST_LENGTH)
    return `"${name}" may have ${MAX_LIST_LENGTH} entries; got ${value.length}`;
  const place = value.findIndex((entry) => typeof entry !== 'string' || entry.length > MAX_TEXT_LENGTH);
  return place < 0
    ? undefined
    : `"${name}" must be a list of strings; entry ${place + 1} is ${nameType(value[place])}`;
}

/**
 * Checks what a model sent against a tool's table. `choices` are not checked here: each tool refuses a wrong choice in
 * its own turn, after it has looked at the order.
 * @throws ToolError `invalid-arguments` that names every fault at once.
 */
export function readArguments(tool: string, table: ArgumentTable, args: unknown): Record<string, unknown> {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw new ToolError(
      'invalid-arguments',
      `the arguments of ${tool} must be an object; got ${nameType(args)}`,
    );
  const given: Record<string, unknown> = { ...args };
  const faults = Object.entries(table).flatMap(([name, argument]) => {
    const fault = faultOf(name, argument, Object.hasOwn(given, name) ? given[name] : undefined);
    return fault === undefined ? [] : [fault];
  });
  const extra = Object.keys(given).filter((name) => !Object.hasOwn(table, name));
  if (extra.length > 0) {
    const known = Object.keys(table);
    const expected = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
    faults.push(
      `${extra
        .slice(0, 5)
        .map((name) => JSON.stringify(name.slice(0, 60)))
        .join(', ')} is not known (${expected})`,
    );
  }
  if (faults.length > 0)
    throw new ToolError('invalid-arguments', `${tool} was not called: ${faults.join('; ')}`);
  return given;
}
