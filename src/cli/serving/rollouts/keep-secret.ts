import { blotKey, type ChatClient } from '../../../models/index.js';

/**
 * What a model says and calls is kept in records: a key that it repeats is blotted there. The history that goes back to it
 * (`verbatim`) stays as it was.
 */
export function keepSecret(chat: ChatClient, secret: string | undefined): ChatClient {
  if (secret === undefined) return chat;
  return {
    ...chat,
    complete: async (request, signal) => {
      const reply = await chat.complete(request, signal);
      const { content, toolCalls } = reply;
      return {
        ...reply,
        content: blotKey(content, secret),
        toolCalls: toolCalls?.map((call) => ({ ...call, arguments: blotKey(call.arguments, secret) })),
      };
    },
  };
}
