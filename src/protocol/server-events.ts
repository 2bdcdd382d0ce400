import { z } from 'zod';
import { audioFormatSchema, modeSchema, pacingSchema } from './audio-format.js';
import { endOwnerSchema, endReasonSchema } from './ends.js';
import { helloSchema } from './hello.js';
import { asideSchema, turnTakingSchema } from './turn-taking.js';

/** Everything the sandbox sends in text frames. Binary frames: `audio-frame.ts`. */

export const toolSchema = z.object({
  name: z.string(),
  title: z.string().describe('For people'),
  description: z.string().describe('For the model'),
  inputSchema: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments'),
  readOnly: z.boolean().describe('The call changes nothing'),
  destructive: z.boolean().describe('What the call does cannot be taken back'),
});

const seq = z.number().int().min(1).describe("The session's counter: 1, 2, 3 …, audio frames included");
const turn = z.number().int().min(0).describe("0 is the opening; k is the agent's k-th action");
const utterance = z.number().int().min(0).describe("Counts the customer's utterances from 0");
const samples = z.number().int().min(0);

const sessionResumedSchema = z
  .object({
    type: z.literal('session.resumed'),
    seq: seq.describe(
      '2: this event still belongs to the new connection; what follows is numbered on from `lastSeq`',
    ),
    session: z.string().describe('The session that goes on'),
    lastSeq: z.number().int().min(0).describe('As the client told; the next event is the one after it'),
    turn: turn.nullable().describe('Where the episode stands; null: none is running'),
    lastMessageId: z.string().nullable().describe('The last `messageId` that was taken'),
    replayed: z.number().int().min(0).describe('How many events are sent again before new ones'),
  })
  .describe('The session goes on here.');

const episodeReadySchema = z
  .object({
    type: z.literal('episode.ready'),
    seq,
    episode: z.string().describe('The id under which the episode is recorded'),
    task: z.string(),
    mode: modeSchema,
    policy: z.string().describe('The rules the agent must follow, as Markdown'),
    tools: z.array(toolSchema).describe('The tools it may call, with JSON Schemas of their arguments'),
    audio: audioFormatSchema.required().nullable().describe('As granted; null in text mode'),
    pacing: pacingSchema,
    mcp: z
      .object({
        url: z.string().describe('MCP over Streamable HTTP'),
        token: z.string().describe('Bearer token, good for this episode'),
      })
      .nullable()
      .describe('Where the same tools can be called over MCP; null: not on this server'),
    liveJudge: z
      .string()
      .optional()
      .describe('The judge that may break in with an `intervention`; absent: none, as a rule'),
    turnTaking: turnTakingSchema.optional().describe('As granted; absent: half-duplex'),
  })
  .describe('The episode is set up; the customer opens next.');

const customerStartSchema = z
  .object({
    type: z.literal('customer.start'),
    seq,
    turn,
    utterance,
    form: modeSchema.describe('How this utterance travels: as `customer.text` or as audio'),
    sampleOffset: samples.describe(
      "The stream's clock: samples of the customer sent before, in this episode",
    ),
    aside: asideSchema
      .optional()
      .describe('With turn-taking: said beside the line, and nobody’s turn; absent: the line itself'),
    callSample: samples
      .optional()
      .describe('With turn-taking: where it begins on the call’s clock, in samples at the granted rate'),
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
const customerAudioSchema = z
  .object({
    type: z.literal('customer.audio'),
    seq,
    utterance,
    sampleOffset: samples.describe("The stream's clock at the first of these samples"),
    samples: samples.min(1),
    data: z.base64().describe('The samples, base64'),
  })
  .describe('What the customer says, in sound, for clients that asked for base64; others get binary frames.');
const customerEndSchema = z
  .object({
    type: z.literal('customer.end'),
    seq,
    turn,
    utterance,
    durationMs: z.number().min(0).describe('Length of the sound that was sent; 0 for text'),
    samples: samples.describe('Samples sent in all; 0 for text'),
    interrupted: z.boolean().describe('The agent broke in: the rest was not sent'),
    final: z.boolean().describe('The customer hangs up: `episode.end` follows, nothing more is taken'),
  })
  .describe('The customer has spoken. Unless `final`, the agent may act now.');

const agentInterruptedSchema = z
  .object({
    type: z.literal('agent.interrupted'),
    seq,
    turn: turn.describe('The agent’s message that was broken into'),
    callSample: samples.describe('Where the customer began to speak, on the call’s clock'),
    heardSamples: samples.describe(
      'What was heard of the agent’s sound until it fell silent, in samples at the granted rate',
    ),
    heardMs: z.number().min(0).describe('The same in milliseconds'),
    heardText: z.string().describe('The words in it, as far as that can be told'),
  })
  .describe('With turn-taking: the customer broke in while the agent spoke. Its `customer.start` follows.');

const toolResultSchema = z
  .object({
    type: z.literal('tool.result'),
    seq,
    turn,
    callId: z.string(),
    status: z
      .enum(['result', 'error', 'cancelled'])
      .describe('`error`: the tool refused; `cancelled`: it was never asked, or no answer can come any more'),
    ok: z.boolean().describe('`status` is `result`'),
    content: z.string().describe('What the model should read; errors start with "Error: "'),
    repeated: z
      .literal(true)
      .optional()
      .describe('The call was made before: its first answer, no second effect'),
  })
  .describe('How a tool call ended: exactly one for each call. The agent may act again after the last one.');

const interventionSchema = z
  .object({
    type: z.literal('intervention'),
    seq,
    turn: turn.describe('The turn that the action would have been'),
    count: z
      .number()
      .int()
      .min(1)
      .max(2)
      .describe('Which one of this turn; after the second the agent has its way'),
    message: z.string().describe('What the model should read: the kind of fault, never the right answer'),
    callIds: z
      .array(z.string())
      .describe('Calls that were not made and will get no result; empty: it was a message'),
  })
  .describe(
    'A judge broke in: the action was not taken, costs neither turn nor error, and the agent may act again. Only where `episode.ready` names a `liveJudge`.',
  );

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
  .describe('The episode is over and its record is closed. The session may start another.');

export const errorCodeSchema = z.enum([
  'bad_json',
  'bad_message',
  'too_large',
  'unknown_task',
  'no_episode',
  'episode_running',
  'not_your_turn',
  'stale_turn',
  'cannot_resume',
  'unavailable',
]);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

const errorSchema = z
  .object({
    type: z.literal('error'),
    seq,
    code: errorCodeSchema,
    message: z.string().describe('For people: what was expected, what came, what to do'),
    messageId: z.string().optional().describe('Of the refused message, when it had one'),
  })
  .describe('A message was not taken. The connection stays, and whoever had the turn still has it.');

export const serverEventSchema = z.discriminatedUnion('type', [
  helloSchema,
  sessionResumedSchema,
  episodeReadySchema,
  customerStartSchema,
  customerTextSchema,
  customerAudioSchema,
  customerEndSchema,
  agentInterruptedSchema,
  toolResultSchema,
  interventionSchema,
  episodeEndSchema,
  errorSchema,
]);
export type ServerEvent = z.infer<typeof serverEventSchema>;
