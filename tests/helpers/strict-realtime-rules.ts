import { z } from 'zod';

/** `openai`: the GA Realtime API. `dashscope`: the beta names that Qwen-Omni-Realtime uses. */
export type RealtimeDialect = 'openai' | 'dashscope';

/** A refused client event, as the `error` event tells it. */
export class RealtimeRefusal extends Error {
  readonly code: string;
  readonly param: string | null;
  constructor(code: string, message: string, param: string | null = null) {
    super(message);
    this.code = code;
    this.param = param;
  }
}

const tool = z.strictObject({
  type: z.literal('function'),
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string().optional(),
  parameters: z.looseObject({ type: z.literal('object') }).optional(),
  // The agents SDK of OpenAI sends it.
  strict: z.boolean().optional(),
});
const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.strictObject({ type: z.literal('function'), name: z.string() }),
]);

const gaFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('audio/pcm'), rate: z.literal(24_000) }),
  z.strictObject({ type: z.literal('audio/pcmu') }),
  z.strictObject({ type: z.literal('audio/pcma') }),
]);
const vad = z.strictObject({
  type: z.literal('server_vad'),
  threshold: z.number().min(0).max(1).optional(),
  prefix_padding_ms: z.number().int().min(0).optional(),
  silence_duration_ms: z.number().int().min(0).optional(),
  idle_timeout_ms: z.number().int().min(5000).max(30_000).nullish(),
  create_response: z.boolean().optional(),
  interrupt_response: z.boolean().optional(),
});
const semanticVad = z.strictObject({
  type: z.literal('semantic_vad'),
  eagerness: z.enum(['low', 'medium', 'high', 'auto']).optional(),
  create_response: z.boolean().optional(),
  interrupt_response: z.boolean().optional(),
});
const maxTokens = z.union([z.number().int().min(1).max(4096), z.literal('inf')]);

const gaSession = z.strictObject({
  type: z.literal('realtime'),
  model: z.string().optional(),
  instructions: z.string().optional(),
  output_modalities: z
    .array(z.enum(['text', 'audio']))
    .length(1, 'audio or text, not both')
    .optional(),
  audio: z
    .strictObject({
      input: z
        .strictObject({
          format: gaFormat.optional(),
          noise_reduction: z.strictObject({ type: z.enum(['near_field', 'far_field']) }).nullish(),
          transcription: z
            .strictObject({
              model: z.string().optional(),
              language: z.string().optional(),
              prompt: z.string().optional(),
            })
            .nullish(),
          turn_detection: z.discriminatedUnion('type', [vad, semanticVad]).nullish(),
        })
        .optional(),
      output: z
        .strictObject({
          format: gaFormat.optional(),
          voice: z.string().optional(),
          speed: z.number().min(0.25).max(1.5).optional(),
        })
        .optional(),
    })
    .optional(),
  tools: z.array(tool).optional(),
  tool_choice: toolChoice.optional(),
  max_output_tokens: maxTokens.optional(),
  truncation: z.union([z.enum(['auto', 'disabled']), z.looseObject({})]).optional(),
  tracing: z.union([z.literal('auto'), z.looseObject({}), z.null()]).optional(),
  include: z.array(z.string()).nullish(),
  prompt: z.looseObject({}).nullish(),
});

const dashscopeSession = z.strictObject({
  modalities: z
    .array(z.enum(['text', 'audio']))
    .refine((list) => list.includes('text'), 'audio alone is not supported')
    .optional(),
  voice: z.string().optional(),
  instructions: z.string().optional(),
  input_audio_format: z.enum(['pcm', 'pcm16']).optional(),
  output_audio_format: z.enum(['pcm', 'pcm16', 'pcm24']).optional(),
  input_audio_transcription: z.strictObject({ model: z.string().optional() }).nullish(),
  turn_detection: z
    .strictObject({
      type: z.enum(['server_vad', 'semantic_vad']),
      threshold: z.number().min(-1).max(1).optional(),
      silence_duration_ms: z.number().int().min(200).max(6000).optional(),
      prefix_padding_ms: z.number().int().optional(),
      idle_timeout_ms: z.number().int().optional(),
      create_response: z.boolean().optional(),
      interrupt_response: z.boolean().optional(),
    })
    .nullish(),
  tools: z
    .array(z.strictObject({ type: z.literal('function'), function: tool.omit({ type: true }) }))
    .optional(),
  tool_choice: toolChoice.optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().optional(),
  top_k: z.number().int().optional(),
  seed: z.number().int().optional(),
  max_tokens: z.number().int().optional(),
  repetition_penalty: z.number().optional(),
  enable_search: z.boolean().optional(),
  smooth_output: z.boolean().nullish(),
});

