import { appendFileSync } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { describeError, makeFolder, sha256Hex } from '../shared/index.js';
import { attemptId } from './episode-id.js';
import { createEpisodeWriter, type EpisodeWriter } from './episode-writer.js';
import { RecordError, RunFolderError } from './errors.js';
import type { OpenRecord, RecordSink } from './record-sink.js';
import { type RunPaths, runPaths } from './run-paths.js';
import { type EpisodeTiming, episodeTimingSchema } from './timing.js';

/** A folder that a run is written into. Who writes there claims it first: `claimFolder`. */
export interface RunFolder {
  readonly dir: string;
  readonly paths: RunPaths;
  readonly open: OpenRecord;
  appendTiming(timing: EpisodeTiming): void;
  /** Writes a whole file in one step: readers see the old text or the new one, nothing between. */
  writeWhole(path: string, content: string | Uint8Array): Promise<void>;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

let temporaryFiles = 0;

async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  // The process id keeps processes apart, the counter writers of the same process.
  temporaryFiles += 1;
  const temporary = `${path}.${process.pid}-${temporaryFiles}.tmp`;
  try {
    await writeFile(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new RecordError(`cannot write ${path}: ${describeError(error)}`, { cause: error });
  }
}

function createFolderSink(paths: RunPaths, episode: string, writer: EpisodeWriter): RecordSink {
  return {
    episode,
    append: (event) => writer.append(event),
    audio: async (sha256, wav) => {
      const found = sha256Hex(wav);
      if (found !== sha256)
        throw new RecordError(`a clip announced as ${sha256} has the content hash ${found}; not written`);
      const file = paths.clip(sha256);
      if (!(await exists(file))) await writeWhole(file, wav);
    },
    finish: () => writer.close(),
  };
}

/** Makes the folder where it is missing. Rejects with `RunFolderError` when it cannot be used. */
export async function openRunFolder(dir: string): Promise<RunFolder> {
  const paths = runPaths(dir);
  try {
    await makeFolder(paths.episodes);
    await makeFolder(paths.audio);
  } catch (error) {
    throw new RunFolderError(`cannot use ${dir} for a run: ${describeError(error)}; give another folder`, {
      cause: error,
    });
  }
  return {
    dir,
    paths,
    writeWhole,
    open: (wished) => {
      for (let attempt = 1; ; attempt += 1) {
        const episode = attemptId(wished, attempt);
        const writer = createEpisodeWriter(paths.episode(episode));
        if (writer !== null) return createFolderSink(paths, episode, writer);
      }
    },
    appendTiming: (timing) =>
      appendFileSync(paths.timings, `${JSON.stringify(episodeTimingSchema.parse(timing))}\n`),
  };
}
