import { z } from 'zod';
import { endOwnerSchema, endReasonSchema, modeSchema } from '../protocol/index.js';
import { taskSchema } from '../retail/index.js';

/**
 * The record of one conversation: a JSON-lines file, one event a line, appended as it happens, version 1.
 * First line `episode`, last line `outcome`; a file without an `outcome` line is an episode that was cut short.
 * Nothing in it depends on the wall clock, so the same seed gives the same bytes; timings stand in `timings.jsonl`.
 */
export const RECORD_VERSION = 1;

const turn = z.number().int().min(0);

export const episodeHeaderSchema = z.object({
  type: z.literal('episode'),
  version: z.literal(RECORD_VERSION),
  episode: z.string(),
  mode: modeSchema,
  seed: z.number().int(),
  trial: z.number().int(),
  agent: z.string(),
  customer: z.string(),
  /** Voice id in speech mode, else null. */
  voice: z.string().nullable(),
  source: z.enum(['parlor', 'tau1', 'tau2']),
  rules: z.enum(['parlor', 'tau1', 'tau2']),
  worldHash: z.string(),
  policyHash: z.string(),
  toolsHash: z.string(),
  limits: z.object({ maxTurns: z.number().int(), maxErrors: z.number().int() }),
  /** The whole task with its ground truth: records stay on the server's side. */
  task: taskSchema,
});

export const audioRefSchema = z.object({
  /** Content hash of the WAV file: `audio/<sha256>.wav` in the run folder. */
  sha256: z.string().length(64),
  sampleRateHz: z.number().int(),
  samples: z.number().int(),
  durationMs: z.number(),
});

export const customerEventSchema = z.object({
  type: z.literal('customer'),
  turn,
  utterance: z.number().int(),
  /** Written form. */
  text: z.string(),
  /** Spoken form, when it was spoken. */
  spoken: z.string().nullable(),
  audio: audioRefSchema.nullable(),
  end: z.enum(['stop', 'transfer', 'out_of_scope']).nullable(),
});

export const agentMessageEventSchema = z.object({
  type: z.literal('agent'),
  turn,
  text: z.string(),
  reasoning: z.string().nullable(),
});

export const toolCallEventSchema = z.object({
  type: z.literal('tool_call'),
  turn,
  callId: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  reasoning: z.string().nullable(),
});

export const toolResultEventSchema = z.object({
  type: z.literal('tool_result'),
  turn,
  callId: z.string(),
  ok: z.boolean(),
  content: z.string(),
});

/** A message of the agent's that could not be taken. */
export const agentErrorEventSchema = z.object({
  type: z.literal('agent_error'),
  turn,
  code: z.string(),
  message: z.string(),
});

export const endEventSchema = z.object({
  type: z.literal('end'),
  turn,
  reason: endReasonSchema,
  owner: endOwnerSchema,
  /** What went wrong, for people, when the customer or the platform failed. */
  detail: z.string().optional(),
});

export const outcomeEventSchema = z.object({
  type: z.literal('outcome'),
  rule: z.enum(['tarl', 'tau', 'tau2']),
  reward: z.number(),
  success: z.boolean(),
  scores: z.object({
    database: z.number(),
    writes: z.number(),
    communicate: z.number().nullable(),
    actions: z.number().nullable(),
    assertions: z.number().nullable(),
  }),
  unscored: z.array(z.string()),
  difference: z.array(z.string()),
  unsaid: z.array(z.string()),
});

export const recordEventSchema = z.discriminatedUnion('type', [
  episodeHeaderSchema,
  customerEventSchema,
  agentMessageEventSchema,
  toolCallEventSchema,
  toolResultEventSchema,
  agentErrorEventSchema,
  endEventSchema,
  outcomeEventSchema,
]);
export type RecordEvent = z.infer<typeof recordEventSchema>;
export type EpisodeHeader = z.infer<typeof episodeHeaderSchema>;
export type CustomerEvent = z.infer<typeof customerEventSchema>;
export type OutcomeEvent = z.infer<typeof outcomeEventSchema>;
export type EndEvent = z.infer<typeof endEventSchema>;

/** One episode, read back. `end` and `outcome` are null where the file was cut short. */
export interface EpisodeRecord {
  readonly header: EpisodeHeader;
  readonly events: readonly RecordEvent[];
  readonly end: EndEvent | null;
  readonly outcome: OutcomeEvent | null;
}
