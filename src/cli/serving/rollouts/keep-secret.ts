import { type ChatClient, ChatError } from '../../../models/index.js';

/** Some servers quote the key that they refuse, and what a server says is kept in records: the key is blotted out of it. */
export function keepSecret(chat: ChatClient, secret: string | undefined): ChatClient {
  if (secret === undefined) return chat;
  return {
    ...chat,
    complete: (request, signal) =>
      chat.complete(request, signal).catch((error: unknown) => {
        if (!(error instanceof ChatError) || !error.message.includes(secret)) throw error;
        const { failure, retryable, facts } = error;
        throw new ChatError(error.message.replaceAll(secret, '[key]'), { failure, retryable, facts });
      }),
  };
}
