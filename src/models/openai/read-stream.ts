import { ChatError } from '../errors.js';
import {
  type CallPiece,
  chunkSchema,
  logprobsOf,
  type RawReply,
  textOfArguments,
  unreadable,
  usageOf,
} from './read-reply.js';

function emptyReply(): RawReply {
  return {
    ...{ content: '', reasoning: '', calls: [], finish: null, usage: null },
    ...{ promptIds: null, ids: null, logprobs: null },
  };
}

/** Pieces name their call by index; where a server sends none, a new id begins a new call. */
function addCall(calls: RawReply['calls'], piece: CallPiece): void {
  const last = calls.length - 1;
  const isNew = piece.id != null && piece.id !== '' && calls[last]?.id !== piece.id;
  const index = piece.index ?? (last < 0 || isNew ? last + 1 : last);
  while (calls.length <= index) calls.push({ id: '', name: '', arguments: '' });
  const call = calls[index];
  if (call === undefined) return;
  if (call.id === '') call.id = piece.id ?? '';
  // The name comes once; servers that repeat it on every piece would double it.
  if (call.name === '') call.name = piece.function?.name ?? '';
  call.arguments += textOfArguments(piece.function?.arguments);
}

const MAX_REPLY_CHARACTERS = 4 * 1024 * 1024;

/**
 * Puts a stream together: texts and arguments are appended, ids too (they come as differences), the prompt's come once.
 * A stream that ends without a finish reason was cut, however much came.
 * @throws ChatError, retryable
 */
export async function readStream(chunks: AsyncIterable<unknown>): Promise<RawReply> {
  const reply = emptyReply();
  let characters = 0;
  for await (const value of chunks) {
    const parsed = chunkSchema.safeParse(value);
    if (!parsed.success) throw unreadable(parsed.error);
    const { choices, usage, prompt_token_ids } = parsed.data;
    if (prompt_token_ids != null) reply.promptIds = prompt_token_ids;
    reply.usage = usageOf(usage) ?? reply.usage;
    const [choice] = choices;
    if (choice === undefined) continue;
    const { delta, finish_reason, logprobs, token_ids } = choice;
    const text = delta?.content ?? '';
    const thought = delta?.reasoning_content ?? delta?.reasoning ?? '';
    characters += text.length + thought.length + 1;
    if (characters > MAX_REPLY_CHARACTERS)
      throw new ChatError(`the reply is longer than ${MAX_REPLY_CHARACTERS} characters`, {
        failure: 'reply',
      });
    reply.content += text;
    reply.reasoning += thought;
    for (const piece of delta?.tool_calls ?? []) addCall(reply.calls, piece);
    if (token_ids != null) reply.ids = [...(reply.ids ?? []), ...token_ids];
    const more = logprobsOf(logprobs);
    if (more !== null) reply.logprobs = [...(reply.logprobs ?? []), ...more];
    reply.finish = finish_reason ?? reply.finish;
  }
  if (reply.finish === null)
    throw new ChatError('the stream broke off before the reply was whole', {
      failure: 'network',
      retryable: true,
    });
  return reply;
}
