import { z } from 'zod';

/**
 * Parlor protocol 1: every text frame on the agent's WebSocket, as a schema. Binary frames: `audio-frame.ts`.
 * Server events carry `seq` (1, 2, 3 … per connection) and, inside an episode, `turn`.
 */
export const PROTOCOL_VERSION = 'parlor/1';

export const modeSchema = z.enum(['speech', 'text']);
export type Mode = z.infer<typeof modeSchema>;

export const audioFormatSchema = z.object({
  encoding: z.literal('pcm16'),
  sampleRateHz: z.number().int(),
  channels: z.literal(1),
});
export type AudioFormat = z.infer<typeof audioFormatSchema>;

export const toolSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  readOnly: z.boolean(),
  destructive: z.boolean(),
});

export const endReasonSchema = z.enum([
  'customer_stop',
  'transfer',
  'agent_stop',
  'turn_limit',
  'error_limit',
  'agent_timeout',
  'agent_disconnected',
  'customer_failed',
  'platform_failed',
  'shutdown',
]);
export type EndReason = z.infer<typeof endReasonSchema>;

export const endOwnerSchema = z.enum(['agent', 'user', 'platform']);
export type EndOwner = z.infer<typeof endOwnerSchema>;

/** Who brought the end about; platform ends are run again, agent and user ends stay in the denominator. */
export const END_OWNERS: Readonly<Record<EndReason, EndOwner>> = {
  customer_stop: 'user',
  transfer: 'agent',
  agent_stop: 'agent',
  turn_limit: 'agent',
  error_limit: 'agent',
  agent_timeout: 'agent',
  agent_disconnected: 'agent',
  customer_failed: 'user',
  platform_failed: 'platform',
  shutdown: 'platform',
};

// ---- client to server -------------------------------------------------------------------------------------------

export const episodeStartSchema = z.strictObject({
  type: z.literal('episode.start'),
  /** A task id of the server's catalogue. */
  task: z.string().min(1).max(200),
  mode: modeSchema,
  /** Decides the customer's wording and voice. */
  seed: z.number().int().min(0).max(0xffffffff),
  /** A label for repeated runs of a task; 0-based. */
  trial: z.number().int().min(0).max(1_000_000).default(0),
  /** The agent's name, for the record. */
  agent: z.string().min(1).max(200).default('unnamed'),
});

export const agentMessageSchema = z.strictObject({
  type: z.literal('agent.message'),
  /** Said to the customer. */
  text: z.string().min(1).max(20_000),
  /** Recorded, never shown to the customer. */
  reasoning: z.string().max(100_000).optional(),
});

export const toolCallMessageSchema = z.strictObject({
  type: z.literal('tool.call'),
  /** Chosen by the client, unique within the episode. */
  callId: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()),
  reasoning: z.string().max(100_000).optional(),
});

export const agentStopSchema = z.strictObject({ type: z.literal('agent.stop') });

export const clientMessageSchema = z.discriminatedUnion('type', [
  episodeStartSchema,
  agentMessageSchema,
  toolCallMessageSchema,
  agentStopSchema,
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;
export type ClientMessageInput = z.input<typeof clientMessageSchema>;

// ---- server to client -------------------------------------------------------------------------------------------

const seq = z.number().int().min(1);
/** 0 is the opening; k is the agent's k-th action. */
const turn = z.number().int().min(0);

export const helloSchema = z.object({
  type: z.literal('hello'),
  seq,
  protocol: z.literal(PROTOCOL_VERSION),
  server: z.string(),
  modes: z.array(modeSchema),
  audio: audioFormatSchema,
  limits: z.object({
    maxTurns: z.number().int(),
    maxErrors: z.number().int(),
    maxMessageBytes: z.number().int(),
    agentTimeoutMs: z.number().int(),
  }),
});

export const episodeReadySchema = z.object({
  type: z.literal('episode.ready'),
  seq,
  episode: z.string(),
  task: z.string(),
  mode: modeSchema,
  policy: z.string(),
  tools: z.array(toolSchema),
});

export const customerStartSchema = z.object({
  type: z.literal('customer.start'),
  seq,
  turn,
  /** Counts the customer's utterances from 0; audio frames name it. */
  utterance: z.number().int().min(0),
  /** How this utterance travels: as text frames or as audio frames. */
  form: modeSchema,
});
export const customerTextSchema = z.object({
  type: z.literal('customer.text'),
  seq,
  utterance: z.number().int().min(0),
  text: z.string(),
});
export const customerEndSchema = z.object({
  type: z.literal('customer.end'),
  seq,
  turn,
  utterance: z.number().int().min(0),
  /** 0 for text. */
  durationMs: z.number().min(0),
  samples: z.number().int().min(0),
  /** True when the customer hangs up after this utterance: `episode.end` follows, nothing more is taken. */
  final: z.boolean(),
});

export const toolResultSchema = z.object({
  type: z.literal('tool.result'),
  seq,
  turn,
  callId: z.string(),
  ok: z.boolean(),
  /** What the model should read; errors start with "Error: ". */
  content: z.string(),
});

export const episodeEndSchema = z.object({
  type: z.literal('episode.end'),
  seq,
  turn,
  episode: z.string(),
  reason: endReasonSchema,
  owner: endOwnerSchema,
  /** Numbers only: what was expected never crosses the wire. Null when the platform could not verify. */
  outcome: z
    .object({
      rule: z.enum(['tarl', 'tau', 'tau2']),
      success: z.boolean(),
      reward: z.number(),
      scores: z.record(z.string(), z.number().nullable()),
      unscored: z.array(z.string()),
    })
    .nullable(),
});

export const errorCodeSchema = z.enum([
  'bad_json',
  'bad_message',
  'unknown_task',
  'no_episode',
  'episode_running',
  'not_your_turn',
  'too_large',
  'unavailable',
]);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

export const errorSchema = z.object({
  type: z.literal('error'),
  seq,
  code: errorCodeSchema,
  message: z.string(),
});

export const serverEventSchema = z.discriminatedUnion('type', [
  helloSchema,
  episodeReadySchema,
  customerStartSchema,
  customerTextSchema,
  customerEndSchema,
  toolResultSchema,
  episodeEndSchema,
  errorSchema,
]);
export type ServerEvent = z.infer<typeof serverEventSchema>;
