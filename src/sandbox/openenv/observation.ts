import { pcmDurationMs } from '../../audio/index.js';
import { sha256Hex } from '../../shared/index.js';
import { wavBytes } from '../../speech/index.js';
import type { CustomerTurn, EpisodeEnd } from './in-process-episode.js';
import type { ResetWish } from './reset-wish.js';

/** The data of an `observation` frame, and the body of HTTP `/reset` and `/step`. */
export interface ObservationData {
  readonly observation: Readonly<Record<string, unknown>>;
  readonly reward: number | null;
  readonly done: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface ObservationParts {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reward: number | null;
  readonly done: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Metadata stands inside the observation for older clients and beside it for newer ones, there only if there is any. */
export function observationData({ fields, reward, done, metadata }: ObservationParts): ObservationData {
  const data = { observation: { metadata, ...fields }, reward, done };
  return Object.keys(metadata).length === 0 ? data : { ...data, metadata };
}

/** MCP content as OpenEnv's Python server writes it, empty fields included. */
type Block = Readonly<Record<string, unknown>>;
const block = (type: string, fields: Block): Block => ({ type, ...fields, annotations: null, meta: null });

export interface ToolOutput {
  readonly content: readonly Block[];
  readonly structured_content: { readonly result: string };
  readonly meta: null;
  readonly data: string;
  readonly is_error: boolean;
}

export function toolOutput(
  text: string,
  more: { content?: readonly Block[]; isError?: boolean } = {},
): ToolOutput {
  return {
    content: more.content ?? [block('text', { text })],
    structured_content: { result: text },
    meta: null,
    data: text,
    is_error: more.isError ?? false,
  };
}

/** Above this many bytes of WAV, base64 would make the frame larger than 8 MB, which common hosts refuse. */
export const MAX_INLINE_WAV_BYTES = 6 * 1024 * 1024 - 64 * 1024;

export interface HeardCustomer {
  /** What a client shows as text; empty for speech without a transcript. */
  readonly text: string;
  readonly content: readonly Block[];
  /** About the sound; null in text mode. */
  readonly audio: Readonly<Record<string, unknown>> | null;
}

export interface HearingOptions {
  readonly wish: Pick<ResetWish, 'audio' | 'transcript'>;
  /** The customer's words when they were spoken. */
  readonly transcript: string;
  /** e.g. "http://127.0.0.1:8710"; null: not known. */
  readonly origin: string | null;
}

/** What the customer said, as MCP content: its words in text mode; in speech mode the sound, and words when asked for. */
export function hearCustomer({ text, sound }: CustomerTurn, options: HearingOptions): HeardCustomer {
  if (sound === null) return { text, content: [block('text', { text })], audio: null };
  const { wish, transcript, origin } = options;
  const wav = wavBytes(sound);
  const sha256 = sha256Hex(wav);
  const url = `/v1/audio/${sha256}.wav`;
  const mimeType = 'audio/wav';
  const inline = wish.audio === 'inline' && wav.length <= MAX_INLINE_WAV_BYTES;
  const words = wish.transcript ? transcript : '';
  const content = words === '' ? [] : [block('text', { text: words })];
  if (inline) content.push(block('audio', { data: Buffer.from(wav).toString('base64'), mimeType }));
  else if (wish.audio !== 'none')
    content.push(
      block('resource_link', {
        name: `${sha256}.wav`,
        uri: `${origin ?? ''}${url}`,
        mimeType,
        size: wav.length,
      }),
    );
  return {
    text: words,
    content,
    audio: {
      ...{ mime_type: mimeType, sha256, url, sample_rate: sound.sampleRateHz, samples: sound.samples.length },
      duration_ms: pcmDurationMs(sound),
    },
  };
}

/** The verdict in tau2's words. Numbers only: what was expected never leaves the sandbox. */
export function rewardInfo({ outcome }: EpisodeEnd): Readonly<Record<string, unknown>> {
  if (outcome === null) return {};
  const { rule, success, reward, scores, unscored } = outcome;
  const { database, communicate } = scores;
  return {
    ...{ reward, success, rule },
    db_check: { db_match: database === 1, db_reward: database ?? null },
    reward_breakdown: {
      DB: database ?? null,
      ...(communicate == null ? {} : { COMMUNICATE: communicate }),
    },
    scores,
    unscored,
  };
}
