import {
  type Agent,
  type AgentReport,
  type ChatAgentOptions,
  createChatAgent,
} from '../../../src/agents/index.js';
import { createMemoryRecords, type RecordEvent } from '../../../src/episodes/index.js';
import { createOpenAiChat, type OpenAiChatOptions } from '../../../src/models/index.js';
import type { Mode, TurnTaking } from '../../../src/protocol/index.js';
import type { RetailDomain } from '../../../src/retail/index.js';
import { type LiveJudge, startSandbox } from '../../../src/sandbox/index.js';
import { createRandom, systemClock } from '../../../src/shared/index.js';
import { type CustomerFactory, createScriptedCustomers } from '../../../src/user/index.js';
import { type StrictChatOptions, startStrictChatServer } from '../../helpers/strict-chat-server.js';
import { fakeSpeaker } from '../../sandbox/helpers/fakes.js';

export const MODEL = 'Qwen/Qwen2.5-Omni-7B';

/** The episode's scope begins with its task. */
export const taskOfSession = (session: string): string =>
  decodeURIComponent(session).replace(/\.(?:speech|text)\.t\d+\.s\d+$/, '');

export interface PlayChatOptions {
  readonly domain: RetailDomain;
  readonly tasks: readonly string[];
  readonly mode: Mode;
  readonly server: StrictChatOptions;
  readonly agent?: Partial<ChatAgentOptions>;
  readonly client?: Partial<OpenAiChatOptions>;
  readonly customers?: CustomerFactory;
  readonly liveJudge?: LiveJudge;
  readonly turnTaking?: TurnTaking;
  readonly wrapAgent?: (agent: Agent) => Agent;
}

export interface PlayedEpisode {
  readonly report: AgentReport;
  readonly success: boolean;
  readonly events: readonly RecordEvent[];
}

/** A chat agent plays tasks in a real sandbox, its model behind a strict server, all over real sockets. */
export async function playChat(options: PlayChatOptions) {
  const { domain, tasks, mode } = options;
  const server = await startStrictChatServer(options.server);
  const records = createMemoryRecords();
  const outcomes = new Map<string, boolean>();
  const sandbox = await startSandbox({
    ...{ domain, speaker: fakeSpeaker, customers: options.customers ?? createScriptedCustomers() },
    ...{ outcomeRule: 'tau2', openRecord: records.open, clock: systemClock },
    liveJudge: options.liveJudge,
    turnTaking: options.turnTaking !== undefined,
    onEpisodeEnd: ({ episode, outcome }) => void outcomes.set(episode, outcome?.success === true),
  });
  const chat = createOpenAiChat({
    ...{ baseUrl: server.baseUrl, model: MODEL, server: 'vllm', retryDelayMs: 1 },
    ...{ clock: systemClock, random: createRandom(1), ...options.client },
  });
  const agent = createChatAgent({ chat, ...options.agent });
  try {
    const played: PlayedEpisode[] = [];
    for (const task of tasks) {
      const report = await agent.run(
        { url: sandbox.url, task, mode, seed: 1, trial: 0, turnTaking: options.turnTaking },
        new AbortController().signal,
      );
      const episode = report.episode ?? '';
      played.push({
        ...{ report, success: outcomes.get(episode) === true },
        events: records.episodes.get(episode) ?? [],
      });
    }
    return { played, server };
  } finally {
    await sandbox.close();
    await server.close();
  }
}
