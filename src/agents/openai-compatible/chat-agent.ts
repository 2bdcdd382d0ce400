import { type ChatClient, ChatError, type ChatTool } from '../../models/index.js';
import { describeError } from '../../shared/index.js';
import type { Agent, AgentReport } from '../agent.js';
import { startEpisode } from '../client/start-episode.js';
import type { EpisodeClient, EpisodeEndEvent, EpisodeReadyEvent } from '../episode-client.js';
import { ClipRefusedError, ConnectionLostError } from '../errors.js';
import { agentPrompt, systemMessage } from './agent-prompt.js';
import { Conversation, type OlderAudio } from './conversation.js';
import { GenerationLog } from './generation.js';
import { ModelEpisode } from './model-episode.js';

export interface ChatAgentOptions {
  readonly chat: ChatClient;
  /** For the record; default the chat client's name. */
  readonly name?: string | undefined;
  /** Ask for reasons before each action. Default false. */
  readonly think?: boolean | undefined;
  /** `text`: describe tools in words and read calls from the reply, for servers without a tool parser. Default `api`. */
  readonly toolForm?: 'api' | 'text' | undefined;
  /** Default true: several calls in one reply. */
  readonly parallelCalls?: boolean | undefined;
  /** Of clips that are not the newest any more. Default `keep`, as far as the budget goes. */
  readonly olderAudio?: OlderAudio | undefined;
  /** Default 25 (Qwen2.5-Omni); Qwen3-Omni has 13. */
  readonly audioTokensPerSecond?: number | undefined;
  /** Default 32,768. */
  readonly contextTokens?: number | undefined;
  /** Default 16,000: almost eleven minutes at 25 a second. */
  readonly audioBudgetTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  /** Most tokens of one reply. Default 1,024. */
  readonly replyTokens?: number | undefined;
  /** Send a seed with every request, derived from the episode's. Default true. */
  readonly sendSeed?: boolean | undefined;
  /** In place of the episode's seed, for the seeds of requests. */
  readonly samplingSeed?: number | undefined;
  /** Ask for token ids and log-probabilities and keep them; `given`: keep them if they come unasked. Default false. */
  readonly tokens?: boolean | 'given' | undefined;
  /**
   * `verbatim`: replies stay in the history exactly as the server gave them, and nothing is ever left out, so that each
   * prompt begins with the one before. Default `fitted`: what does not fit is left out, oldest clips first.
   */
  readonly history?: 'fitted' | 'verbatim' | undefined;
  /** Ids to check token ids by; default those of Qwen-Omni, null: do not check. */
  readonly endToken?: number | null | undefined;
  readonly audioToken?: number | null | undefined;
}

export interface ChatAgentSettings {
  readonly think: boolean;
  readonly toolForm: 'api' | 'text';
  readonly parallelCalls: boolean;
  readonly olderAudio: OlderAudio;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly replyTokens: number;
  readonly sendSeed: boolean;
  readonly samplingSeed: number | undefined;
  readonly tokens: boolean | 'given';
  readonly verbatim: boolean;
  readonly tools: (ready: EpisodeReadyEvent) => readonly ChatTool[];
}

const QWEN_END_TOKEN = 151_645;
const QWEN_AUDIO_TOKEN = 151_646;

function settingsOf(options: ChatAgentOptions): ChatAgentSettings {
  const { think = false, toolForm = 'api', parallelCalls = true, olderAudio = 'keep' } = options;
  const { temperature, topP, replyTokens = 1024, sendSeed = true, samplingSeed, tokens = false } = options;
  return {
    ...{ think, toolForm, parallelCalls, olderAudio, temperature, topP, replyTokens, sendSeed, tokens },
    ...{ samplingSeed, verbatim: options.history === 'verbatim' },
    tools: ({ tools }) =>
      tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
  };
}

/** What of the instructions decides results; for a run's manifest. */
export function chatAgentPromptHash(): string {
  return agentPrompt().hash;
}

const MAX_DETAIL_CHARACTERS = 2000;

/** What failed is not the agent's doing when it was its model's server, or a clip: the episode ends so, and is run again. */
async function playOrSayWhy(episode: ModelEpisode, client: EpisodeClient): Promise<EpisodeEndEvent> {
  try {
    return await episode.play();
  } catch (error) {
    if (episode.isOwnFault(error))
      return await client.stop({
        reason: 'failed',
        detail: describeError(error).slice(0, MAX_DETAIL_CHARACTERS),
      });
    const isOutage = error instanceof ChatError && error.failure !== 'called-off';
    if (isOutage || error instanceof ClipRefusedError)
      await client.stop({
        reason: 'unavailable',
        detail: error.message.slice(0, MAX_DETAIL_CHARACTERS),
      });
    throw error;
  }
}

/**
 * An agent whose mind is a chat model with tools, e.g. Qwen2.5-Omni behind vLLM: it hears clips or reads texts, calls tools
 * and answers in text. `run` answers with reason null when the sandbox's connection is lost, and rejects with `ChatError`
 * when the model's server fails for good.
 */
export function createChatAgent(options: ChatAgentOptions): Agent {
  const { chat, audioTokensPerSecond = 25, contextTokens = 32_768, audioBudgetTokens = 16_000 } = options;
  const settings = settingsOf(options);
  const name = options.name ?? chat.name;
  const { endToken = QWEN_END_TOKEN, audioToken = QWEN_AUDIO_TOKEN } = options;
  return {
    name,
    run: async (assignment, signal): Promise<AgentReport> => {
      const nothing: AgentReport = { episode: null, reason: null, faults: [] };
      try {
        const client = await startEpisode(assignment, { agent: name, signal });
        try {
          const conversation = new Conversation({
            system: systemMessage(client.ready, {
              think: settings.think,
              toolsInText: settings.toolForm === 'text',
            }),
            ...{ olderAudio: settings.olderAudio, audioTokensPerSecond, contextTokens, audioBudgetTokens },
            ...{ replyTokens: settings.replyTokens, toolsInText: settings.toolForm === 'text' },
            whole: settings.verbatim,
          });
          const log = new GenerationLog({ audioTokensPerSecond, endToken, audioToken });
          const episode = new ModelEpisode({
            ...{ chat, client, conversation, log, settings, assignment, signal },
          });
          const { reason } = await playOrSayWhy(episode, client);
          return { episode: client.ready.episode, reason, faults: [], generations: episode.generations };
        } finally {
          client.close();
        }
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
        return nothing;
      }
    },
  };
}