const status = z.enum(['completed', 'incomplete', 'in_progress']).optional();
const itemBase = {
  id: z.string().min(1).max(32).optional(),
  object: z.literal('realtime.item').optional(),
  status,
};
const inputText = z.strictObject({ type: z.literal('input_text'), text: z.string().min(1) });
const newItem = z.union([
  z.strictObject({
    ...itemBase,
    type: z.literal('message'),
    role: z.literal('user'),
    content: z
      .array(
        z.union([
          inputText,
          z.strictObject({
            type: z.literal('input_audio'),
            audio: z.base64().min(1),
            transcript: z.string().nullish(),
          }),
        ]),
      )
      .min(1),
  }),
  z.strictObject({
    ...itemBase,
    type: z.literal('message'),
    role: z.literal('assistant'),
    // Spoken history cannot be written by a client.
    content: z.array(z.strictObject({ type: z.literal('output_text'), text: z.string().min(1) })).min(1),
  }),
  z.strictObject({
    ...itemBase,
    type: z.literal('message'),
    role: z.literal('system'),
    content: z.array(inputText).min(1),
  }),
  z.strictObject({
    ...itemBase,
    type: z.literal('function_call'),
    call_id: z.string().min(1).max(32),
    name: z.string().min(1),
    arguments: z.string(),
  }),
  z.strictObject({
    ...itemBase,
    type: z.literal('function_call_output'),
    call_id: z.string().min(1),
    output: z.string(),
  }),
]);
export type NewItem = z.infer<typeof newItem>;

const eventId = z.string().max(512).optional();
const responseParams = z.strictObject({
  conversation: z.enum(['auto', 'none']).optional(),
  instructions: z.string().optional(),
  output_modalities: z
    .array(z.enum(['text', 'audio']))
    .length(1)
    .optional(),
  max_output_tokens: maxTokens.optional(),
  metadata: z.record(z.string(), z.string()).nullish(),
  tool_choice: toolChoice.optional(),
  tools: z.array(tool).optional(),
});
const shared = [
  z.strictObject({
    type: z.literal('input_audio_buffer.append'),
    event_id: eventId,
    audio: z.base64().max(20_971_520, 'at most 15 MiB'),
  }),
  z.strictObject({ type: z.literal('input_audio_buffer.commit'), event_id: eventId }),
  z.strictObject({ type: z.literal('input_audio_buffer.clear'), event_id: eventId }),
  z.strictObject({
    type: z.literal('conversation.item.create'),
    event_id: eventId,
    previous_item_id: z.string().nullish(),
    item: newItem,
  }),
  z.strictObject({
    type: z.literal('response.create'),
    event_id: eventId,
    response: responseParams.optional(),
  }),
  z.strictObject({
    type: z.literal('response.cancel'),
    event_id: eventId,
    response_id: z.string().optional(),
  }),
] as const;
const gaEvent = z.discriminatedUnion('type', [
  ...shared,
  z.strictObject({ type: z.literal('session.update'), event_id: eventId, session: gaSession }),
  z.strictObject({ type: z.literal('conversation.item.retrieve'), event_id: eventId, item_id: z.string() }),
  z.strictObject({ type: z.literal('conversation.item.delete'), event_id: eventId, item_id: z.string() }),
  z.strictObject({
    type: z.literal('conversation.item.truncate'),
    event_id: eventId,
    item_id: z.string(),
    content_index: z.literal(0),
    audio_end_ms: z.number().int(),
  }),
]);
const dashscopeEvent = z.discriminatedUnion('type', [
  ...shared,
  z.strictObject({ type: z.literal('session.update'), event_id: eventId, session: dashscopeSession }),
  z.strictObject({ type: z.literal('session.finish'), event_id: eventId }),
]);
export type GaClientEvent = z.infer<typeof gaEvent>;
export type RealtimeClientEvent = GaClientEvent | z.infer<typeof dashscopeEvent>;

export type GaSession = z.infer<typeof gaSession>;
export type DashscopeSession = z.infer<typeof dashscopeSession>;

/** @throws RealtimeRefusal in the words of the real server, as far as they are known */
export function parseClientEvent(text: string, dialect: RealtimeDialect): RealtimeClientEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RealtimeRefusal('invalid_json', 'We could not parse the JSON body of your request.');
  }
  const parsed = (dialect === 'openai' ? gaEvent : dashscopeEvent).safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path.join('.') ?? '';
  if (path.endsWith('format.rate') && issue?.message.includes('expected 24000'))
    throw new RealtimeRefusal('missing_required_parameter', `Missing required parameter: '${path}'.`, path);
  if (issue?.code === 'unrecognized_keys')
    throw new RealtimeRefusal(
      'unknown_parameter',
      `Unknown parameter: '${[...issue.path, issue.keys[0]].join('.')}'.`,
    );
  throw new RealtimeRefusal('invalid_value', `Invalid value at '${path}': ${issue?.message}`, path);
}
