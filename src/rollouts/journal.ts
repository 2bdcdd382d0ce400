import { appendFileSync, chmodSync, closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { describeError, ParlorError } from '../shared/index.js';
import { rolloutResultSchema } from './rollout.js';
import { REWARD_SHAPES } from './rollout-request.js';

/** The journal of rollouts cannot be read or written. */
export class RolloutJournalError extends ParlorError {
  constructor(message: string, cause?: unknown) {
    super('rollout-journal', message, { cause });
  }
}

/** What of a rollout outlives the process. No key and no header: those are the trainer's secrets. */
const storedRolloutSchema = z.object({
  rollout_id: z.string(),
  group_id: z.string().nullable(),
  task: z.string(),
  mode: z.enum(['s&t', 't-only']),
  seed: z.number(),
  trial: z.number(),
  /** Of the request without its secrets: the same id with another one is refused. */
  request_hash: z.string(),
  reward_url: z.string().nullable(),
  reward_shape: z.enum(REWARD_SHAPES),
  needs_headers: z.boolean(),
});
export type StoredRollout = z.infer<typeof storedRolloutSchema>;

const storedResultSchema = rolloutResultSchema.omit({ generations: true });
export type StoredResult = z.infer<typeof storedResultSchema>;

const journalLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('accepted'), rollout: storedRolloutSchema }),
  z.object({
    type: z.literal('ended'),
    rollout_id: z.string(),
    state: z.enum(['done', 'invalid', 'cancelled']),
    result: storedResultSchema,
  }),
  z.object({
    type: z.literal('callback'),
    rollout_id: z.string(),
    state: z.enum(['delivered', 'failed']),
    attempts: z.number(),
    error: z.string().nullable(),
  }),
]);
export type JournalLine = z.infer<typeof journalLineSchema>;

/** Lines are only ever added and are with the operating system before `append` returns: a killed process loses none. */
export interface RolloutJournal {
  /** Throws `RolloutJournalError`. */
  append(line: JournalLine): void;
}

export interface OpenedJournal {
  readonly journal: RolloutJournal;
  /** What earlier processes wrote, in order. */
  readonly lines: readonly JournalLine[];
}

/** More than a hundred thousand rollouts. */
const MAX_READ_BYTES = 256 * 1024 * 1024;

/** At most so many bytes, from the beginning of a line. */
function readEnd(path: string, maxBytes: number): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - maxBytes);
    const bytes = Buffer.alloc(size - from);
    let read = 0;
    for (let more = -1; more !== 0 && read < bytes.length; read += more)
      more = readSync(file, bytes, read, bytes.length - read, from + read);
    const text = bytes.toString('utf8', 0, read);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    closeSync(file);
  }
}

/** Nothing is kept: a restart forgets every rollout. */
export function openNoJournal(): OpenedJournal {
  return { journal: { append: () => undefined }, lines: [] };
}

/**
 * Reads a journal, or begins one that only its owner can read. A last line that was cut off by a crash is left out; any other
 * line that does not fit is an error. Of a journal that has grown very long only the end is read: what is older is forgotten.
 * @throws RolloutJournalError
 */
export function openJournal(path: string, maxBytes = MAX_READ_BYTES): OpenedJournal {
  const fail = (what: string, cause: unknown): never => {
    throw new RolloutJournalError(
      `cannot ${what} the journal of rollouts ${path}: ${describeError(cause)}`,
      cause,
    );
  };
  let text = '';
  try {
    if (existsSync(path)) text = readEnd(path, maxBytes);
    // A cut last line would be glued to the next one.
    if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n');
    else appendFileSync(path, '');
    chmodSync(path, 0o600);
  } catch (error) {
    fail('read', error);
  }
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const isCut = text !== '' && !text.endsWith('\n');
  const lines = rows.flatMap((row, index): JournalLine[] => {
    try {
      return [journalLineSchema.parse(JSON.parse(row))];
    } catch (error) {
      if (isCut && index === rows.length - 1) return [];
      // A line that was once cut is no JSON; whatever is JSON and does not fit was not written by this program.
      if (error instanceof SyntaxError) return [];
      return fail(`read line ${index + 1} of`, error);
    }
  });
  return {
    lines,
    journal: {
      append: (line) => {
        try {
          appendFileSync(path, `${JSON.stringify(line)}\n`);
        } catch (error) {
          fail('write to', error);
        }
      },
    },
  };
}
