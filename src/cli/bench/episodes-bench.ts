import type { Clock } from '../../shared/index.js';
import { type EpisodePlayerOptions, withEpisodePlayer } from './play-episodes.js';

export interface EpisodesTiming {
  readonly episodes: number;
  readonly perSecond: number;
  readonly toolCalls: number;
  readonly passed: number;
}

export interface EpisodesBenchOptions extends Omit<EpisodePlayerOptions, 'trials'> {
  readonly episodes: number;
  readonly clock: Clock;
}

const WARM_UP_EPISODES = 20;

/** Whole text-mode episodes, end to end: WebSocket, customer, MCP server and client, verifier, record in memory. */
export function benchEpisodes(options: EpisodesBenchOptions): Promise<EpisodesTiming> {
  const { episodes, clock } = options;
  return withEpisodePlayer({ ...options, trials: 1 }, async ({ play, passed, records }) => {
    // The first few pay for compiling the code.
    await play(0, WARM_UP_EPISODES);
    const before = passed();
    const startMs = clock.nowMs();
    await play(100, episodes);
    const seconds = (clock.nowMs() - startMs) / 1000;
    const timed = [...records.episodes.values()].slice(WARM_UP_EPISODES);
    const toolCalls = timed.flat().filter((event) => event.type === 'tool_call').length;
    return { episodes, perSecond: episodes / seconds, toolCalls, passed: passed() - before };
  });
}
