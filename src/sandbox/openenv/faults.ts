import type { z } from 'zod';

/** The codes of OpenEnv's `error` frames. The first four leave the socket open, the others are followed by its close. */
export type EnvErrorCode =
  | 'INVALID_JSON'
  | 'UNKNOWN_TYPE'
  | 'VALIDATION_ERROR'
  | 'EXECUTION_ERROR'
  | 'CAPACITY_REACHED'
  | 'FACTORY_ERROR'
  | 'SESSION_ERROR';

/** One fault of an input, as OpenEnv's servers list them. */
export interface FieldFault {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** What an OpenEnv client is told: it never leaves the sandbox as an exception. */
export class EnvFault extends Error {
  readonly code: EnvErrorCode;
  /** What stands in the frame beside message and code. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: EnvErrorCode, message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'EnvFault';
    this.code = code;
    this.facts = facts;
  }
}

export function fieldFaults(error: z.ZodError): FieldFault[] {
  return error.issues.map(({ code, path, message }) => ({
    type: code,
    loc: path.map((part) => (typeof part === 'number' ? part : String(part))),
    msg: message,
  }));
}

const MAX_DEPTH = 32;

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(item, depth - 1));
}

/** @throws EnvFault VALIDATION_ERROR */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  if (isDeeperThan(value, MAX_DEPTH))
    throw new EnvFault('VALIDATION_ERROR', `a message is nested at most ${MAX_DEPTH} levels deep`, {
      errors: [],
    });
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new EnvFault('VALIDATION_ERROR', 'Invalid message', { errors: fieldFaults(parsed.error) });
}
