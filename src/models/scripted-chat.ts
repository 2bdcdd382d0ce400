import type { ChatClient, ChatReply, ChatRequest } from './chat-client.js';
import { ChatError } from './errors.js';

export interface ScriptedChat extends ChatClient {
  /** Every request so far, in order. */
  readonly requests: readonly ChatRequest[];
}

export interface ScriptedChatOptions {
  readonly name?: string;
  readonly takesFormat?: boolean;
}

/** What a scripted model does with a request: says a text, gives a whole reply, or fails. */
export type ScriptedAnswer = string | ChatReply | Error;

/**
 * A model that says what it is told to, for tests and demonstrations without one. Answers come from a list in order
 * (after its end every request fails), or from a function of the request and its number from 0.
 */
export function createScriptedChat(
  script: readonly ScriptedAnswer[] | ((request: ChatRequest, index: number) => ScriptedAnswer),
  options: ScriptedChatOptions = {},
): ScriptedChat {
  const requests: ChatRequest[] = [];
  const answerTo = (request: ChatRequest, index: number): ScriptedAnswer =>
    typeof script === 'function'
      ? script(request, index)
      : (script[index] ??
        new ChatError(`the script has ${script.length} answers; this is request ${index + 1}`));
  return {
    name: options.name ?? 'scripted',
    takesFormat: options.takesFormat ?? false,
    requests,
    complete: async (request, signal) => {
      if (signal.aborted) throw new ChatError('the request was called off', { cause: signal.reason });
      requests.push(request);
      const answer = answerTo(request, requests.length - 1);
      if (answer instanceof Error) throw answer;
      return typeof answer === 'string' ? { content: answer, finish: 'stop', usage: null } : answer;
    },
  };
}
