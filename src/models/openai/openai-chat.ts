import OpenAI from 'openai';
import type { ChatClient, ChatReply, ChatRequest } from '../chat-client.js';
import { ChatError } from '../errors.js';
import { chatFailure } from './chat-failure.js';
import { createHttpFetch } from './http-fetch.js';
import type { OpenAiChatOptions } from './options.js';
import { readCompletion, readMessage, replyOf } from './read-reply.js';
import { readStream } from './read-stream.js';
import { requestText } from './request-text.js';

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_RETRIES = 4;
const DEFAULT_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 60_000;
/** The library's own timer must never be the first: ours runs on the injected clock. */
const NEVER_MS = 2 ** 31 - 1;

const hasAudio = ({ messages }: ChatRequest): boolean =>
  messages.some(
    ({ role, content }) =>
      role === 'user' && typeof content !== 'string' && content.some(({ type }) => type === 'audio'),
  );

const wants = ({ tokens = false }: ChatRequest): boolean => tokens !== false;

function verbatimOf(answer: unknown, { verbatim = false }: ChatRequest): Pick<ChatReply, 'verbatim'> {
  return verbatim ? { verbatim: readMessage(answer) } : {};
}

/** Sends one body and reads the whole reply, within the time for one try. */
async function attempt(
  client: OpenAI,
  request: ChatRequest,
  options: OpenAiChatOptions,
  signal: AbortSignal,
): Promise<ChatReply> {
  const { clock, timeoutMs = DEFAULT_TIMEOUT_MS, stream = false, baseUrl } = options;
  const controller = new AbortController();
  const callOff = (): void => controller.abort(signal.reason);
  if (signal.aborted) callOff();
  signal.addEventListener('abort', callOff, { once: true });
  let isLate = false;
  const cancel = clock.after(timeoutMs, () => {
    isLate = true;
    controller.abort();
  });
  try {
    const answer: unknown = await client.post('/chat/completions', {
      // Written by us: it holds fields of servers that the library has no types for.
      body: requestText(request, options),
      ...{ stream, signal: controller.signal },
      headers: {
        'content-type': 'application/json',
        ...(request.scope === undefined ? {} : { 'x-session-id': encodeURIComponent(request.scope) }),
      },
    });
    if (stream) return replyOf(await readStream(answer as AsyncIterable<unknown>), wants(request));
    return { ...replyOf(readCompletion(answer), wants(request)), ...verbatimOf(answer, request) };
  } catch (error) {
    if (isLate)
      throw new ChatError(`${baseUrl} gave no reply within ${timeoutMs / 1000} s`, {
        ...{ failure: 'timeout', retryable: true, cause: error },
      });
    if (signal.aborted)
      throw new ChatError('the request was called off', { failure: 'called-off', cause: error });
    throw chatFailure(error, options, hasAudio(request));
  } finally {
    cancel();
    signal.removeEventListener('abort', callOff);
  }
}

/** Waits on the injected clock; an abort ends the wait, and the next try finds it. */
function pause(delayMs: number, { clock }: OpenAiChatOptions, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    signal.addEventListener('abort', done, { once: true });
  });
}

/**
 * A model behind an OpenAI-compatible server. Connections are kept and shared by the platform's pool. What may pass (429,
 * 5xx, time, a broken connection) is tried again, later each time and spread by chance; what will not (a request that is too
 * long, a key, a model) is not. A place at the gate is held while a request runs, not while one waits to be tried again.
 */
export function createOpenAiChat(options: OpenAiChatOptions): ChatClient {
  const {
    baseUrl,
    model,
    random,
    retries = DEFAULT_RETRIES,
    retryDelayMs = DEFAULT_RETRY_DELAY_MS,
  } = options;
  const client = new OpenAI({
    ...{ baseURL: baseUrl, apiKey: options.apiKey ?? 'none', adminAPIKey: null },
    // Nothing is read from the environment here: only the command line may do that.
    ...{ organization: null, project: null, webhookSecret: null, logLevel: 'off' },
    ...{ maxRetries: 0, timeout: NEVER_MS, fetch: createHttpFetch() },
  });
  const gate = options.gate ?? ((job) => job());
  return {
    name: model,
    takesFormat: options.takesFormat ?? options.server !== 'plain',
    complete: async (request, signal) => {
      for (let retry = 0; ; retry += 1) {
        try {
          return await gate(() => attempt(client, request, options, signal));
        } catch (error) {
          if (!(error instanceof ChatError) || !error.retryable || retry >= retries) throw error;
          const spread = retryDelayMs * 2 ** retry * (0.5 + random.next() / 2);
          const delayMs = Math.min(MAX_RETRY_DELAY_MS, Math.max(spread, error.retryAfterMs ?? 0));
          await pause(delayMs, options, signal);
        }
      }
    },
  };
}
