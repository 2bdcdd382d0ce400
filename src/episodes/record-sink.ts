import type { RecordEvent } from './record.js';

/** Where one episode is written while it happens. */
export interface RecordSink {
  /** The id under which it is kept: the header's, with `~2`, `~3` … when that name was taken. */
  readonly episode: string;
  /** Adds one line and hands it to the operating system before returning. Throws `RecordError`. */
  append(event: RecordEvent): void;
  /** Keeps a WAV file under its content hash; a hash that is already there costs nothing. Rejects with `RecordError`. */
  audio(sha256: string, wav: Uint8Array): Promise<void>;
  /** Puts the record on the disk and closes it; safe twice. Nothing can be added afterwards. */
  finish(): Promise<void>;
}

/** Opens the record of an episode whose id is wished to be `episode`. */
export type OpenRecord = (episode: string) => RecordSink;
