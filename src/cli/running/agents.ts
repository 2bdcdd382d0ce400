import {
  type Agent,
  type AgentVoice,
  chatAgentPromptHash,
  createCascade,
  createChatAgent,
  createMathsReference,
  createOracle,
  createPocketsphinx,
  createRealtimeAgent,
  createTranscriberRecogniser,
  createTwilioAgent,
  oracleKnowledge,
  type RealtimeAgentOptions,
} from '../../agents/index.js';
import { answerOf } from '../../maths/index.js';
import type { ChatClient, Transcriber } from '../../models/index.js';
import type { RetailDomain, Task } from '../../retail/index.js';
import { systemClock, UsageError } from '../../shared/index.js';
import type { AgentFlags } from '../models/model-flags.js';
import { agentAddress } from '../models/phone-flags.js';

export interface AgentChoice {
  readonly name: string;
  /** Share of episodes into which a reference agent puts a fault. */
  readonly faults: number;
  /** Decides which episodes get which fault. */
  readonly seed: number;
  /** Is it spoken with, in any of the run's modes? */
  readonly speaks: boolean;
  /** Where programs are looked for. */
  readonly path: string;
  readonly flags: AgentFlags;
  /** Opens the agent's model, where it has one. */
  readonly openChat: () => ChatClient;
  /** Opens its speech recognition, where one was asked for. */
  readonly openTranscriber: () => Transcriber | null;
  /** A reference agent's own voice; null: it sends its words only. */
  readonly voiceOf: ((text: string, seed: number) => Promise<AgentVoice>) | null;
  /** Where its realtime model is, where it is one. */
  readonly realtimeServer: () => Pick<RealtimeAgentOptions, 'baseUrl' | 'model' | 'apiKey' | 'recording'>;
}

/** An agent with what decides its results, as a run's manifest keeps it. */
export interface MadeAgent {
  readonly agent: Agent;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** True when it tells which faults it put in. */
  readonly labels: boolean;
}

/** One kind of agent that comes with Parlor. */
export interface AgentKind {
  readonly name: string;
  readonly about: string;
  readonly example: string;
  readonly make: (domain: RetailDomain, choice: AgentChoice) => MadeAgent | Promise<MadeAgent>;
}

export function makeOracle(
  { source, tasks, world }: RetailDomain,
  {
    faults,
    seed,
    voiceOf = null,
  }: Pick<AgentChoice, 'faults' | 'seed'> & Partial<Pick<AgentChoice, 'voiceOf'>>,
): MadeAgent {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const find = (id: string): Task => {
    const task = byId.get(id);
    if (task === undefined) throw new RangeError(`no task ${id}`);
    return task;
  };
  const agent =
    source === 'maths'
      ? createMathsReference({ faultRate: faults, seed, answerOf: (id) => answerOf(find(id)) })
      : createOracle({
          ...{ faultRate: faults, seed, voiceOf: voiceOf ?? undefined },
          lookup: (id) => oracleKnowledge(find(id), world),
        });
  return { agent, options: { faults }, labels: true };
}

const HASH_SHOWN = 12;

function makeChatAgent(_domain: RetailDomain, { flags, openChat }: AgentChoice): MadeAgent {
  const chat = openChat();
  const audioTokens = flags.audioTokens ?? (/qwen3/i.test(chat.name) ? 13 : 25);
  const isQwen = /qwen/i.test(chat.name);
  const agent = createChatAgent({
    chat,
    ...{ temperature: flags.temperature, topP: flags.topP, replyTokens: flags.replyTokens },
    ...{ think: flags.think, toolForm: flags.tools, parallelCalls: flags.singleCalls !== true },
    ...{ olderAudio: flags.audioHistory, audioTokensPerSecond: audioTokens },
    ...{ audioBudgetTokens: flags.audioBudget, contextTokens: flags.contextTokens, tokens: flags.tokenIds },
    // Ids are those of Qwen2.5-Omni; what others have is not known here, so it is not checked.
    ...(isQwen ? {} : { endToken: null }),
    ...(isQwen && audioTokens === 25 ? {} : { audioToken: null }),
  });
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return {
    agent,
    options: {
      ...Object.fromEntries(given),
      ...{ model: chat.name, prompt: chatAgentPromptHash().slice(0, HASH_SHOWN) },
    },
    labels: false,
  };
}

function makeTwilioAgent(_domain: RetailDomain, { flags, openTranscriber }: AgentChoice): MadeAgent {
  const { pace, endSilence } = flags;
  const url = agentAddress(flags);
  const transcriber = openTranscriber();
  const agent = createTwilioAgent({
    ...{ url, pace, endSilenceMs: endSilence, clock: systemClock },
    tailSilenceMs: flags.trailingSilenceMs,
    transcriber: transcriber ?? undefined,
  });
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return {
    agent,
    options: { ...Object.fromEntries(given), transcriber: transcriber?.name ?? 'marks' },
    labels: false,
  };
}

