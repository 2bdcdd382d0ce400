import { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import { describeError } from '../../shared/index.js';
import { ChatError, type ChatErrorOptions, type ChatFailure } from '../errors.js';
import { blotKey } from './blot-key.js';
import type { OpenAiChatOptions } from './options.js';
import { SETTINGS_WORDS, type SettingsWords } from './settings-words.js';

type Asked = Pick<OpenAiChatOptions, 'baseUrl' | 'model' | 'apiKey' | 'settingsAre'>;

const namesOf = ({ settingsAre = 'flags' }: Asked): SettingsWords => SETTINGS_WORDS[settingsAre];

const MAX_QUOTE = 300;

/** What a server says is kept in records, and some quote the key that they refuse. */
function quote(text: string, { apiKey }: Asked): string {
  const blotted = blotKey(text, apiKey);
  return blotted.length > MAX_QUOTE ? `${blotted.slice(0, MAX_QUOTE)}…` : blotted;
}

/** The server's own words, without the status that the client puts before them. */
function wordsOf(error: APIError, asked: Asked): string {
  const body: unknown = error.error;
  if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string')
    return quote(body.message, asked);
  return quote(error.message.replace(/^\d{3} /, ''), asked);
}

const OVERFLOW =
  /context[ _]length|maximum context|max_model_len|too long|longer than the maximum|context window/i;
const NO_PARSER =
  /enable-auto-tool-choice|tool-call-parser|tool[ _]choice.*(?:not supported|requires)|does not support tools/i;
const NO_AUDIO = /audio|part type/i;

function badRequest(words: string, asked: Asked, hasAudio: boolean): [ChatFailure, string] {
  const { baseUrl } = asked;
  const names = namesOf(asked);
  if (OVERFLOW.test(words)) return ['overflow', `the request is longer than the model's context: ${words}`];
  if (NO_PARSER.test(words))
    return [
      'tools',
      `${baseUrl} cannot call tools: start vLLM with --enable-auto-tool-choice --tool-call-parser hermes, or let Parlor read calls from the text (${names.textTools}). It said: ${words}`,
    ];
  if (hasAudio && NO_AUDIO.test(words))
    return [
      'audio',
      `${baseUrl} does not take this audio: use a model that hears and --limit-mm-per-prompt '{"audio":64}', ${names.audio}. It said: ${words}`,
    ];
  return ['refused', `${baseUrl} refused the request: ${words}`];
}

function retryAfterMs(error: APIError): number | undefined {
  const seconds = Number(error.headers?.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

function byStatus(error: APIError, asked: Asked, hasAudio: boolean): ChatError {
  const { baseUrl, model } = asked;
  const status = error.status ?? 0;
  const words = wordsOf(error, asked);
  const names = namesOf(asked);
  const make = (message: string, options: ChatErrorOptions): ChatError =>
    new ChatError(message, { ...options, facts: { status }, cause: error });
  if (status >= 300 && status < 400)
    return make(
      `${baseUrl} sends elsewhere (${status}), to ${quote(error.headers?.get('location') ?? 'an address that it does not name', asked)}: give the address where it ends with ${names.baseUrl}`,
      { failure: 'address' },
    );
  if (status === 401 || status === 403) {
    const wanted = asked.apiKey === undefined ? 'wants a key, and none was sent' : 'wants another key';
    return make(`${baseUrl} ${wanted} (${status}): ${names.key}. It said: ${words}`, { failure: 'key' });
  }
  if (status === 404)
    return /model/i.test(words)
      ? make(
          `${baseUrl} has no model "${model}": give one that it lists under ${baseUrl}/models with ${names.model}. It said: ${words}`,
          { failure: 'model' },
        )
      : make(
          `${baseUrl} is no OpenAI-compatible server (404): ${names.baseUrl} must end where /chat/completions begins, mostly in /v1`,
          { failure: 'address' },
        );
  if (status === 429)
    return make(`${baseUrl} is asked too often (429): ${words}; ${names.fewer}`, {
      ...{ failure: 'rate', retryable: true, retryAfterMs: retryAfterMs(error) },
    });
  if (status === 408 || status === 409 || status >= 500) {
    const hint = hasAudio
      ? '; if only requests with audio fail, its audio parts are missing: pip install "vllm[audio]"'
      : '';
    return make(`${baseUrl} failed (${status}): ${words}${hint}`, {
      ...{ failure: 'server', retryable: true, retryAfterMs: retryAfterMs(error) },
    });
  }
  const [failure, message] = badRequest(words, asked, hasAudio);
  return make(message, { failure });
}

function causeCode(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return '';
}

function deepest(error: Error): Error {
  let found = error;
  while (found.cause instanceof Error) found = found.cause;
  return found;
}

/** A connection that could not be made, or broke. */
function network(error: Error, asked: Asked): ChatError {
  const { baseUrl } = asked;
  const code = causeCode(error);
  const words = describeError(deepest(error));
  if (
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN' ||
    code === 'ECONNREFUSED' ||
    code === 'ERR_INVALID_URL' ||
    words === 'bad port'
  )
    return new ChatError(
      `nobody answers at ${baseUrl} (${code || words}): is the server running, and is ${namesOf(asked).baseUrl} right?`,
      { failure: 'address', retryable: code === 'ECONNREFUSED' || code === 'EAI_AGAIN', cause: error },
    );
  return new ChatError(`the connection to ${baseUrl} broke (${code || words})`, {
    failure: 'network',
    retryable: true,
    cause: error,
  });
}

/** Whatever the client library threw, as one line that says what to change. */
export function chatFailure(error: unknown, asked: Asked, hasAudio: boolean): ChatError {
  if (error instanceof ChatError) return error;
  if (error instanceof APIUserAbortError)
    return new ChatError('the request was called off', { failure: 'called-off', cause: error });
  if (error instanceof APIConnectionError) return network(error, asked);
  if (error instanceof APIError)
    return error.status === undefined
      ? // An error event inside a stream has no status.
        new ChatError(`${asked.baseUrl} broke the reply off: ${wordsOf(error, asked)}`, {
          ...{ failure: 'server', retryable: true, cause: error },
        })
      : byStatus(error, asked, hasAudio);
  if (error instanceof SyntaxError)
    return new ChatError(`${asked.baseUrl} sent a reply that is not JSON: ${quote(error.message, asked)}`, {
      ...{ failure: 'reply', retryable: true, cause: error },
    });
  if (error instanceof Error) return network(error, asked);
  return new ChatError(String(error), { cause: error });
}
