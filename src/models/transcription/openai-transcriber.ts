import { z } from 'zod';
import { type Clock, describeError } from '../../shared/index.js';
import { TranscriptionError } from '../errors.js';
import type { Transcriber } from './transcriber.js';

export interface OpenAiTranscriberOptions {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** ISO 639-1, e.g. `en`; it keeps models from guessing. */
  readonly language?: string | undefined;
  readonly clock: Clock;
  /** For one try. Default 60 s. */
  readonly timeoutMs?: number | undefined;
  /** Further tries after a failure that may pass. Default 2. */
  readonly retries?: number | undefined;
  /** Before the first retry, doubled each time. Default 500 ms. */
  readonly retryDelayMs?: number | undefined;
}

const answerSchema = z.object({ text: z.string() });
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_QUOTE = 300;

/** Reads at most so much, so that a wrong address cannot fill the memory. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_ANSWER_BYTES) throw new Error(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
  }
  return text;
}

function parseAnswer(url: string, text: string): string {
  try {
    return answerSchema.parse(JSON.parse(text)).text.trim();
  } catch (cause) {
    throw new TranscriptionError(
      `${url} answered what is no transcription: expected {"text": …}; got ${JSON.stringify(text.slice(0, MAX_QUOTE))}`,
      { cause },
    );
  }
}

/** `POST /v1/audio/transcriptions`, as OpenAI, vLLM, Speaches and others serve it. */
export function createOpenAiTranscriber(options: OpenAiTranscriberOptions): Transcriber {
  const { model, apiKey, clock, language, timeoutMs = 60_000, retries = 2, retryDelayMs = 500 } = options;
  const url = `${options.baseUrl.replace(/\/+$/, '')}/audio/transcriptions`;

  async function ask(wav: Uint8Array, signal: AbortSignal): Promise<string> {
    const form = new FormData();
    form.append('file', new Blob([Buffer.from(wav)], { type: 'audio/wav' }), 'speech.wav');
    form.append('model', model);
    form.append('response_format', 'json');
    if (language !== undefined) form.append('language', language);
    const deadline = new AbortController();
    const cancel = clock.after(timeoutMs, () =>
      deadline.abort(new Error(`no answer within ${timeoutMs / 1000} s`)),
    );
    const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    try {
      const both = AbortSignal.any([signal, deadline.signal]);
      const response = await fetch(url, { method: 'POST', headers, body: form, signal: both });
      const text = await readText(response);
      if (response.ok) return parseAnswer(url, text);
      throw new TranscriptionError(
        `${url} refused the audio (HTTP ${response.status}): ${text.slice(0, MAX_QUOTE)}`,
        { retryable: response.status === 429 || response.status >= 500, facts: { status: response.status } },
      );
    } catch (error) {
      if (error instanceof TranscriptionError) throw error;
      const cause = deadline.signal.aborted ? deadline.signal.reason : error;
      throw new TranscriptionError(`${url} gave no transcription: ${describeError(cause)}`, {
        retryable: !signal.aborted,
        cause,
      });
    } finally {
      cancel();
    }
  }

  return {
    name: `${model} at ${url}`,
    transcribe: async (wav, signal) => {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await ask(wav, signal);
        } catch (error) {
          if (!(error instanceof TranscriptionError) || !error.retryable || attempt >= retries) throw error;
        }
        await new Promise<void>((resolve) => {
          clock.after(retryDelayMs * 2 ** attempt, resolve);
        });
      }
    },
  };
}
