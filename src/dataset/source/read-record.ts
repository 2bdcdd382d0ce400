import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { type EpisodeReading, parseEpisode } from '../../episodes/index.js';
import { describeError } from '../../shared/index.js';

const MAX_RECORD_BYTES = 256 << 20;

/**
 * As `readEpisode` does, without a thread: a record is small, and to hand it over and back costs more than to read it. Never
 * throws. Who reads many has to let the event loop turn now and then.
 */
export function readRecord(path: string): EpisodeReading {
  const fault = (problem: string): EpisodeReading => ({
    record: null,
    faults: [{ file: path, line: null, problem }],
  });
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      if (size > MAX_RECORD_BYTES) return fault(`is ${size} bytes; a record is at most ${MAX_RECORD_BYTES}`);
      return parseEpisode(readFileSync(file, 'utf8'), path);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return fault(describeError(error));
  }
}
