import type { Agent, AgentReport } from '../agent.js';
import { startEpisode } from '../client/start-episode.js';
import type { AgentVoice } from '../client/voice.js';
import { ConnectionLostError } from '../errors.js';
import { EpisodeLine } from './episode-line.js';
import { FaultInjector } from './faults/fault-injector.js';
import { planFault } from './faults/plan-fault.js';
import { isWrite, type OracleKnowledge } from './knowledge.js';
import { OracleEpisode } from './oracle-episode.js';

export interface OracleOptions {
  /** What the oracle may know about a task; see `oracleKnowledge`. Called once per episode. */
  readonly lookup: (taskId: string) => OracleKnowledge;
  /** Share of episodes, 0 to 1, with one fault put in on purpose. */
  readonly faultRate: number;
  /** Decides which episodes get which fault. */
  readonly seed: number;
  /** For the record; default "oracle", or "oracle-faulty" when faultRate is above 0. */
  readonly name?: string | undefined;
  /** Its own voice, by text and the episode's seed. Default: it sends its words only. */
  readonly voiceOf?: ((text: string, seed: number) => Promise<AgentVoice>) | undefined;
}

/**
 * A reference agent that knows the ground truth; it is a yardstick, not a model. It talks only through the WebSocket.
 * `run` answers with reason null when the connection is lost; `MessageRefusedError` and `ProtocolFaultError` pass through.
 */
export function createOracle({ lookup, faultRate, seed, name, voiceOf }: OracleOptions): Agent {
  if (!(faultRate >= 0 && faultRate <= 1)) throw new RangeError(`faultRate must be 0 to 1; got ${faultRate}`);
  const agent = name ?? (faultRate > 0 ? 'oracle-faulty' : 'oracle');
  return {
    name: agent,
    run: async (assignment, signal): Promise<AgentReport> => {
      const knowledge = lookup(assignment.task);
      const writes = knowledge.groundTruth.filter(isWrite).length;
      const injector = new FaultInjector(planFault({ faultRate, seed }, assignment, writes));
      try {
        const client = await startEpisode(assignment, { agent, signal });
        try {
          const speaks = voiceOf !== undefined && assignment.mode === 'speech';
          const line = speaks
            ? new EpisodeLine(client, (text) => voiceOf(text, assignment.seed))
            : new EpisodeLine(client);
          return await new OracleEpisode(line, knowledge, injector).play();
        } finally {
          client.close();
        }
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        return { episode: null, reason: null, faults: injector.faults };
      }
    },
  };
}
