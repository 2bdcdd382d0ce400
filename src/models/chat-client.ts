import { z } from 'zod';
import type { JsonObject } from '../shared/index.js';

/** A clip as a whole WAV file. Requests are told apart by its hash; the bytes only travel. */
export interface ChatAudio {
  readonly wavBase64: string;
  /** Of the WAV file's bytes. */
  readonly sha256: string;
  readonly durationMs: number;
}

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'audio'; readonly audio: ChatAudio };

/** A call as the model wrote it: `arguments` is text and may be anything. */
export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  /** Parts keep their order: what was said before a clip stays before it. */
  | { readonly role: 'user'; readonly content: string | readonly ChatPart[] }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly ChatToolCall[] | undefined;
      /** Set: sent in place of all this, as the server once gave it. */
      readonly verbatim?: JsonObject | undefined;
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A JSON Schema that the reply must fit, for servers that can hold a model to one. */
export interface ChatFormat {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Everything that decides a reply. Two requests with the same hash ask the same (see `chatRequestHash`). */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[] | undefined;
  /** False: at most one call in a reply. */
  readonly parallelToolCalls?: boolean | undefined;
  readonly format?: ChatFormat | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly seed?: number | undefined;
  /** Ask for token ids and log-probabilities, where the server has them; `given`: only keep what comes unasked. */
  readonly tokens?: boolean | 'given' | undefined;
  /** Keep the message as the server wrote it, to be sent back unchanged. */
  readonly verbatim?: boolean | undefined;
  /**
   * Who asks, e.g. an episode. Keeps equal requests of two episodes apart in a recording; sent as the `x-session-id` header,
   * so that a router can keep a conversation on one server.
   */
  readonly scope?: string | undefined;
}

const toolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

const tokensSchema = z.object({
  /** As the model saw the prompt: one id per audio token. Never to be sent back together with the audio. */
  prompt: z.array(z.number().int()).nullable(),
  completion: z.array(z.number().int()).nullable(),
  logprobs: z.array(z.number()).nullable(),
});
export type ChatTokens = z.infer<typeof tokensSchema>;

export const chatReplySchema = z.object({
  /** What the model said. */
  content: z.string(),
  /** What it thought, where the server keeps that apart. */
  reasoning: z.string().optional(),
  toolCalls: z.array(toolCallSchema).optional(),
  /** `length`: cut off at the token limit. */
  finish: z.enum(['stop', 'length', 'tools', 'filter', 'other']),
  /** Tokens, where the server counts them. */
  usage: z.object({ prompt: z.number().int().min(0), completion: z.number().int().min(0) }).nullable(),
  /** Present when they were asked for and the server gave any. */
  tokens: tokensSchema.optional(),
  /** The message with every field that the server gave it; present when it was asked for and came whole. */
  verbatim: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null).optional(),
});
export type ChatReply = z.infer<typeof chatReplySchema>;

/** A model that answers. Implementations talk to servers, or play back what one said. */
export interface ChatClient {
  /** Model and server, for records: results of different names are not comparable. */
  readonly name: string;
  /** Can the server hold a reply to `ChatRequest.format`? Where not, callers say it in words and read tolerantly. */
  readonly takesFormat: boolean;
  /** Rejects with `ChatError`; its `retryable` says whether the same request may succeed later. */
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatReply>;
}
