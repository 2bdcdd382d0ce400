import { attemptId } from './episode-id.js';
import { RecordError } from './errors.js';
import { type RecordEvent, recordEventSchema } from './record.js';
import type { OpenRecord } from './record-sink.js';

export interface MemoryRecords {
  readonly open: OpenRecord;
  /** Lines by episode id, in the order in which the episodes were opened. */
  readonly episodes: ReadonlyMap<string, readonly RecordEvent[]>;
  readonly finished: ReadonlySet<string>;
  /** WAV files by content hash. */
  readonly audio: ReadonlyMap<string, Uint8Array>;
}

/** Records that live as long as the process: for a server without an output folder, and for tests. */
export function createMemoryRecords(): MemoryRecords {
  const episodes = new Map<string, RecordEvent[]>();
  const finished = new Set<string>();
  const audio = new Map<string, Uint8Array>();
  return {
    episodes,
    finished,
    audio,
    open: (wished) => {
      let attempt = 1;
      while (episodes.has(attemptId(wished, attempt))) attempt += 1;
      const episode = attemptId(wished, attempt);
      const lines: RecordEvent[] = [];
      episodes.set(episode, lines);
      return {
        episode,
        append: (event) => {
          if (finished.has(episode)) throw new RecordError(`the record of ${episode} is closed`);
          lines.push(recordEventSchema.parse(event));
        },
        audio: async (sha256, wav) => void audio.set(sha256, wav),
        finish: async () => void finished.add(episode),
      };
    },
  };
}
