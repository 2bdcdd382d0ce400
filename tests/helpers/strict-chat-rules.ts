import { createHash } from 'node:crypto';
import { z } from 'zod';
import { decodeWav, pcmDurationMs } from '../../src/audio/index.js';
import { audioTokenCount, type TokenPart } from './strict-chat-tokens.js';

/** What a deployed server was started with; each field stands for a flag or a limit of the real one. */
export interface StrictServerFlags {
  readonly flavour: 'vllm' | 'openai' | 'sglang';
  readonly models: readonly string[];
  /** --enable-auto-tool-choice with --tool-call-parser hermes. */
  readonly toolParser: boolean;
  /** False: the audio dependencies are missing, so every clip is an opaque 500. */
  readonly audio: boolean;
  /** --limit-mm-per-prompt audio count. */
  readonly audioPerPrompt: number;
  /** VLLM_MAX_AUDIO_CLIP_FILESIZE_MB. */
  readonly maxClipMegabytes: number;
  /** VLLM_MAX_AUDIO_DECODE_DURATION_S. */
  readonly maxClipSeconds: number;
  /** --max-model-len. */
  readonly contextTokens: number;
  readonly audioTokensPerSecond: number;
  /** --chat-template-content-format. `string`: texts are joined, and all clips of a message move before them. */
  readonly contentFormat: 'openai' | 'string';
}

export const DEFAULT_FLAGS: StrictServerFlags = {
  flavour: 'vllm',
  models: ['Qwen/Qwen2.5-Omni-7B'],
  ...{ toolParser: true, audio: true, audioPerPrompt: 64, maxClipMegabytes: 25, maxClipSeconds: 600 },
  ...{ contextTokens: 32_768, audioTokensPerSecond: 25, contentFormat: 'openai' },
};

/** A request that the real server would not take. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  constructor(status: number, message: string, type = 'BadRequestError') {
    super(message);
    this.status = status;
    this.type = type;
  }
}

const refuse = (message: string): never => {
  throw new Refusal(400, message);
};

export interface SeenClip {
  readonly sha256: string;
  readonly durationMs: number;
  readonly sampleRateHz: number;
}
export interface SeenCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}
/** One message after the checks: parts in order. */
export interface SeenMessage {
  readonly role: string;
  readonly parts: readonly ({ readonly text: string } | { readonly clip: SeenClip })[];
  readonly calls: readonly SeenCall[];
  readonly toolCallId: string | null;
}

const messageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.null(), z.array(z.record(z.string(), z.unknown()))]).optional(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string().min(1),
        type: z.literal('function'),
        function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
      }),
    )
    .optional(),
  tool_call_id: z.string().optional(),
});
export const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
  tools: z
    .array(
      z.looseObject({
        type: z.literal('function'),
        function: z.looseObject({ name: z.string().min(1), parameters: z.record(z.string(), z.unknown()) }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  parallel_tool_calls: z.boolean().optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().gt(0).max(1).optional(),
  max_tokens: z.number().int().min(1).optional(),
  max_completion_tokens: z.number().int().min(1).optional(),
  seed: z.number().int().optional(),
  logprobs: z.boolean().optional(),
  return_token_ids: z.boolean().optional(),
});
export type StrictBody = z.infer<typeof bodySchema>;

const TEXT_PARTS = ['text', 'input_text', 'output_text', 'refusal', 'thinking'];
const VLLM_ONLY = ['return_token_ids', 'cache_salt', 'mm_processor_kwargs', 'chat_template_kwargs', 'top_k'];

function readClip(data: string, flags: StrictServerFlags): SeenClip {
  if (!flags.audio) throw new Refusal(500, 'Internal Server Error', 'InternalServerError');
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) refuse('Invalid base64-encoded string');
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > flags.maxClipMegabytes * 1024 * 1024)
    refuse(`Maximum file size exceeded: ${flags.maxClipMegabytes} MB`);
  if (bytes.toString('latin1', 0, 4) !== 'RIFF') refuse('Invalid or unsupported audio file.');
  const pcm = decodeWav(bytes);
  const durationMs = pcmDurationMs(pcm);
  if (durationMs > flags.maxClipSeconds * 1000) refuse('Audio clip is longer than the decode limit');
  if (audioTokenCount(durationMs, flags.audioTokensPerSecond) === 0)
    refuse('The audio (len=0) is too short to be represented inside the model');
  return {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    durationMs,
    sampleRateHz: pcm.sampleRateHz,
  };
}

function dataUrl(url: string): string {
  if (url.startsWith('file://')) refuse('Cannot load local files without `--allowed-local-media-path`.');
  const match = /^data:audio\/[a-z0-9.+-]+;base64,(.*)$/s.exec(url);
  return match?.[1] ?? refuse('The URL must be a data URL here: the server may not fetch');
}

