import type { Agent, AgentReport } from '../agent.js';
import { startEpisode } from '../client/start-episode.js';
import { ConnectionLostError } from '../errors.js';
import { CascadeEpisode } from './dialogue/cascade-episode.js';
import { Line } from './dialogue/line.js';
import { createEar } from './listening/ear.js';
import type { Recogniser } from './recogniser/recogniser.js';
import { Shop } from './shop.js';

const NAME = 'cascade';

export interface CascadeOptions {
  /** Null: it can only read. */
  readonly recogniser: Recogniser | null;
}

/**
 * A baseline that listens: recogniser, rules over the policy, tools. It has no model and no ground truth: all it knows comes
 * over the WebSocket. `run` answers with reason null when the connection is lost; other errors pass through.
 */
export function createCascade({ recogniser }: CascadeOptions): Agent {
  return {
    name: NAME,
    run: async (assignment, signal): Promise<AgentReport> => {
      try {
        const client = await startEpisode(assignment, { agent: NAME, signal });
        try {
          const shop = new Shop();
          const line = new Line(client, { shop, ear: createEar(recogniser, signal) });
          const end = await new CascadeEpisode(line, shop).play(client.opening);
          return { episode: client.ready.episode, reason: end?.reason ?? null, faults: [] };
        } finally {
          client.close();
        }
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        return { episode: null, reason: null, faults: [] };
      }
    },
  };
}
