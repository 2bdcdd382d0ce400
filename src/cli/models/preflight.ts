import { probeRealtime } from '../../agents/index.js';
import { encodeWav } from '../../audio/index.js';
import type { ChatPart, ChatRequest } from '../../models/index.js';
import { sha256Hex } from '../../shared/index.js';
import type { Terminal } from '../terminal.js';
import type { AskedModel, ModelRole, Models } from './open-models.js';

/** What a run is going to ask of its models. */
export interface RunSize {
  readonly episodes: number;
  /** Some episodes are spoken. */
  readonly speaks: boolean;
  /** Characters of policy and tools, which every request of the agent begins with. */
  readonly materialCharacters: number;
  readonly toolsInText: boolean;
  /** What the sandbox speaks with; null: nothing is spoken. */
  readonly speech: string | null;
}

/** In the money of who gave them, per million tokens. */
export interface Prices {
  readonly priceIn?: number;
  readonly priceOut?: number;
}

/**
 * Requests of an episode, and tokens by which a prompt grows on average. Chosen above what the reference agent needs (over the
 * 320 built-in tasks, as text: 9.1 actions, 4.4 customer lines, 620 tokens), for a model errs, asks back, thinks and hears.
 */
const REQUESTS: Readonly<Record<ModelRole, number>> = { agent: 14, user: 8, judge: 1, rewriter: 1 };
const GROWTH_TOKENS: Readonly<Record<ModelRole, number>> = {
  agent: 2500,
  user: 1500,
  judge: 4000,
  rewriter: 800,
};
const REPLY_TOKENS = 100;
const CHARACTERS_PER_TOKEN = 3.5;

/** Half a second of a quiet tone: a clip that every server can decode. */
function probeSound(): { samples: Int16Array; sampleRateHz: number } {
  const sampleRateHz = 16_000;
  const samples = Int16Array.from({ length: sampleRateHz / 2 }, (_, index) =>
    Math.round(3000 * Math.sin((2 * Math.PI * 440 * index) / sampleRateHz)),
  );
  return { samples, sampleRateHz };
}

function probeClip(): ChatPart {
  const wav = encodeWav(probeSound());
  return {
    type: 'audio',
    audio: { wavBase64: Buffer.from(wav).toString('base64'), sha256: sha256Hex(wav), durationMs: 500 },
  };
}

function probe(role: ModelRole, { speaks, toolsInText }: RunSize): ChatRequest {
  const hears = role === 'agent' && speaks;
  return {
    messages: [
      { role: 'system', content: 'This is a test of the line. Answer with the word ready.' },
      { role: 'user', content: hears ? [{ type: 'text', text: 'Ready?' }, probeClip()] : 'Ready?' },
    ],
    tools:
      role === 'agent' && !toolsInText
        ? [{ name: 'nothing', description: 'Does nothing.', parameters: { type: 'object', properties: {} } }]
        : undefined,
    maxTokens: 64,
    scope: 'preflight',
  };
}

export interface CostEstimate {
  readonly requests: number;
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** Null: prices are not known. */
  readonly cost: number | null;
}

export function estimateCost(role: ModelRole, size: RunSize, { priceIn, priceOut }: Prices): CostEstimate {
  const requests = size.episodes * REQUESTS[role];
  const material = role === 'agent' ? size.materialCharacters / CHARACTERS_PER_TOKEN : 800;
  const promptTokens = Math.round(requests * (material + GROWTH_TOKENS[role]));
  const replyTokens = requests * REPLY_TOKENS;
  const cost =
    priceIn === undefined || priceOut === undefined
      ? null
      : (promptTokens * priceIn + replyTokens * priceOut) / 1_000_000;
  return { requests, promptTokens, replyTokens, cost };
}

const thousands = (count: number): string =>
  count >= 1_000_000
    ? `${(count / 1_000_000).toFixed(1)} M`
    : count >= 10_000
      ? `${Math.round(count / 1000)} k`
      : `${count}`;

const canDo = ({ speaks, toolsInText }: RunSize): string =>
  `answers${speaks ? ', takes audio' : ''}${toolsInText ? '' : ', takes tools'}`;

/** Asks one model; gives what to tell about it. Rejects with its error. */
async function check(role: ModelRole, model: AskedModel, size: RunSize, prices: Prices): Promise<string> {
  const { requests, promptTokens, replyTokens, cost } = estimateCost(role, size, prices);
  if (model.kind === 'realtime') {
    await probeRealtime(model.options, size.speaks ? probeSound() : null);
    // Such servers charge for minutes or audio tokens at prices of their own.
    return `${model.options.model} at ${model.baseUrl}: ${canDo(size)}; about ${thousands(requests)} replies, cost unknown`;
  }
  await model.probe.complete(probe(role, size), new AbortController().signal);
  return (
    `${model.probe.name} at ${model.baseUrl}: ${role === 'agent' ? canDo(size) : 'answers'}; about ${thousands(requests)} requests, ` +
    `${thousands(promptTokens)} prompt and ${thousands(replyTokens)} reply tokens, ` +
    `cost ${cost === null ? 'unknown (--price-in and --price-out tell it)' : cost.toFixed(2)}`
  );
}

/** A server that speaks for the customer. */
export interface AskedVoice {
  /** Model and address. */
  readonly name: string;
  /** One real line, past every cache. */
  speak(): Promise<void>;
}

/** Lines that a customer says in an episode, as far as is known before (over the built-in tasks 4.4). */
const LINES = 8;

/**
 * Before a run begins: one real request to every model and to every server that speaks, with a clip and a tool where the run
 * will send them, and what the whole is going to take. Rejects with the error of the first that does not answer.
 */
export async function preflight(
  { models, voices }: { readonly models: Models; readonly voices: readonly AskedVoice[] },
  size: RunSize,
  { terminal, prices }: { readonly terminal: Terminal; readonly prices: Prices },
): Promise<void> {
  if (models.asked.size === 0 && voices.length === 0) return;
  terminal.err('parlor: preflight\n');
  for (const [role, model] of models.asked)
    terminal.err(`  ${role.padEnd(6)} ${await check(role, model, size, prices)}\n`);
  for (const voice of voices) {
    await voice.speak();
    // Most lines of a second trial come from the cache, so this is an upper bound.
    terminal.err(
      `  voice  ${voice.name}: speaks; at most about ${thousands(size.episodes * LINES)} lines, cost unknown\n`,
    );
  }
  if (voices.length === 0)
    terminal.err(
      `  voice  ${size.speech === null ? 'none: text only' : `${size.speech}, on this machine`}\n`,
    );
}