function readPart(part: Record<string, unknown>, flags: StrictServerFlags): SeenMessage['parts'][number] {
  const { type } = part;
  if (type === undefined) {
    if (typeof part.audio_url !== 'string') return refuse("Missing 'type' field in multimodal part.");
    return { clip: readClip(dataUrl(part.audio_url), flags) };
  }
  if (typeof type === 'string' && TEXT_PARTS.includes(type)) {
    const text = part.text ?? part.refusal ?? part.thinking;
    if (typeof text !== 'string') return refuse(`Input should be a valid string in a part of type ${type}`);
    return { text };
  }
  if (type === 'audio_url' && flags.flavour !== 'openai') {
    const parsed = z.object({ url: z.string() }).safeParse(part.audio_url);
    if (!parsed.success) return refuse('audio_url: Input should be a valid dictionary with `url`');
    return { clip: readClip(dataUrl(parsed.data.url), flags) };
  }
  if (type === 'input_audio' && flags.flavour !== 'sglang') {
    const parsed = z.object({ data: z.string(), format: z.enum(['wav', 'mp3']) }).safeParse(part.input_audio);
    if (!parsed.success) return refuse('input_audio: needs `data` and `format`');
    return { clip: readClip(parsed.data.data, flags) };
  }
  return refuse(`Unsupported chat content part type: ${String(type)}`);
}

function readMessage(message: z.infer<typeof messageSchema>, flags: StrictServerFlags): SeenMessage {
  const { role, content, tool_calls, tool_call_id } = message;
  if (role !== 'assistant' && (content === undefined || content === null))
    return refuse(`messages: content of a ${role} message is required`);
  const parts =
    typeof content === 'string' ? [{ text: content }] : (content ?? []).map((part) => readPart(part, flags));
  if (role !== 'user' && parts.some((part) => 'clip' in part))
    refuse(`audio is not allowed in a ${role} message`);
  if (role === 'tool' && tool_call_id === undefined) refuse('tool_call_id is required in a tool message');
  const calls = (tool_calls ?? []).map((call) => {
    try {
      const args: unknown = JSON.parse(call.function.arguments);
      return { id: call.id, name: call.function.name, arguments: args };
    } catch {
      return refuse(`Expecting value: tool_calls arguments of ${call.function.name} are not JSON`);
    }
  });
  const seen = flags.contentFormat === 'string' ? inStringFormat(parts) : parts;
  return { role, parts: seen, calls, toolCallId: tool_call_id ?? null };
}

/** Placeholders first, each with its number, then the texts, all joined by line breaks, as vLLM does it for Qwen2.5-Omni. */
function inStringFormat(parts: SeenMessage['parts']): SeenMessage['parts'] {
  const clips = parts.filter((part) => 'clip' in part);
  if (clips.length === 0) return parts;
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
  return [
    ...clips.flatMap((clip, index) => [{ text: `${index === 0 ? '' : '\n'}Audio ${index + 1}: ` }, clip]),
    ...texts.map((text) => ({ text: `\n${text}` })),
  ];
}

/** Every call is answered right after it, each once, and nothing is answered that was not called. */
function checkCalls(messages: readonly SeenMessage[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.toolCallId ?? ''))
        refuse(`No tool call found for tool message with tool_call_id ${message.toolCallId}`);
      open = open.filter((id) => id !== message.toolCallId);
      continue;
    }
    if (open.length > 0)
      refuse(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'; without output: ${open.join(', ')}`,
      );
    open = message.calls.map((call) => call.id);
    if (new Set(open).size !== open.length) refuse('two tool calls have the same id');
  }
  if (open.length > 0) refuse(`the last tool calls have no output: ${open.join(', ')}`);
}

/** Takes a request as the real server would, or throws a `Refusal` with its status and words. */
export function checkRequest(
  raw: unknown,
  flags: StrictServerFlags,
): { readonly body: StrictBody; readonly messages: readonly SeenMessage[] } {
  const parsed = bodySchema.safeParse(raw);
  if (!parsed.success)
    throw new Refusal(
      400,
      `${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message ?? 'invalid'}`,
    );
  const body = parsed.data;
  if (!flags.models.includes(body.model))
    throw new Refusal(404, `The model \`${body.model}\` does not exist.`, 'NotFoundError');
  if ('chat_template' in body)
    refuse('Chat template is passed with request, but the server does not trust it');
  if (flags.flavour === 'openai') {
    const unknown = VLLM_ONLY.find((name) => name in body);
    if (unknown !== undefined) refuse(`Unrecognized request argument supplied: ${unknown}`);
  }
  if (body.stream_options !== undefined && body.stream !== true)
    refuse('Stream options can only be defined when `stream=True`.');
  const choice = body.tool_choice ?? (body.tools === undefined ? 'none' : 'auto');
  if (body.tools === undefined && body.tool_choice !== undefined && body.tool_choice !== 'none')
    refuse('When using `tool_choice`, `tools` must be set.');
  if (choice === 'auto' && !flags.toolParser)
    refuse('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set');
  const messages = body.messages.map((message) => readMessage(message, flags));
  const clips = messages.flatMap(({ parts }) => parts).filter((part) => 'clip' in part).length;
  if (clips > flags.audioPerPrompt)
    refuse(`At most ${flags.audioPerPrompt} audio(s) may be provided in one request.`);
  checkCalls(messages);
  return { body, messages };
}

/** What of a message goes into the prompt. */
export function tokenParts(message: SeenMessage): TokenPart[] {
  return [
    ...message.parts.map((part) => ('clip' in part ? { durationMs: part.clip.durationMs } : part)),
    ...message.calls.map((call) => ({ text: JSON.stringify([call.name, call.arguments]) })),
  ];
}