function makeRealtimeAgent(
  _domain: RetailDomain,
  { flags, openTranscriber, realtimeServer }: AgentChoice,
): MadeAgent {
  const server = realtimeServer();
  const agent = createRealtimeAgent({
    ...{ ...server, clock: systemClock, transcriber: openTranscriber() ?? undefined },
    ...{ dialect: flags.dialect, voice: flags.voice, turns: flags.turns, encoding: flags.wireAudio },
    ...{ silenceMs: flags.turnSilence, breakIns: flags.bargeIn },
    tailSilenceMs: flags.trailingSilenceMs ?? flags.tailSilence,
    transcriptionModel: flags.inputTranscription,
  });
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return {
    agent,
    options: {
      ...Object.fromEntries(given),
      ...{ model: server.model, prompt: chatAgentPromptHash().slice(0, HASH_SHOWN) },
    },
    labels: false,
  };
}

/** Every product with the values of its options: what the product look-ups tell anyone who asks. */
function catalogueOf({ world }: RetailDomain): Parameters<typeof createPocketsphinx>[0]['catalogue'] {
  const products = [...world.products.values()].map(({ name, variants }) => {
    const options = new Map<string, Set<string>>();
    for (const variant of Object.values(variants))
      for (const [key, value] of Object.entries(variant.options))
        options.set(key, (options.get(key) ?? new Set()).add(value));
    const lists = [...options].map(([key, values]) => [key, [...values]] as const);
    return { name, options: Object.fromEntries(lists) };
  });
  return { products };
}

async function makeCascade(domain: RetailDomain, choice: AgentChoice): Promise<MadeAgent> {
  const { speaks, path, flags, openTranscriber } = choice;
  if (!speaks) return { agent: createCascade({ recogniser: null }), options: {}, labels: false };
  const transcriber = openTranscriber();
  const recogniser =
    transcriber === null
      ? await createPocketsphinx({ catalogue: catalogueOf(domain), path })
      : createTranscriberRecogniser(transcriber);
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return {
    agent: createCascade({ recogniser }),
    options: { ...Object.fromEntries(given), recogniser: recogniser.name },
    labels: false,
  };
}

export const AGENT_KINDS: readonly AgentKind[] = [
  {
    name: 'oracle',
    about: 'a reference that knows the right answers; no model',
    example: 'parlor run --agent oracle --faults 0.15',
    make: makeOracle,
  },
  {
    name: 'openai',
    about:
      'a chat model behind any OpenAI-compatible server (vLLM, SGLang, OpenAI …) that hears clips and calls tools',
    example: 'parlor run --agent openai --base-url http://localhost:8000/v1 --model Qwen/Qwen2.5-Omni-7B',
    make: makeChatAgent,
  },
  {
    name: 'realtime',
    about:
      "a speech-to-speech model behind a realtime WebSocket (OpenAI's Realtime API, DashScope's Qwen-Omni-Realtime)",
    example:
      'parlor run --agent realtime --base-url wss://api.openai.com/v1/realtime --model gpt-realtime --api-key-env OPENAI_API_KEY',
    make: makeRealtimeAgent,
  },
  {
    name: 'twilio',
    about: 'a voice agent that is itself a server and speaks Twilio Media Streams; the sandbox calls it',
    example:
      'parlor run --agent twilio --url ws://localhost:8080/media --transcriber-url http://localhost:8000/v1',
    make: makeTwilioAgent,
  },
  {
    name: 'cascade',
    about: 'a baseline without a model that really listens: speech recognition, rules, tools',
    example: 'parlor run --agent cascade --mode both',
    make: makeCascade,
  },
];

const SOLVERS: readonly string[] = ['oracle', 'openai'];

/** @throws UsageError when there is no agent of that name, or it cannot play this domain. */
export async function createAgent(domain: RetailDomain, choice: AgentChoice): Promise<MadeAgent> {
  if (domain.source === 'maths' && !SOLVERS.includes(choice.name))
    throw new UsageError(
      'unknown-agent',
      `maths is played by ${SOLVERS.join(' or ')}; got "${choice.name}". Connect your own to "parlor serve --domain maths"`,
    );
  const kind = AGENT_KINDS.find(({ name }) => name === choice.name);
  if (kind !== undefined) return await kind.make(domain, choice);
  throw new UsageError(
    'unknown-agent',
    `no agent "${choice.name}"; choose one of ${AGENT_KINDS.map(({ name }) => name).join(', ')} (parlor agents shows how), or run "parlor serve" and connect your own`,
  );
}
