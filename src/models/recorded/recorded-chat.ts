import { z } from 'zod';
import { describeError } from '../../shared/index.js';
import { type ChatClient, type ChatReply, chatReplySchema } from '../chat-client.js';
import { ChatError, ChatRecordingError } from '../errors.js';
import {
  chatRequestHash,
  describeNearest,
  outlineOf,
  outlineSchema,
  type RequestOutline,
} from './request-outline.js';

const headerSchema = z.object({
  type: z.literal('chat_recording'),
  version: z.literal(1),
  /** Name of the client whose replies these are. */
  client: z.string().min(1),
  takesFormat: z.boolean(),
});
const exchange = {
  /** `chatRequestHash` of the request. */
  request: z.string().length(64),
  outline: outlineSchema.optional(),
};
const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('chat_reply'), ...exchange, reply: chatReplySchema }),
  z.object({
    type: z.literal('chat_failure'),
    ...exchange,
    failure: z.enum(['refused', 'overflow', 'audio', 'tools', 'reply', 'other']),
    message: z.string(),
  }),
]);
type Exchange = z.infer<typeof lineSchema>;

/** What the same request would meet again; anything else that fails says nothing about the model. */
function isLasting(failure: string): failure is Extract<Exchange, { type: 'chat_failure' }>['failure'] {
  return lineSchema.options[1].shape.failure.safeParse(failure).success;
}

const MAX_RECORDING_CHARACTERS = 512 * 1024 * 1024;

function readLine<T>(schema: z.ZodType<T>, line: string, place: { source: string; number: number }): T {
  const { source, number } = place;
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
}

/**
 * A model that says again what a recording holds: JSON lines, first a `chat_recording` header, then one `chat_reply` or
 * `chat_failure` per request. Where a request was recorded several times its replies come in order, the last one for ever.
 * A request that is not in it fails (`unrecorded`, not retryable) and says what differs from the nearest one that is.
 * @param source the file's name, for messages
 * @throws ChatRecordingError
 */
export function createRecordedChat(text: string, source: string): ChatClient {
  if (text.length > MAX_RECORDING_CHARACTERS)
    throw new ChatRecordingError(
      `${source} is larger than a recording may be (${MAX_RECORDING_CHARACTERS} characters)`,
    );
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first, ...rest] = lines;
  if (first === undefined)
    throw new ChatRecordingError(`${source} is empty; expected a recording of a model's replies`);
  const header = readLine(headerSchema, first, { source, number: 1 });
  const exchanges = new Map<string, Exchange[]>();
  const outlines: RequestOutline[] = [];
  for (const [index, line] of rest.entries()) {
    const read = readLine(lineSchema, line, { source, number: index + 2 });
    const known = exchanges.get(read.request);
    if (known === undefined) exchanges.set(read.request, [read]);
    else known.push(read);
    if (read.outline !== undefined) outlines.push(read.outline);
  }
  return {
    name: header.client,
    takesFormat: header.takesFormat,
    complete: async (request): Promise<ChatReply> => {
      const known = exchanges.get(chatRequestHash(request));
      const found = known !== undefined && known.length > 1 ? known.shift() : known?.[0];
      if (found?.type === 'chat_reply') return found.reply;
      if (found?.type === 'chat_failure') throw new ChatError(found.message, { failure: found.failure });
      const nearest = describeNearest(outlineOf(request), outlines);
      throw new ChatError(
        `${source} holds no reply to this request${nearest === null ? '' : ` (against the nearest one: ${nearest})`}; record it again with the same prompt and options`,
        { failure: 'unrecorded' },
      );
    },
  };
}

/**
 * Passes everything through and hands out the lines of a recording, header first, each with its line feed. Neither keys nor
 * audio are in it: a clip is named by its hash.
 */
export function recordChat(client: ChatClient, append: (line: string) => void): ChatClient {
  append(
    `${JSON.stringify({ type: 'chat_recording', version: 1, client: client.name, takesFormat: client.takesFormat })}\n`,
  );
  return {
    name: client.name,
    takesFormat: client.takesFormat,
    complete: async (request, signal) => {
      const asked = { request: chatRequestHash(request), outline: outlineOf(request) };
      try {
        const reply = await client.complete(request, signal);
        append(`${JSON.stringify({ type: 'chat_reply', ...asked, reply })}\n`);
        return reply;
      } catch (error) {
        if (error instanceof ChatError && isLasting(error.failure)) {
          const { failure, message } = error;
          append(`${JSON.stringify({ type: 'chat_failure', ...asked, failure, message })}\n`);
        }
        throw error;
      }
    },
  };
}
