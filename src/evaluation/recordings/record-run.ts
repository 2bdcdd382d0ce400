import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EpisodeRecord } from '../../episodes/index.js';
import { describeError } from '../../shared/index.js';
import { RECORDINGS, recordCall, recordingFiles } from './record-call.js';

export interface RecordedRun {
  readonly recorded: number;
  /** One line for each call that lacks sound or could not be written. */
  readonly faults: readonly string[];
}

/** Recordings of all spoken calls that are over; what an earlier run wrote is written again, to the same bytes. */
export async function recordRun(dir: string, records: readonly EpisodeRecord[]): Promise<RecordedRun> {
  const faults: string[] = [];
  let recorded = 0;
  for (const record of records) {
    if (record.header.mode !== 'speech' || record.end === null) continue;
    const { episode } = record.header;
    try {
      const call = await recordCall(dir, record);
      if (call === null) continue;
      recorded += 1;
      if (call.missing.length > 0)
        faults.push(`${episode}: ${call.missing.length} clips are missing in audio/`);
    } catch (error) {
      faults.push(`${episode}: ${describeError(error)}`);
    }
  }
  return { recorded, faults };
}

/** Episodes whose recording lies in the run folder. */
export async function findRecordings(dir: string): Promise<ReadonlySet<string>> {
  const names = new Set(await readdir(join(dir, RECORDINGS)).catch(() => []));
  const found = new Set<string>();
  for (const name of names) {
    const episode = name.endsWith('.wav') ? name.slice(0, -'.wav'.length) : null;
    if (episode !== null && Object.values(recordingFiles(episode)).every((file) => names.has(file)))
      found.add(episode);
  }
  return found;
}
