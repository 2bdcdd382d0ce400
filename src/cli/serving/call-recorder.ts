import pLimit from 'p-limit';
import { type RunFolder, readEpisode } from '../../episodes/index.js';
import { recordCall } from '../../evaluation/index.js';
import { describeError, UsageError } from '../../shared/index.js';
import type { ServeLog } from './serve-log.js';

/** Writes recordings of calls that are over, one after the other. */
export interface CallRecorder {
  record(episode: string): void;
  /** Resolves when all that are over are written. */
  settled(): Promise<void>;
}

/**
 * @param folder where the records lie
 * @throws UsageError when recordings are wanted and records are not kept
 */
export function createCallRecorder(
  wanted: boolean,
  folder: RunFolder | null,
  log: ServeLog,
): CallRecorder | null {
  if (!wanted) return null;
  if (folder === null)
    throw new UsageError('bad-option', '--recordings are made from records: give --out FOLDER as well');
  const limit = pLimit(1);
  let last: Promise<void> = Promise.resolve();
  const write = async (episode: string): Promise<void> => {
    try {
      const { record } = await readEpisode(folder.paths.episode(episode));
      if (record !== null && record.header.mode === 'speech') await recordCall(folder.dir, record);
    } catch (error) {
      const message = `no recording of ${episode}: ${describeError(error)}`;
      log({ level: 'warning', event: 'recording', message, fields: { episode } });
    }
  };
  return {
    record: (episode) => {
      last = limit(() => write(episode));
    },
    settled: () => last,
  };
}
