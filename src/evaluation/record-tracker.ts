import {
  type EpisodeRecord,
  episodeId,
  type OpenRecord,
  type RunFolder,
  readEpisode,
} from '../episodes/index.js';
import type { PlannedEpisode } from './plan.js';

/** Stands between sandbox and run folder, so that the run learns when a record is closed without looking into a session. */
export interface RecordTracker {
  /** Give this to the sandbox in place of the folder's own. */
  readonly open: OpenRecord;
  /**
   * The newest record of this slot made since the tracker began, once it is closed; null when there is none.
   * An agent can be gone before its episode is: this waits for the sandbox.
   */
  findRecord(plan: PlannedEpisode): Promise<EpisodeRecord | null>;
}

interface Tracked {
  readonly episode: string;
  readonly closed: Promise<void>;
}

export function trackRecords(folder: RunFolder): RecordTracker {
  const newest = new Map<string, Tracked>();
  return {
    open: (wished) => {
      const sink = folder.open(wished);
      let close = (): void => {};
      const closed = new Promise<void>((resolve) => {
        close = resolve;
      });
      newest.set(wished, { episode: sink.episode, closed });
      return {
        episode: sink.episode,
        append: (event) => sink.append(event),
        audio: (sha256, wav) => sink.audio(sha256, wav),
        finish: async () => {
          try {
            await sink.finish();
          } finally {
            close();
          }
        },
      };
    },
    findRecord: async (plan) => {
      const tracked = newest.get(episodeId(plan));
      if (tracked === undefined) return null;
      await tracked.closed;
      return (await readEpisode(folder.paths.episode(tracked.episode))).record;
    },
  };
}
