import { readFile, stat } from 'node:fs/promises';
import { describeError } from '../shared/index.js';
import {
  type EndEvent,
  type EpisodeHeader,
  type EpisodeRecord,
  type OutcomeEvent,
  type RecordEvent,
  recordEventSchema,
} from './record.js';

/** Something in a record that could not be used; reading went on without it. */
export interface RecordFault {
  readonly file: string;
  /** 1-based; null when it is about the whole file. */
  readonly line: number | null;
  readonly problem: string;
}

export interface EpisodeReading {
  /** Null when the file has no header to go by. */
  readonly record: EpisodeRecord | null;
  readonly faults: readonly RecordFault[];
}

const MAX_RECORD_BYTES = 256 * 1024 * 1024;

type LineReading = { readonly event: RecordEvent } | { readonly problem: string };

function readLine(line: string): LineReading {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { problem: `expected a JSON object; ${describeError(error)}` };
  }
  const parsed = recordEventSchema.safeParse(value);
  if (parsed.success) return { event: parsed.data };
  const issue = parsed.error.issues[0];
  return { problem: `at ${issue?.path.join('.') || 'the top'}: ${issue?.message}` };
}

/** What is wrong with an event at this place of the file, or null. */
function placeFault(
  event: RecordEvent,
  header: EpisodeHeader | null,
  outcome: OutcomeEvent | null,
): string | null {
  if (event.type === 'episode') return header === null ? null : 'a second header';
  if (header === null) return `expected the header first; got ${event.type}`;
  return outcome === null ? null : `${event.type} after the outcome`;
}

/** Reads the text of a record. Never throws: a cut last line is left out, a broken one is left out and named. */
export function parseEpisode(text: string, file: string): EpisodeReading {
  const faults: RecordFault[] = [];
  const events: RecordEvent[] = [];
  let header: EpisodeHeader | null = null;
  let end: EndEvent | null = null;
  let outcome: OutcomeEvent | null = null;
  const lines = text.split('\n');
  const fault = (line: number | null, problem: string): void => void faults.push({ file, line, problem });

  lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const reading = readLine(line);
    if ('problem' in reading) {
      const cut = index === lines.length - 1;
      fault(index + 1, cut ? 'the line was cut short; left out' : `${reading.problem}; left out`);
      return;
    }
    const { event } = reading;
    const misplaced = placeFault(event, header, outcome);
    if (misplaced !== null) {
      fault(index + 1, `${misplaced}; left out`);
      return;
    }
    if (event.type === 'episode') header = event;
    if (event.type === 'end') end = event;
    if (event.type === 'outcome') outcome = event;
    events.push(event);
  });
  if (header === null) {
    fault(null, 'no header in the first line, so it is no episode record');
    return { record: null, faults };
  }
  return { record: { header, events, end, outcome }, faults };
}

/** Reads one episode's file. Never throws: whatever is wrong stands in `faults`. */
export async function readEpisode(file: string): Promise<EpisodeReading> {
  try {
    const { size } = await stat(file);
    if (size > MAX_RECORD_BYTES)
      return {
        record: null,
        faults: [
          { file, line: null, problem: `is ${size} bytes; a record is at most ${MAX_RECORD_BYTES} bytes` },
        ],
      };
    return parseEpisode(await readFile(file, 'utf8'), file);
  } catch (error) {
    return { record: null, faults: [{ file, line: null, problem: describeError(error) }] };
  }
}
