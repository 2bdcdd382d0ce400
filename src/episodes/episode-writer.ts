import { closeSync, fsync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { describeError } from '../shared/index.js';
import { RecordError } from './errors.js';
import { type RecordEvent, recordEventSchema } from './record.js';

const fsyncAsync = promisify(fsync);

/** The JSON-lines file of one episode: lines are only ever added, each is whole before the next begins. */
export interface EpisodeWriter {
  /** Checks the event against the schema and writes its line at once, so that a killed process loses none. Throws `RecordError`. */
  append(event: RecordEvent): void;
  /** Forces the file to the disk and closes it; safe twice. */
  close(): Promise<void>;
}

function checked(event: RecordEvent, file: string): RecordEvent {
  const parsed = recordEventSchema.safeParse(event);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RecordError(
    `an event of type ${event.type} does not fit the record's schema at ${issue?.path.join('.')}: ${issue?.message} (${file})`,
  );
}

/** Creates the file. Gives null when it exists already: a record is never written over. Throws `RecordError`. */
export function createEpisodeWriter(file: string): EpisodeWriter | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return null;
    throw new RecordError(`cannot create the record ${file}: ${describeError(error)}`, { cause: error });
  }
  let open = true;
  return {
    append: (event) => {
      if (!open) throw new RecordError(`the record ${file} is closed; nothing can be added to it`);
      // Parsing also fixes the order of the keys, so that equal events give equal bytes.
      const line = Buffer.from(`${JSON.stringify(checked(event, file))}\n`);
      try {
        for (let written = 0; written < line.length; )
          written += writeSync(descriptor, line, written, line.length - written);
      } catch (error) {
        throw new RecordError(`cannot write to the record ${file}: ${describeError(error)}`, {
          cause: error,
        });
      }
    },
    close: async () => {
      if (!open) return;
      open = false;
      try {
        await fsyncAsync(descriptor);
      } catch (error) {
        throw new RecordError(`cannot put the record ${file} on the disk: ${describeError(error)}`, {
          cause: error,
        });
      } finally {
        closeSync(descriptor);
      }
    },
  };
}
