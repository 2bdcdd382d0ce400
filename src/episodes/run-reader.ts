import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeError } from '../shared/index.js';
import { splitAttempt } from './episode-id.js';
import { type RecordFault, readEpisode } from './episode-reader.js';
import { RunFolderError } from './errors.js';
import type { EpisodeRecord } from './record.js';
import { EPISODE_EXTENSION, runPaths } from './run-paths.js';

export interface RunReading {
  /** Every readable episode, each attempt of its own, ordered by id (numbers as numbers, attempts in order). */
  readonly records: readonly EpisodeRecord[];
  readonly faults: readonly RecordFault[];
}

function byEpisode(a: string, b: string): number {
  const left = splitAttempt(a);
  const right = splitAttempt(b);
  return left.base.localeCompare(right.base, 'en', { numeric: true }) || left.attempt - right.attempt;
}

/**
 * Reads the episodes of a run folder. Broken files and lines are named in `faults` and harm no other episode.
 * Rejects with `RunFolderError` only when the folder itself cannot be read.
 */
export async function readRun(dir: string): Promise<RunReading> {
  const folder = runPaths(dir).episodes;
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    throw new RunFolderError(
      `no run in ${dir}: ${describeError(error)}; give a folder that "parlor run" made`,
      {
        cause: error,
      },
    );
  }
  const records: EpisodeRecord[] = [];
  const faults: RecordFault[] = [];
  const ids = names
    .filter((name) => name.endsWith(EPISODE_EXTENSION))
    .map((name) => basename(name, EPISODE_EXTENSION));
  for (const id of ids.sort(byEpisode)) {
    const file = join(folder, `${id}${EPISODE_EXTENSION}`);
    const reading = await readEpisode(file);
    faults.push(...reading.faults);
    if (reading.record === null) continue;
    // A copied file would count its episode twice.
    if (reading.record.header.episode === id) records.push(reading.record);
    else
      faults.push({
        file,
        line: 1,
        problem: `holds the episode ${reading.record.header.episode}; its name says ${id}; left out`,
      });
  }
  return { records, faults };
}
