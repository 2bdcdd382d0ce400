/**
 * The base of every failure that a caller, a peer, a model or an operator can act on.
 * A message says what was expected, what came and what to do.
 */
export interface ParlorErrorOptions {
  /** Numbers and names a program may read; never secrets. */
  facts?: Readonly<Record<string, unknown>>;
  /** True when the same call may succeed later without a change. */
  retryable?: boolean;
  cause?: unknown;
}

export class ParlorError extends Error {
  /** Stable, kebab-case; each one has a heading in docs/errors.md. */
  readonly code: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;

  constructor(code: string, message: string, options: ParlorErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.facts = options.facts ?? {};
    this.retryable = options.retryable ?? false;
  }
}

/** The caller asked for something that cannot be: a flag, a path, a file. The command line exits with 2. */
export class UsageError extends ParlorError {
  constructor(code: string, message: string, options: ParlorErrorOptions = {}) {
    super(code, message, options);
  }
}

/** One line for people, whatever was thrown. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
