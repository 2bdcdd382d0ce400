import {
  type AgentReport,
  createRealtimeAgent,
  type RealtimeAgentOptions,
} from '../../../src/agents/index.js';
import { createMemoryRecords, type RecordEvent } from '../../../src/episodes/index.js';
import type { Mode, TurnTaking } from '../../../src/protocol/index.js';
import type { RetailDomain } from '../../../src/retail/index.js';
import { startSandbox } from '../../../src/sandbox/index.js';
import { systemClock } from '../../../src/shared/index.js';
import type { Speaker } from '../../../src/speech/index.js';
import { type CustomerFactory, createScriptedCustomers } from '../../../src/user/index.js';
import { oracleChatPolicy } from '../../helpers/oracle-chat-policy.js';
import type { RealtimeAnswer } from '../../helpers/strict-realtime-response.js';
import {
  type StrictRealtimeOptions,
  startStrictRealtimeServer,
} from '../../helpers/strict-realtime-server.js';
import type { RealtimeRequest } from '../../helpers/strict-realtime-session.js';
import { fakeSpeaker } from '../../sandbox/helpers/fakes.js';

/** Loud enough for a voice detector. */
const loudSpeaker: Speaker = {
  ...fakeSpeaker,
  speak: async (...args) => {
    const spoken = await fakeSpeaker.speak(...args);
    const samples = spoken.clip.samples.map((sample, at) => (at % 2 === 0 ? 60 : -60) * sample);
    return { ...spoken, clip: { ...spoken.clip, samples } };
  },
};

/** A model that solves the task: the oracle, spoken to through a realtime conversation. */
export function oraclePolicy(
  domain: RetailDomain,
  task: string,
): (request: RealtimeRequest) => Promise<RealtimeAnswer> {
  const policy = oracleChatPolicy(domain, () => task);
  return async ({ items }) => {
    const messages = items.map(({ type, role, text }) => ({
      role: type === 'function_call' || role === 'assistant' ? 'assistant' : 'user',
      parts: [{ text }],
    }));
    const answer = await policy({ session: task, messages } as never);
    return { ...(answer.content === undefined ? {} : { say: answer.content }), calls: answer.calls ?? [] };
  };
}

export interface PlayRealtimeOptions {
  readonly domain: RetailDomain;
  readonly task: string;
  readonly mode?: Mode;
  readonly seed?: number;
  readonly server: StrictRealtimeOptions;
  readonly agent?: Partial<RealtimeAgentOptions>;
  readonly customers?: CustomerFactory;
  readonly turnTaking?: TurnTaking;
}

/** A realtime agent plays one task in a real sandbox, its model behind a strict server, all over real sockets. */
export async function playRealtime(options: PlayRealtimeOptions) {
  const { domain, task, mode = 'speech', seed = 1, turnTaking } = options;
  const server = await startStrictRealtimeServer(options.server);
  const records = createMemoryRecords();
  let success = false;
  const sandbox = await startSandbox({
    ...{ domain, speaker: loudSpeaker, customers: options.customers ?? createScriptedCustomers() },
    ...{ outcomeRule: 'tau2', openRecord: records.open, clock: systemClock, ownAgents: true },
    turnTaking: turnTaking !== undefined,
    onEpisodeEnd: ({ outcome }) => {
      success = outcome?.success === true;
    },
  });
  const agent = createRealtimeAgent({
    ...{ baseUrl: server.url, model: 'gpt-realtime', clock: systemClock, ...options.agent },
  });
  let report: AgentReport | null = null;
  let failure: unknown = null;
  try {
    report = await agent.run(
      { url: sandbox.url, task, mode, seed, trial: 0, turnTaking },
      new AbortController().signal,
    );
  } catch (error) {
    failure = error;
  } finally {
    await sandbox.close();
    await server.close();
  }
  const events: readonly RecordEvent[] = [...records.episodes.values()][0] ?? [];
  return { report, failure, success, events, server, episodes: records.episodes.size };
}
