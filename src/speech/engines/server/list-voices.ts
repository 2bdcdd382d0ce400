import { z } from 'zod';
import { type Clock, describeError, systemClock } from '../../../shared/index.js';
import { SpeechServerError, SynthesisTimeoutError } from '../../errors.js';
import { quote, readBody } from './read-speech.js';

interface ListOptions {
  /** Sent as a bearer token. */
  readonly apiKey?: string | undefined;
  readonly deadlineMs?: number;
  readonly clock?: Clock;
}

/** Names, or objects with an id or a name: Kokoro-FastAPI has both shapes, vllm-omni lists uploaded voices by themselves. */
const voiceSchema = z.union([
  z.string(),
  z.object({ id: z.string() }).transform(({ id }) => id),
  z.object({ voice_id: z.string() }).transform(({ voice_id: id }) => id),
  z.object({ name: z.string() }).transform(({ name }) => name),
]);
const MAX_VOICES = 10_000;
const voices = z.array(voiceSchema).max(MAX_VOICES);
const listSchema = z.union([
  voices,
  z
    .object({ voices, uploaded_voices: voices.optional() })
    .transform((list) => [...list.voices, ...(list.uploaded_voices ?? [])]),
]);

function parseList(bytes: Uint8Array, url: string): string[] {
  try {
    return [...new Set(listSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8'))))].sort((a, b) =>
      a < b ? -1 : 1,
    );
  } catch (error) {
    throw new SpeechServerError(
      `${url} sent no list of voices, {"voices": [names or objects with an id]}: ${quote(bytes)}`,
      { retryable: false, cause: error },
    );
  }
}

/** What `GET /v1/audio/voices` lists: values for `engineVoice`, sorted. Rejects with `SpeechServerError` where there is no such list. */
export async function listServerVoices(baseUrl: string, options: ListOptions = {}): Promise<string[]> {
  const { apiKey, deadlineMs = 30_000, clock = systemClock } = options;
  const url = `${baseUrl.replace(/\/+$/, '')}/audio/voices`;
  const deadline = new AbortController();
  const cancel = clock.after(deadlineMs, () => deadline.abort());
  try {
    const response = await fetch(url, {
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      ...{ signal: deadline.signal, redirect: 'error' },
    });
    const bytes = await readBody(response, url);
    if (response.ok) return parseList(bytes, url);
    const { status } = response;
    const hint = status === 404 ? '; this server has no list, see its documentation for the names' : '';
    throw new SpeechServerError(`${url} answered HTTP ${status}: ${quote(bytes)}${hint}`, {
      ...{ status, retryable: status === 429 || status >= 500 },
    });
  } catch (error) {
    if (deadline.signal.aborted) throw new SynthesisTimeoutError(deadlineMs);
    if (!(error instanceof TypeError)) throw error;
    throw new SpeechServerError(`cannot reach ${url}: ${describeError(error.cause ?? error)}`, {
      retryable: true,
      cause: error,
    });
  } finally {
    cancel();
  }
}
