import { z } from 'zod';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A JSON Schema that the reply must fit, for servers that can hold a model to one. */
export interface ChatFormat {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Everything that decides a reply. Two requests with the same hash ask the same (see `chatRequestHash`). */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly format?: ChatFormat | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly seed?: number | undefined;
}

export const chatReplySchema = z.object({
  content: z.string(),
  /** `length`: cut off at the token limit. */
  finish: z.enum(['stop', 'length', 'filter', 'other']),
  /** Tokens, where the server counts them. */
  usage: z.object({ prompt: z.number().int().min(0), completion: z.number().int().min(0) }).nullable(),
});
export type ChatReply = z.infer<typeof chatReplySchema>;

/** A model that answers in text. Implementations talk to servers, or play back what one said. */
export interface ChatClient {
  /** Model and server, for records: results of different names are not comparable. */
  readonly name: string;
  /** Can the server hold a reply to `ChatRequest.format`? Where not, callers say it in words and read tolerantly. */
  readonly takesFormat: boolean;
  /** Rejects with `ChatError`; its `retryable` says whether the same request may succeed later. */
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatReply>;
}
