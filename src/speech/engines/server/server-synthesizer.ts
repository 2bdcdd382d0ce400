import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, describeError, sha256Hex, systemClock } from '../../../shared/index.js';
import {
  SpeechBrokenOffError,
  SpeechClosedError,
  SpeechServerError,
  SynthesisTimeoutError,
  VoiceNeedsError,
} from '../../errors.js';
import type { Clip, SynthesisRequest, Synthesizer, TakeSamples, Voice } from '../../synthesizer.js';
import { audibleClip, sayableText } from '../audible-clip.js';
import { checkPace, createLengthCheck, quote, readBody, readSpeech } from './read-speech.js';
import { createSpeechPieces } from './speech-pieces.js';

export interface ServerSynthesizerOptions {
  /** Reference clips are here. */
  readonly voicesDir: string;
  /** Keys by the name of their environment variable. */
  readonly readKey: (name: string) => string | undefined;
  /** For one try, to the last byte. */
  readonly deadlineMs?: number;
  readonly clock?: Clock;
}

type Server = NonNullable<Voice['server']>;

const MAX_REFERENCE_BYTES = 10_000_000;
const MAX_RETRY_AFTER_MS = 30_000;

function serverOf(voice: Voice): Server {
  if (voice.server !== undefined) return voice.server;
  throw new VoiceNeedsError(`voice '${voice.id}' of a speech server needs a "server" in its file`);
}

const speechUrl = ({ baseUrl }: Server): string => `${baseUrl.replace(/\/+$/, '')}/audio/speech`;

async function readReference(voicesDir: string, file: string): Promise<Uint8Array> {
  const path = join(voicesDir, file);
  try {
    const bytes = await readFile(path);
    if (bytes.length <= MAX_REFERENCE_BYTES) return bytes;
    throw new RangeError(`${bytes.length} bytes; servers take ${MAX_REFERENCE_BYTES}`);
  } catch (error) {
    throw new VoiceNeedsError(`cannot use the reference clip ${path}: ${describeError(error)}`, error);
  }
}

function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? '0');
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(0, seconds * 1000)) : 0;
}

async function refusal(response: Response, url: string): Promise<SpeechServerError> {
  const { status } = response;
  const body = await readBody(response, url).catch(() => new Uint8Array());
  return new SpeechServerError(`${url} refused the line (HTTP ${status}): ${quote(body)}`, {
    ...{ status, retryAfterMs: retryAfterMs(response) },
    retryable: status === 408 || status === 409 || status === 429 || status >= 500,
  });
}

/**
 * `POST /v1/audio/speech`, as OpenAI, Kokoro-FastAPI, vllm-omni, Speaches and others serve it; with a reference clip and its
 * transcript (`ref_audio`, `ref_text`) for servers that take on a voice from a few seconds of it. One try for each request: the
 * gate in front asks again. Such servers draw by lot, so the same bytes come from the clip cache, not from here.
 */
export function createServerSynthesizer(options: ServerSynthesizerOptions): Synthesizer {
  const { voicesDir, readKey, deadlineMs = 60_000, clock = systemClock } = options;
  const closing = new AbortController();

  async function bodyFor({ spoken, voice }: SynthesisRequest): Promise<string> {
    const { model, format, reference } = serverOf(voice);
    const speed = Math.min(4, Math.max(0.25, 1 / voice.durationStretch));
    const cloned =
      reference === undefined
        ? {}
        : {
            task_type: 'Base',
            ref_audio: `data:audio/wav;base64,${Buffer.from(await readReference(voicesDir, reference.clip)).toString('base64')}`,
            ref_text: reference.text,
          };
    return JSON.stringify({
      ...{ model, input: sayableText(spoken), voice: voice.engineVoice, response_format: format },
      // Sent only where it changes something: some servers do not stream at another speed.
      ...(speed === 1 ? {} : { speed }),
      ...cloned,
    });
  }

  function headersFor(voice: Voice): Record<string, string> {
    const { apiKeyEnv } = serverOf(voice);
    const headers = { 'content-type': 'application/json', accept: 'audio/*' };
    if (apiKeyEnv === undefined) return headers;
    const key = readKey(apiKeyEnv);
    if (key === undefined || key === '')
      throw new VoiceNeedsError(`voice '${voice.id}' needs its server's key in the variable ${apiKeyEnv}`);
    return { ...headers, authorization: `Bearer ${key}` };
  }

  async function speak(request: SynthesisRequest, take: TakeSamples | null): Promise<Clip> {
    if (closing.signal.aborted) throw new SpeechClosedError();
    const { spoken, voice } = request;
    const server = serverOf(voice);
    const url = speechUrl(server);
    const body = await bodyFor(request);
    const headers = headersFor(voice);
    const deadline = new AbortController();
    const cancel = clock.after(deadlineMs, () => deadline.abort());
    try {
      const signal = AbortSignal.any([deadline.signal, closing.signal]);
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
      if (!response.ok) throw await refusal(response, url);
      const { sampleRateHz } = server;
      const contentType = response.headers.get('content-type') ?? '';
      const pace = { stretch: voice.durationStretch, url };
      const checkLength = createLengthCheck(spoken, pace);
      let taken = 0;
      const look =
        take === null
          ? undefined
          : createSpeechPieces({
              ...{ contentType, sampleRateHz },
              take: (samples, rateHz) => {
                taken += samples.length;
                checkLength(taken / rateHz);
                take(samples, rateHz);
              },
            });
      const bytes = await readBody(response, url, look);
      const pcm = readSpeech(bytes, { contentType, sampleRateHz, url });
      checkLength(pcm.samples.length / pcm.sampleRateHz);
      const clip = audibleClip(pcm, spoken, url);
      checkPace(pcm, spoken, pace);
      return clip;
    } catch (error) {
      if (deadline.signal.aborted) throw new SynthesisTimeoutError(deadlineMs);
      if (closing.signal.aborted) throw new SpeechClosedError();
      if (!(error instanceof TypeError)) throw error;
      throw new SpeechServerError(`cannot reach ${url}: ${describeError(error.cause ?? error)}`, {
        retryable: true,
        cause: error,
      });
    } finally {
      cancel();
    }
  }

  return {
    name: 'speech-server/1',
    async identify(voice) {
      const server = serverOf(voice);
      const reference =
        server.reference === undefined
          ? ''
          : ` like ${sha256Hex(await readReference(voicesDir, server.reference.clip)).slice(0, 12)}`;
      return `${server.model} at ${speechUrl(server)}${reference}`;
    },
    synthesize: (request) => speak(request, null),
    async stream(request, take) {
      let begun = false;
      try {
        return await speak(request, (samples, sampleRateHz) => {
          begun = true;
          take(samples, sampleRateHz);
        });
      } catch (error) {
        // Not to be asked again: what comes the second time would not go on where this stopped.
        throw begun && !(error instanceof SpeechClosedError) ? new SpeechBrokenOffError(error) : error;
      }
    },
    async close() {
      closing.abort();
    },
  };
}
