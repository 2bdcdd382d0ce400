import { z } from 'zod';
import {
  audioFormatSchema,
  endOwnerSchema,
  endReasonSchema,
  modeSchema,
  pacingSchema,
  turnTakingSchema,
  wordTimesSchema,
} from '../protocol/index.js';
import { taskSchema } from '../retail/index.js';
import { lineTimelineSchema } from '../speech/index.js';
import {
  agentCallSchema,
  asideEventSchema,
  customerCallSchema,
  customerInterruptedEventSchema,
  customerYieldedEventSchema,
} from './call-events.js';
import { audioRefSchema, turn, WORDS } from './record-parts.js';

/**
 * The record of one conversation: a JSON-lines file, one event a line, appended as it happens, version 1.
 * First line `episode`, last line `outcome`; a file without an `outcome` line is an episode that was cut short.
 * Nothing in it depends on the wall clock, so the same seed gives the same bytes; timings stand in `timings.jsonl`.
 */
export const RECORD_VERSION = 1;

const importedSchema = z.object({
  format: z.enum(['tau1', 'tau2']),
  file: z.string().describe("The file's name, without its folder"),
  row: z.number().int().min(0).describe('Place in the file, from 0'),
  domain: z.string().nullable().describe('E.g. airline; null where nothing tells it'),
  termination: z.string().nullable().describe("The source's own word for the end"),
  greeting: z.string().nullable().describe('What the agent was made to say before the customer spoke'),
  fields: z
    .record(z.string(), z.unknown())
    .describe('Fields of the row that have no place in a record, as they were'),
  messages: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .describe('The same for its messages, by their place in the row'),
});

const episodeHeaderSchema = z
  .object({
    type: z.literal('episode'),
    version: z.literal(RECORD_VERSION).describe('Of this format'),
    episode: z.string().describe("The episode's id, which is also the file's name"),
    mode: modeSchema,
    seed: z.number().int(),
    trial: z.number().int(),
    agent: z.string().describe("The agent's own name for itself"),
    customer: z.string().describe('Name and version of the simulated customer'),
    voice: z.string().nullable().describe('Voice id in speech mode, else null'),
    wire: audioFormatSchema
      .required()
      .extend({ pacing: pacingSchema })
      .optional()
      .describe(
        "In speech mode: how the customer's sound went to the agent; clips are kept as they were spoken",
      ),
    source: z
      .enum(['parlor', 'tau1', 'tau2', 'maths', 'import'])
      .describe(
        'Where world and task come from; `maths`: a problem, no world; `import`: played elsewhere, the world is not at hand',
      ),
    rules: z.enum(['parlor', 'tau1', 'tau2']).describe('How the tools behave'),
    worldHash: z.string().describe('SHA-256 of the untouched world'),
    policyHash: z.string().describe('SHA-256 of the policy as sent to the agent'),
    toolsHash: z.string().describe('SHA-256 of the tool list as sent to the agent'),
    limits: z.object({ maxTurns: z.number().int(), maxErrors: z.number().int() }),
    liveJudge: z
      .string()
      .optional()
      .describe('The judge that looked at each action before it was taken; absent: none did'),
    turnTaking: turnTakingSchema
      .optional()
      .describe('How the customer took turns in speech; absent: half-duplex'),
    task: taskSchema.describe("The whole task with its ground truth: records stay on the server's side"),
    imported: importedSchema
      .optional()
      .describe('Of imported episodes: where they come from and what else was told'),
  })
  .describe('First line: what was played, with everything needed to play it again.');

const customerEventSchema = z
  .object({
    type: z.literal('customer'),
    turn,
    utterance: z.number().int().describe("Counts the customer's utterances from 0"),
    text: z.string().describe('Written form; empty only when the customer hangs up without a word'),
    spoken: z.string().nullable().describe('Spoken form, when it was spoken'),
    audio: audioRefSchema.nullable().describe('The sound as the agent got it, when it was spoken'),
    words: wordTimesSchema.optional().describe(`${WORDS}. The words of the spoken form`),
    clean: audioRefSchema
      .optional()
      .describe('The sound before the conditions of the line changed it; absent: they did not'),
    effects: lineTimelineSchema
      .optional()
      .describe('What was done to the clean sound; with both, `audio` can be made again bit for bit'),
    end: z
      .enum(['stop', 'transfer', 'out_of_scope'])
      .nullable()
      .describe('Why the customer hung up after this line, else null'),
    call: customerCallSchema.optional().describe('With turn-taking: where it stands on the call’s clock'),
  })
  .describe('The customer said something.');

const agentMessageEventSchema = z
  .object({
    type: z.literal('agent'),
    turn,
    text: z.string(),
    reasoning: z.string().nullable().describe('What the agent gave as its reasons'),
    audio: audioRefSchema.optional().describe("The agent's own voice, where it sent some"),
    transcript: z.string().optional().describe('What the agent says that it said there'),
    words: wordTimesSchema.optional().describe(`${WORDS}. By what the agent says`),
    call: agentCallSchema.optional().describe('With turn-taking: where it stands on the call’s clock'),
  })
  .describe('The agent said something to the customer.');

