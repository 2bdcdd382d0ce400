import type { EpisodeKey } from '../episodes/index.js';
import type { HttpRoute, UpgradeRoute } from './http/route.js';

export interface RunningEpisode {
  readonly key: EpisodeKey;
  /** Resolves when its record is closed. Never rejects. */
  readonly done: Promise<void>;
}

/** One way for agents to reach episodes. The sandbox puts the routes of all its fronts on one port. */
export interface Front {
  readonly routes: readonly HttpRoute[];
  readonly upgrades: readonly UpgradeRoute[];
  /** From a start message on, until the record is closed. */
  running(): readonly RunningEpisode[];
  /** Ends what runs as `shutdown` and says goodbye; resolves when the records are closed. */
  shutDown(): Promise<void>;
}
