import type { Transcriber } from '../../models/index.js';
import { type Clock, UsageError } from '../../shared/index.js';
import type { Agent, AgentReport } from '../agent.js';
import { startEpisode } from '../client/start-episode.js';
import type { EpisodeClient, EpisodeEndEvent } from '../episode-client.js';
import { ConnectionLostError } from '../errors.js';
import { systemMessage } from '../openai-compatible/agent-prompt.js';
import { type DialectName, dialectOf, type TurnDetection } from './dialect.js';
import { RealtimeError } from './errors.js';
import { RealtimeEpisode } from './realtime-episode.js';
import { RealtimeLine } from './realtime-line.js';
import type { RealtimeRecording } from './recorded/recording.js';
import type { WireEncoding } from './wire-audio.js';

export interface RealtimeAgentOptions {
  /** The whole address without the model, ws:// or wss://. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Default `openai`: the GA Realtime API. `dashscope`: the beta names that Qwen-Omni-Realtime uses. */
  readonly dialect?: DialectName | undefined;
  readonly voice?: string | undefined;
  /** Default `manual`: the customer's turn is committed when it is over. */
  readonly turns?: TurnDetection | undefined;
  /** Of the server's detector. Default 500 ms; DashScope: 800 ms. */
  readonly silenceMs?: number | undefined;
  /** Sent after what the customer says, with `server` turns. Default `silenceMs` and 500 ms. */
  readonly tailSilenceMs?: number | undefined;
  /** Default `pcm16`; G.711 with `openai` only. */
  readonly encoding?: WireEncoding | undefined;
  /** A recogniser on the server's side that writes down what the customer said. Default: none. */
  readonly transcriptionModel?: string | undefined;
  /** Share of the agent's utterances into which the customer breaks. Default 0. */
  readonly breakIns?: number | undefined;
  /** Asked for sound that comes without a transcript. */
  readonly transcriber?: Transcriber | undefined;
  /** Another session is begun at this age. Default 55 minutes; DashScope: 25. */
  readonly sessionMs?: number | undefined;
  /** Keeps the replies (`recordRealtime`), or gives them instead of a server (`replayRealtime`). */
  readonly recording?: RealtimeRecording | undefined;
  readonly clock: Clock;
}

/** Beyond the detector's own silence. */
export const TAIL_MARGIN_MS = 500;
export const DEFAULT_SILENCE_MS: Readonly<Record<DialectName, number>> = { openai: 500, dashscope: 800 };
const MAX_DETAIL_CHARACTERS = 2_000;

/** What failed is not the agent's doing when it was its model's server: the episode ends so, and is run again. */
async function playOrSayWhy(episode: RealtimeEpisode, client: EpisodeClient): Promise<EpisodeEndEvent> {
  try {
    return await episode.play();
  } catch (error) {
    if (error instanceof RealtimeError)
      await client.stop({ reason: 'unavailable', detail: error.message.slice(0, MAX_DETAIL_CHARACTERS) });
    throw error;
  }
}

/**
 * An agent whose mind is a speech-to-speech model behind a realtime WebSocket. `run` answers with reason null when the
 * sandbox's connection is lost, and rejects with `RealtimeError` when the model's server fails for good; one that cannot be
 * reached costs no episode.
 */
export function createRealtimeAgent(options: RealtimeAgentOptions): Agent {
  const {
    baseUrl,
    model,
    apiKey,
    clock,
    voice,
    turns = 'manual',
    encoding = 'pcm16',
    breakIns = 0,
  } = options;
  const dialect = dialectOf(options.dialect ?? 'openai');
  if (encoding !== 'pcm16' && dialect.name === 'dashscope')
    throw new UsageError('bad-option', 'Qwen-Omni-Realtime takes pcm16 only; leave --wire-audio out');
  const { recording, transcriber = null } = options;
  const silenceMs = options.silenceMs ?? DEFAULT_SILENCE_MS[dialect.name];
  const name = `realtime ${model}`;
  return {
    name,
    run: async (assignment, signal): Promise<AgentReport> => {
      const speaks = assignment.mode === 'speech';
      if (!speaks && !dialect.writesItems)
        throw new UsageError(
          'agent-needs-speech',
          'Qwen-Omni-Realtime only hears; use --mode speech, or --dialect openai',
        );
      const { task, mode, trial, seed } = assignment;
      const server = new RealtimeLine({
        ...{ address: { baseUrl, model, apiKey }, dialect, clock, signal },
        tailSilenceMs: options.tailSilenceMs ?? silenceMs + TAIL_MARGIN_MS,
        sessionMs: options.sessionMs ?? dialect.sessionMs,
      });
      const line = recording?.mind(`${task}.${mode}.t${trial}.s${seed}`, server) ?? server;
      try {
        await line.connect();
        const client = await startEpisode(assignment, { agent: name, signal });
        try {
          line.plan({
            ...{ model, tools: client.ready.tools, speaks, voice, turns, silenceMs, encoding },
            instructions: systemMessage(client.ready, { think: false, toolsInText: false }),
            transcriptionModel: options.transcriptionModel,
          });
          const episode = new RealtimeEpisode({
            ...{ client, line, breakIns: speaks ? breakIns : 0, seed: assignment.seed, signal },
            transcriber: recording === undefined ? transcriber : recording.transcriber(transcriber),
          });
          const { reason } = await playOrSayWhy(episode, client);
          return { episode: client.ready.episode, reason, faults: [], generations: episode.generations };
        } finally {
          client.close();
        }
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        return { episode: null, reason: null, faults: [] };
      } finally {
        line.close();
      }
    },
  };
}
