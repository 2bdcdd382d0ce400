import { z } from 'zod';

/**
 * Parlor protocol 1: every text frame on the agent's WebSocket, as a schema. Binary frames: `audio-frame.ts`.
 * Server events carry `seq` (1, 2, 3 … per connection) and, inside an episode, `turn`.
 */
export const PROTOCOL_VERSION = 'parlor/1';

export const modeSchema = z.enum(['speech', 'text']);
export type Mode = z.infer<typeof modeSchema>;

const audioFormatSchema = z.object({
  encoding: z.literal('pcm16').describe('Signed 16-bit samples, little-endian'),
  sampleRateHz: z.number().int(),
  channels: z.literal(1),
});
export type AudioFormat = z.infer<typeof audioFormatSchema>;

export const toolSchema = z.object({
  name: z.string(),
  title: z.string().describe('For people'),
  description: z.string().describe('For the model'),
  inputSchema: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments'),
  readOnly: z.boolean().describe('The call changes nothing'),
  destructive: z.boolean().describe('What the call does cannot be taken back'),
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

const reasoning = z
  .string()
  .max(100_000)
  .optional()
  .describe('Why the agent does this: recorded, never shown to the customer');

const episodeStartSchema = z
  .strictObject({
    type: z.literal('episode.start'),
    task: z.string().min(1).max(200).describe("A task id of the server's catalogue"),
    mode: modeSchema.describe('How the customer reaches the agent'),
    seed: z.number().int().min(0).max(0xffffffff).describe("Decides the customer's wording and voice"),
    trial: z
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .default(0)
      .describe('A label for repeated runs of a task, from 0'),
    agent: z.string().min(1).max(200).default('unnamed').describe("The agent's name, for the record"),
  })
  .describe('Starts an episode. One at a time on a connection; another may follow when it has ended.');

const agentMessageSchema = z
  .strictObject({
    type: z.literal('agent.message'),
    text: z.string().min(1).max(20_000).describe('Said to the customer'),
    reasoning,
  })
  .describe('The agent speaks. Answered by the customer, or by the end of the episode.');

const toolCallMessageSchema = z
  .strictObject({
    type: z.literal('tool.call'),
    callId: z.string().min(1).max(200).describe('Chosen by the client, good for one call of the episode'),
    name: z.string().min(1).max(200).describe('One of the names in `episode.ready`'),
    arguments: z.record(z.string(), z.unknown()).describe("As the tool's `inputSchema` wants them"),
    reasoning,
  })
  .describe('The agent uses a tool. Answered by `tool.result`; the customer does not notice.');

const agentStopSchema = z
  .strictObject({ type: z.literal('agent.stop') })
  .describe('The agent hangs up. Answered by `episode.end`.');

export const clientMessageSchema = z.discriminatedUnion('type', [
  episodeStartSchema,
  agentMessageSchema,
  toolCallMessageSchema,
  agentStopSchema,
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;
export type ClientMessageInput = z.input<typeof clientMessageSchema>;

// ---- server to client -------------------------------------------------------------------------------------------

const seq = z.number().int().min(1).describe("The connection's counter: 1, 2, 3 …, audio frames included");
const turn = z.number().int().min(0).describe("0 is the opening; k is the agent's k-th action");
const utterance = z.number().int().min(0).describe("Counts the customer's utterances from 0");

const helloSchema = z
  .object({
    type: z.literal('hello'),
    seq,
    protocol: z.literal(PROTOCOL_VERSION).describe('A client that knows another version should hang up'),
    server: z.string().describe('Name and version of the server'),
    modes: z.array(modeSchema).describe('What `episode.start` may ask for'),
    audio: audioFormatSchema.describe("The format of the customer's audio on this connection"),
    limits: z
      .object({
        maxTurns: z.number().int().describe('Agent actions before the episode ends as `turn_limit`'),
        maxErrors: z
          .number()
          .int()
          .describe('Refused messages and failed tool calls, together, before it ends as `error_limit`'),
        maxMessageBytes: z.number().int().describe('Larger messages are refused as `too_large`'),
        agentTimeoutMs: z.number().int().describe('Silence of the agent before it ends as `agent_timeout`'),
      })
      .describe('What the server holds every episode to'),
  })
  .describe('First event of every connection.');

const episodeReadySchema = z
  .object({
    type: z.literal('episode.ready'),
    seq,
    episode: z.string().describe('The id under which the episode is recorded'),
    task: z.string(),
    mode: modeSchema,
    policy: z.string().describe('The rules the agent must follow, as Markdown'),
    tools: z.array(toolSchema).describe('The tools it may call, with JSON Schemas of their arguments'),
  })
  .describe('The episode is set up; the customer opens next.');

const customerStartSchema = z
  .object({
    type: z.literal('customer.start'),
    seq,
    turn,
    utterance,
    form: modeSchema.describe('How this utterance travels: as `customer.text` or as audio frames'),
  })
  .describe('The customer begins to speak.');
const customerTextSchema = z
  .object({
    type: z.literal('customer.text'),
    seq,
    utterance,
    text: z.string().describe('A piece of the utterance; pieces follow each other without a gap'),
  })
  .describe('What the customer says, in text. In speech mode it never comes.');
const customerEndSchema = z
  .object({
    type: z.literal('customer.end'),
    seq,
    turn,
    utterance,
    durationMs: z.number().min(0).describe('Length of the sound; 0 for text'),
    samples: z.number().int().min(0).describe('Samples sent in all; 0 for text'),
    final: z.boolean().describe('The customer hangs up: `episode.end` follows, nothing more is taken'),
  })
  .describe('The customer has spoken. Unless `final`, the agent may act now.');

const toolResultSchema = z
  .object({
    type: z.literal('tool.result'),
    seq,
    turn,
    callId: z.string(),
    ok: z.boolean().describe('False when the tool refused the call; nothing has changed then'),
    content: z.string().describe('What the model should read; errors start with "Error: "'),
  })
  .describe('What a tool call gave. The agent may act again.');

const episodeEndSchema = z
  .object({
    type: z.literal('episode.end'),
    seq,
    turn,
    episode: z.string(),
    reason: endReasonSchema,
    owner: endOwnerSchema.describe('Who brought the end about'),
    outcome: z
      .object({
        rule: z.enum(['tarl', 'tau', 'tau2']).describe('The outcome rule that `success` and `reward` follow'),
        success: z.boolean(),
        reward: z.number(),
        scores: z
          .record(z.string(), z.number().nullable())
          .describe('Every sub-score by name; null: does not apply or could not be scored'),
        unscored: z.array(z.string()).describe('Parts of the task that need a model to be scored'),
      })
      .nullable()
      .describe('Numbers only: what was expected never crosses the wire. Null: could not be verified'),
  })
  .describe('The episode is over and its record is closed. The connection may start another.');

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

const errorSchema = z
  .object({
    type: z.literal('error'),
    seq,
    code: errorCodeSchema,
    message: z.string().describe('For people: what was expected, what came, what to do'),
  })
  .describe('A message was not taken. The connection stays, and whoever had the turn still has it.');

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
