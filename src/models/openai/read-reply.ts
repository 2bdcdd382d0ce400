import { z } from 'zod';
import type { JsonObject } from '../../shared/index.js';
import type { ChatReply, ChatToolCall } from '../chat-client.js';
import { ChatError } from '../errors.js';

const ids = z.array(z.number().int());
const logprobsSchema = z.object({ content: z.array(z.object({ logprob: z.number() })).nullish() }).nullish();
const usageSchema = z
  .object({ prompt_tokens: z.number().int().min(0), completion_tokens: z.number().int().min(0) })
  .nullish();

const callPieceSchema = z.object({
  index: z.number().int().min(0).max(1000).nullish(),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      // Some servers give an object in place of its text.
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});
export type CallPiece = z.infer<typeof callPieceSchema>;

const saidSchema = z.object({
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(callPieceSchema).nullish(),
});

export const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        message: saidSchema,
        finish_reason: z.string().nullish(),
        logprobs: logprobsSchema,
        token_ids: ids.nullish(),
      }),
    )
    .min(1),
  usage: usageSchema,
  prompt_token_ids: ids.nullish(),
});

/** One piece of a stream. */
export const chunkSchema = z.object({
  choices: z.array(
    z.object({
      delta: saidSchema.nullish(),
      finish_reason: z.string().nullish(),
      logprobs: logprobsSchema,
      token_ids: ids.nullish(),
    }),
  ),
  usage: usageSchema,
  prompt_token_ids: ids.nullish(),
});

/** What a completion or a whole stream comes to, before it is named in our words. */
export interface RawReply {
  content: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
  finish: string | null;
  usage: { prompt: number; completion: number } | null;
  promptIds: number[] | null;
  ids: number[] | null;
  logprobs: number[] | null;
}

const FINISHES: Readonly<Record<string, ChatReply['finish']>> = {
  ...{
    stop: 'stop',
    length: 'length',
    tool_calls: 'tools',
    function_call: 'tools',
    content_filter: 'filter',
  },
};

/** A tool without parameters is called with nothing at all by some servers; that is an empty object. */
function callOf({ id, name, arguments: args }: RawReply['calls'][number], index: number): ChatToolCall {
  return { id: id === '' ? `call-${index + 1}` : id, name, arguments: args.trim() === '' ? '{}' : args };
}

export function replyOf(raw: RawReply, wantsTokens: boolean): ChatReply {
  const { content, reasoning, calls, usage, promptIds: prompt, ids: completion, logprobs } = raw;
  const hasTokens = prompt !== null || completion !== null || logprobs !== null;
  return {
    content,
    ...(reasoning === '' ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { toolCalls: calls.map(callOf) }),
    finish: FINISHES[raw.finish ?? ''] ?? 'other',
    usage,
    ...(wantsTokens && hasTokens ? { tokens: { prompt, completion, logprobs } } : {}),
  };
}

export function textOfArguments(value: string | Record<string, unknown> | null | undefined): string {
  return typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
}

export function usageOf(usage: z.infer<typeof usageSchema>): RawReply['usage'] {
  return usage == null ? null : { prompt: usage.prompt_tokens, completion: usage.completion_tokens };
}

export function logprobsOf(logprobs: z.infer<typeof logprobsSchema>): number[] | null {
  return logprobs?.content?.map(({ logprob }) => logprob) ?? null;
}

/** @throws ChatError when it is no chat completion */
export function readCompletion(value: unknown): RawReply {
  const parsed = completionSchema.safeParse(value);
  if (!parsed.success) throw unreadable(parsed.error);
  const { choices, usage, prompt_token_ids } = parsed.data;
  const [choice] = choices;
  if (choice === undefined) throw new ChatError('the reply holds no choice', { failure: 'reply' });
  const { message, finish_reason, logprobs, token_ids } = choice;
  return {
    content: message.content ?? '',
    reasoning: message.reasoning_content ?? message.reasoning ?? '',
    calls: (message.tool_calls ?? []).map((call) => ({
      id: call.id ?? '',
      name: call.function?.name ?? '',
      arguments: textOfArguments(call.function?.arguments),
    })),
    finish: finish_reason ?? null,
    usage: usageOf(usage),
    promptIds: prompt_token_ids ?? null,
    ids: token_ids ?? null,
    logprobs: logprobsOf(logprobs),
  };
}

/** The message of a completion that `readCompletion` has read, with every field. */
export function readMessage(completion: unknown): JsonObject {
  const { choices } = completion as { readonly choices: readonly [{ readonly message: JsonObject }] };
  return choices[0].message;
}

export function unreadable(error: z.ZodError): ChatError {
  const issue = error.issues[0];
  return new ChatError(
    `expected a chat completion from the server; at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`,
    { failure: 'reply', retryable: true },
  );
}