const toolCallEventSchema = z
  .object({
    type: z.literal('tool_call'),
    turn,
    callId: z.string(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).describe('As they were understood'),
    rawArguments: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .optional()
      .describe('As the agent wrote them, where that was something else'),
    batch: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Of calls that came together in one message: the turn of the first'),
    reasoning: z.string().nullable(),
  })
  .describe('The agent called a tool.');

const toolResultEventSchema = z
  .object({
    type: z.literal('tool_result'),
    turn,
    callId: z.string(),
    ok: z.boolean(),
    content: z.string().describe('What the agent was given to read'),
    status: z.literal('cancelled').optional().describe('The episode ended before there was an answer'),
  })
  .describe('What the call gave.');

const toolCancelledEventSchema = z
  .object({
    type: z.literal('tool_cancelled'),
    turn,
    callId: z.string(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  })
  .describe(
    'A call that was asked for and never made, because something before it ended the episode. It is no turn.',
  );

const interruptedEventSchema = z
  .object({
    type: z.literal('interrupted'),
    turn,
    utterance: z.number().int().min(0),
    samplesSent: z.number().int().min(0).describe('Samples of the utterance that went to the agent'),
    samplesHeard: z
      .number()
      .int()
      .min(0)
      .nullable()
      .describe('How many of them the agent says it had played; null: it did not say'),
    sampleRateHz: z.number().int().describe('The rate at which both are counted: that of `wire`'),
  })
  .describe('The agent broke in while the customer spoke.');

const interventionEventSchema = z
  .object({
    type: z.literal('intervention'),
    turn,
    count: z.number().int().min(1).describe('Which one of this turn'),
    message: z.string().describe('What the agent was told'),
    text: z.string().nullable().describe('What it was about to say; null: it was about to make a call'),
    call: z
      .object({
        callId: z.string(),
        name: z.string(),
        arguments: z.record(z.string(), z.unknown()),
      })
      .nullable()
      .describe('The call that it was about to make'),
    behind: z.array(z.string()).describe('Calls of the same message that were not made either'),
    reasoning: z.string().nullable(),
  })
  .describe('The live judge broke in, and nothing was done. It is no turn, and no error.');

const agentErrorEventSchema = z
  .object({
    type: z.literal('agent_error'),
    turn,
    code: z.string().describe('An error code of the protocol'),
    message: z.string(),
  })
  .describe(
    "A message of the agent's that could not be taken. It is no turn, and it counts towards the error limit.",
  );

const endEventSchema = z
  .object({
    type: z.literal('end'),
    turn,
    reason: endReasonSchema,
    owner: endOwnerSchema,
    detail: z.string().optional().describe('What went wrong, or what the agent gave as its reason'),
  })
  .describe('The conversation is over.');

const outcomeEventSchema = z
  .object({
    type: z.literal('outcome'),
    rule: z.enum(['tarl', 'tau', 'tau2']),
    reward: z.number(),
    success: z.boolean(),
    scores: z.object({
      database: z
        .number()
        .nullable()
        .describe('1: the world ended as it should; null: imported, and the source does not tell'),
      writes: z
        .number()
        .nullable()
        .describe('1: the successful writes are those of the ground truth; null: as before'),
      communicate: z
        .number()
        .nullable()
        .describe('1: all that had to be said was said; null: nothing had to'),
      actions: z.number().nullable().describe('Share of ground-truth calls that were made'),
      assertions: z.number().nullable().describe('Null: none, or no model to score them'),
    }),
    unscored: z.array(z.string()).describe('Parts of the task that need a model to be scored'),
    difference: z.array(z.string()).describe('What differs between the end states, a line each'),
    unsaid: z.array(z.string()).describe('What had to be said and was not'),
  })
  .describe('Last line: the verdict. A record without it was cut short, or could not be verified.');

export const recordEventSchema = z.discriminatedUnion('type', [
  episodeHeaderSchema,
  customerEventSchema,
  agentMessageEventSchema,
  toolCallEventSchema,
  toolResultEventSchema,
  toolCancelledEventSchema,
  interruptedEventSchema,
  asideEventSchema,
  customerInterruptedEventSchema,
  customerYieldedEventSchema,
  interventionEventSchema,
  agentErrorEventSchema,
  endEventSchema,
  outcomeEventSchema,
]);
export type RecordEvent = z.infer<typeof recordEventSchema>;
export type EpisodeHeader = z.infer<typeof episodeHeaderSchema>;
export type CustomerEvent = z.infer<typeof customerEventSchema>;
export type AudioRef = z.infer<typeof audioRefSchema>;
export type OutcomeEvent = z.infer<typeof outcomeEventSchema>;
export type EndEvent = z.infer<typeof endEventSchema>;

/** One episode, read back. `end` and `outcome` are null where the file was cut short. */
export interface EpisodeRecord {
  readonly header: EpisodeHeader;
  readonly events: readonly RecordEvent[];
  readonly end: EndEvent | null;
  readonly outcome: OutcomeEvent | null;
}
