import { z } from 'zod';
import { canonicalJson, describeError, sha256Hex } from '../shared/index.js';
import { type ChatClient, type ChatReply, type ChatRequest, chatReplySchema } from './chat-client.js';
import { ChatError, ChatRecordingError } from './errors.js';

/** What makes two requests the same: messages, format, temperature, token limit and seed. */
export function chatRequestHash(request: ChatRequest): string {
  return sha256Hex(canonicalJson(request));
}

const headerSchema = z.object({
  type: z.literal('chat_recording'),
  version: z.literal(1),
  /** Name of the client whose replies these are. */
  client: z.string().min(1),
  takesFormat: z.boolean(),
});
const lineSchema = z.object({
  type: z.literal('chat_reply'),
  /** `chatRequestHash` of the request. */
  request: z.string().length(64),
  reply: chatReplySchema,
});

const MAX_RECORDING_CHARACTERS = 512 * 1024 * 1024;

/**
 * A model that says again what a recording holds: JSON lines, first a `chat_recording` header, then one `chat_reply`
 * per request. Where a request was recorded several times its replies come in order, the last one for ever.
 * A request that is not in it fails (`chat-failed`, not retryable).
 * @param source the file's name, for messages
 * @throws ChatRecordingError
 */
export function createRecordedChat(text: string, source: string): ChatClient {
  if (text.length > MAX_RECORDING_CHARACTERS)
    throw new ChatRecordingError(
      `${source} is larger than a recording may be (${MAX_RECORDING_CHARACTERS} characters)`,
    );
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = <T>(schema: z.ZodType<T>, line: string, number: number): T => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw new ChatRecordingError(
        `${source}, line ${number}: expected a JSON object; ${describeError(error)}`,
      );
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new ChatRecordingError(
      `${source}, line ${number}, at ${issue?.path.join('.') || 'the top'}: ${issue?.message}; expected ` +
        (number === 1 ? 'the header of a recording ("type":"chat_recording")' : 'a recorded reply'),
    );
  };
  const [first, ...rest] = lines;
  if (first === undefined)
    throw new ChatRecordingError(`${source} is empty; expected a recording of a model's replies`);
  const header = read(headerSchema, first, 1);
  const replies = new Map<string, ChatReply[]>();
  for (const [index, line] of rest.entries()) {
    const { request, reply } = read(lineSchema, line, index + 2);
    const known = replies.get(request);
    if (known === undefined) replies.set(request, [reply]);
    else known.push(reply);
  }
  return {
    name: header.client,
    takesFormat: header.takesFormat,
    complete: async (request) => {
      const known = replies.get(chatRequestHash(request));
      const reply = known !== undefined && known.length > 1 ? known.shift() : known?.[0];
      if (reply === undefined)
        throw new ChatError(
          `${source} holds no reply to this request; record it again with the same prompt and options`,
        );
      return reply;
    },
  };
}

/** Passes everything through and hands out the lines of a recording, header first, each with its line feed. */
export function recordChat(client: ChatClient, append: (line: string) => void): ChatClient {
  append(
    `${JSON.stringify({ type: 'chat_recording', version: 1, client: client.name, takesFormat: client.takesFormat })}\n`,
  );
  return {
    name: client.name,
    takesFormat: client.takesFormat,
    complete: async (request, signal) => {
      const reply = await client.complete(request, signal);
      append(`${JSON.stringify({ type: 'chat_reply', request: chatRequestHash(request), reply })}\n`);
      return reply;
    },
  };
}
