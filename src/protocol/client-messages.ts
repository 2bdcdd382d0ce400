import { z } from 'zod';
import { audioFormatSchema, modeSchema, pacingSchema, sampleFormatSchema } from './audio-format.js';
import { MAX_CALL_MS, turnTakingSchema } from './turn-taking.js';
import { wordTimesSchema } from './word-times.js';

/** Everything a client sends in text frames. Binary frames: `audio-frame.ts`. */

/** Most calls in one `tool.calls`. */
export const MAX_CALLS_PER_MESSAGE = 16;

const messageId = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("The client's own name for this message: one that was taken is not taken again");
const turn = z
  .number()
  .int()
  .min(0)
  .optional()
  .describe('The turn that this answers, as in `customer.end` or `tool.result`; a stale one is refused');
const reasoning = z
  .string()
  .max(100_000)
  .optional()
  .describe('Why the agent does this: recorded, never shown to the customer');
const silentMs = z
  .number()
  .int()
  .min(0)
  .max(MAX_CALL_MS)
  .optional()
  .describe(
    'With turn-taking and `fast` pacing: how long the agent was silent before this, on the call’s clock',
  );
const speech = z.number().int().min(0).max(0xffffffff).describe("The client's number for the upload");

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
    audio: audioFormatSchema.optional().describe("How the customer's sound is to travel"),
    pacing: pacingSchema.default('fast'),
    turnTaking: turnTakingSchema
      .optional()
      .describe('How the customer takes turns, in speech; absent: half-duplex'),
    trailingSilenceMs: z
      .number()
      .int()
      .min(0)
      .max(60_000)
      .optional()
      .describe('Silence sent after each utterance, for servers that take silence for the end of a turn'),
    window: z
      .number()
      .int()
      .min(4_096)
      .max(16_777_216)
      .optional()
      .describe('Bytes of audio that may be under way without an `ack`; absent: no such limit'),
    messageId,
  })
  .describe('Starts an episode. One at a time on a session; another may follow when it has ended.');

const sessionResumeSchema = z
  .strictObject({
    type: z.literal('session.resume'),
    token: z.string().min(1).max(200).describe('The `resumeToken` of the lost connection’s `hello`'),
    lastSeq: z.number().int().min(0).describe('The last event that was received and dealt with'),
  })
  .describe(
    'Takes a session up again after its connection was lost. The first message of the new connection.',
  );

const ackSchema = z
  .strictObject({
    type: z.literal('ack'),
    seq: z.number().int().min(1).describe('All events up to this one were received'),
  })
  .describe('Opens the window, if one was asked for, and lets the sandbox forget what it kept for a resume.');

const agentMessageSchema = z
  .strictObject({
    type: z.literal('agent.message'),
    text: z.string().min(1).max(20_000).optional().describe('Said to the customer'),
    speech: speech
      .optional()
      .describe('A finished upload: how it was said. One of text and speech is needed'),
    silentMs,
    yieldMs: z
      .number()
      .int()
      .min(0)
      .max(MAX_CALL_MS)
      .optional()
      .describe(
        'With turn-taking: how long the agent talks on when the customer breaks in; absent: not at all',
      ),
    reasoning,
    turn,
    messageId,
  })
  .describe('The agent speaks. Answered by the customer, or by the end of the episode.');

const callFields = {
  callId: z.string().min(1).max(200).describe('Chosen by the client, good for one call of the episode'),
  name: z.string().min(1).max(200).describe('One of the names in `episode.ready`'),
  arguments: z
    .union([z.record(z.string(), z.unknown()), z.string().max(200_000)])
    .describe("As the tool's `inputSchema` wants them: an object, or text that holds one"),
};

const toolCallMessageSchema = z
  .strictObject({ type: z.literal('tool.call'), ...callFields, silentMs, reasoning, turn, messageId })
  .describe('The agent uses a tool. Answered by `tool.result`; the customer does not notice.');

const toolCallsMessageSchema = z
  .strictObject({
    type: z.literal('tool.calls'),
    calls: z
      .array(z.strictObject(callFields))
      .min(1)
      .max(MAX_CALLS_PER_MESSAGE)
      .describe('Run one after the other, in this order'),
    silentMs,
    reasoning,
    turn,
    messageId,
  })
  .describe('Several tool calls at once, each a turn of its own. Answered by one `tool.result` each.');

const speechStartSchema = z
  .strictObject({
    type: z.literal('agent.speech.start'),
    speech,
    audio: sampleFormatSchema.describe('How the samples are written'),
  })
  .describe('Begins an upload of the agent’s own voice. It says nothing yet: `agent.message` refers to it.');
const speechAudioSchema = z
  .strictObject({
    type: z.literal('agent.speech.audio'),
    speech,
    data: z.base64().describe('Samples, for clients that send no binary frames'),
  })
  .describe('A piece of the upload.');
const speechEndSchema = z
  .strictObject({
    type: z.literal('agent.speech.end'),
    speech,
    samples: z.number().int().min(0).describe('Samples sent in all'),
    transcript: z.string().max(20_000).optional().describe('What was said, if the agent knows'),
    words: wordTimesSchema
      .optional()
      .describe(
        'When each word is heard, if the agent knows: the word, its first sample, the first sample behind it; as written or as spoken',
      ),
  })
  .describe('The upload is whole.');

const interruptSchema = z
  .strictObject({
    type: z.literal('interrupt'),
    utterance: z.number().int().min(0).describe('Which utterance of the customer'),
    heardSamples: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('How much of it was played before the agent broke in'),
  })
  .describe('Stops the customer. What is left of the utterance is not sent; `customer.end` follows.');

const agentStopSchema = z
  .strictObject({
    type: z.literal('agent.stop'),
    reason: z
      .enum(['done', 'context_limit', 'failed', 'unavailable'])
      .default('done')
      .describe(
        '`context_limit`: its model’s context is full; `failed`: it cannot go on; `unavailable`: the service behind it, e.g. its model’s server, is down (believed of a run’s own agents)',
      ),
    detail: z.string().max(2_000).optional().describe('For the record'),
    turn,
    messageId,
  })
  .describe('The agent hangs up. Answered by `episode.end`.');

export const clientMessageSchema = z.discriminatedUnion('type', [
  episodeStartSchema,
  sessionResumeSchema,
  ackSchema,
  agentMessageSchema,
  toolCallMessageSchema,
  toolCallsMessageSchema,
  speechStartSchema,
  speechAudioSchema,
  speechEndSchema,
  interruptSchema,
  agentStopSchema,
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;
export type ClientMessageInput = z.input<typeof clientMessageSchema>;
