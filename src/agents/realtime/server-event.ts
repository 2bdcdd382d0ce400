import { z } from 'zod';
import type { Dialect } from './dialect.js';

/** What is read of a realtime server's events, in GA names; other events and fields are passed over. */

const MAX_TEXT = 200_000;
/** Of one piece of sound, base64: several minutes. */
const MAX_AUDIO = 32 * 1024 * 1024;

const id = z.string().min(1).max(500);
const text = z.string().max(MAX_TEXT);
const outputItem = z.object({
  id: id.nullish(),
  type: z.string(),
  status: z.string().nullish(),
  role: z.string().nullish(),
  call_id: id.nullish(),
  name: z.string().max(500).nullish(),
  arguments: text.nullish(),
  content: z
    .array(z.object({ type: z.string().nullish(), text: text.nullish(), transcript: text.nullish() }))
    .nullish(),
});
export type OutputItem = z.infer<typeof outputItem>;

const response = z.object({
  id: id.nullish(),
  status: z.string().nullish(),
  status_details: z
    .object({
      reason: z.string().nullish(),
      error: z
        .object({ type: z.string().nullish(), code: z.string().nullish(), message: z.string().nullish() })
        .nullish(),
    })
    .nullish(),
  output: z.array(outputItem).nullish(),
  usage: z
    .object({ input_tokens: z.number().int().min(0), output_tokens: z.number().int().min(0) })
    .nullish()
    .catch(null),
});

const ofResponse = { response_id: id.nullish(), item_id: id.nullish() };
const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('error'),
    error: z.object({
      type: z.string().nullish(),
      code: z.string().nullish(),
      message: z.string(),
      event_id: z.string().nullish(),
    }),
  }),
  z.object({ type: z.literal('session.created') }),
  z.object({ type: z.literal('session.updated') }),
  z.object({ type: z.literal('conversation.item.added'), item: z.object({ id: id.nullish() }) }),
  z.object({ type: z.literal('conversation.item.truncated'), item_id: id }),
  z.object({ type: z.literal('conversation.item.deleted'), item_id: id }),
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.completed'),
    item_id: id,
    transcript: text,
  }),
  z.object({ type: z.literal('input_audio_buffer.committed'), item_id: id.nullish() }),
  z.object({ type: z.literal('input_audio_buffer.speech_started'), audio_start_ms: z.number().nullish() }),
  z.object({ type: z.literal('input_audio_buffer.speech_stopped'), audio_end_ms: z.number().nullish() }),
  z.object({ type: z.literal('response.created'), response }),
  z.object({ type: z.literal('response.done'), response }),
  z.object({ type: z.literal('response.output_item.added'), ...ofResponse, item: outputItem }),
  z.object({ type: z.literal('response.output_item.done'), ...ofResponse, item: outputItem }),
  z.object({ type: z.literal('response.output_text.delta'), ...ofResponse, delta: text }),
  z.object({ type: z.literal('response.output_text.done'), ...ofResponse, text }),
  z.object({
    type: z.literal('response.output_audio.delta'),
    ...ofResponse,
    delta: z.base64().max(MAX_AUDIO),
  }),
  z.object({ type: z.literal('response.output_audio_transcript.delta'), ...ofResponse, delta: text }),
  z.object({ type: z.literal('response.output_audio_transcript.done'), ...ofResponse, transcript: text }),
  z.object({
    type: z.literal('response.function_call_arguments.done'),
    ...ofResponse,
    call_id: id.nullish(),
    name: z.string().nullish(),
    arguments: text,
  }),
]);
export type RealtimeEvent = z.infer<typeof eventSchema> | { readonly type: 'other'; readonly name: string };

const KNOWN = new Set<string>(eventSchema.options.map(({ shape }) => shape.type.value));

/**
 * One text frame of the server. Events that are not needed here come out as `other`: a sign of life.
 * @throws Error that says what is wrong, for what cannot be read
 */
export function parseServerEvent(frame: string, dialect: Dialect): RealtimeEvent {
  const value: unknown = JSON.parse(frame);
  const named = z.object({ type: z.string().max(200) }).safeParse(value);
  if (!named.success) throw new Error('no event: it has no type');
  const type = dialect.gaName(named.data.type);
  if (!KNOWN.has(type)) return { type: 'other', name: type };
  const parsed = eventSchema.safeParse({ ...(value as object), type });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(`${named.data.type}, at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`);
}
