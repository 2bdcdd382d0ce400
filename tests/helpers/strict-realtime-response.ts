import { encodeALaw, encodeMuLaw } from '../../src/audio/index.js';
import type { StrictItem } from './strict-realtime-items.js';
import { wireItem } from './strict-realtime-items.js';
import type { SessionSettings } from './strict-realtime-settings.js';

/** What the model behind the server answers. */
export interface RealtimeAnswer {
  readonly say?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
  /** Default `completed`. `failed`: with this error code; `incomplete`: cut by max_output_tokens. */
  readonly status?: 'failed' | 'incomplete';
  readonly failure?: string;
}

/** What goes wrong in one response. */
export type ResponseFault =
  /** The socket breaks after so many pieces of the answer. */
  | { readonly kind: 'cut'; readonly afterPieces: number; readonly code?: number; readonly reason?: string }
  /** Nothing more comes after so many pieces, and the socket stays open. */
  | { readonly kind: 'silent'; readonly afterPieces: number }
  /** After so many pieces the answer waits until it is cancelled. */
  | { readonly kind: 'hold'; readonly afterPieces: number }
  /** `response.output_audio.done` and the transcript's `done` never come. */
  | { readonly kind: 'no-audio-done' }
  /** No transcript comes with the sound. */
  | { readonly kind: 'no-transcript' }
  /** These texts are sent as they are before the answer. */
  | { readonly kind: 'raw'; readonly texts: readonly string[] };

const RATES = { pcm24: 24_000, pcm16: 16_000, pcmu: 8_000, pcma: 8_000 } as const;
const BYTES = { pcm24: 2, pcm16: 2, pcmu: 1, pcma: 1 } as const;

export const rateOf = (format: SessionSettings['inputFormat']): number => RATES[format];

export function msOfBytes(bytes: number, format: SessionSettings['inputFormat']): number {
  return (bytes / (RATES[format] * BYTES[format])) * 1000;
}

/** 40 ms of a hum for each letter: 25 letters a second, faster than people speak. */
const MS_PER_LETTER = 40;
const PIECE_MS = 200;

function hum(ms: number, format: SessionSettings['outputFormat']): Buffer {
  const rateHz = RATES[format];
  const samples = Int16Array.from({ length: (rateHz * ms) / 1000 }, (_, at) =>
    Math.round(4000 * Math.sin((2 * Math.PI * 200 * at) / rateHz)),
  );
  if (format === 'pcmu') return Buffer.from(encodeMuLaw(samples));
  if (format === 'pcma') return Buffer.from(encodeALaw(samples));
  return Buffer.from(samples.buffer);
}

type Emit = (type: string, fields: object) => void;

export interface ResponseParts {
  readonly id: string;
  readonly answer: RealtimeAnswer;
  readonly settings: SessionSettings;
  readonly ga: boolean;
  readonly fault: ResponseFault | null;
  readonly newId: (prefix: string) => string;
  readonly emit: Emit;
  readonly raw: (text: string) => void;
  readonly cut: (code: number | undefined, reason: string | undefined) => void;
  readonly fallSilent: () => void;
  /** Puts an item into the conversation; gives the one before it. */
  readonly add: (item: StrictItem) => string | null;
  readonly onSound: () => void;
}

/** Sends one response, piece by piece, with a breath between the pieces in which the client may break in. */
export class StrictResponse {
  readonly #parts: ResponseParts;
  #cancelled: 'client_cancelled' | 'turn_detected' | null = null;
  #wake: () => void = () => undefined;
  #pieces = 0;
  #dead = false;
  readonly #output: StrictItem[] = [];

  constructor(parts: ResponseParts) {
    this.#parts = parts;
  }

  cancel(reason: 'client_cancelled' | 'turn_detected'): void {
    this.#cancelled ??= reason;
    this.#wake();
  }

  /** Resolves when `response.done` is out, or never will be. */
  async send(): Promise<void> {
    const { answer, fault, emit, raw } = this.#parts;
    if (fault?.kind === 'raw') for (const text of fault.texts) raw(text);
    emit('response.created', { response: this.#wire('in_progress') });
    if (answer.status === 'failed') {
      emit('response.done', {
        response: {
          ...this.#wire('failed'),
          status_details: {
            type: 'failed',
            error: {
              type: 'server_error',
              code: answer.failure ?? 'server_error',
              message: 'The server had an error.',
            },
          },
        },
      });
      return;
    }
    if (answer.say !== undefined) await this.#say(answer.say);
    for (const call of answer.calls ?? []) await this.#call(call);
    if (this.#dead) return;
    const status = this.#cancelled !== null ? 'cancelled' : (answer.status ?? 'completed');
    emit('response.done', {
      response: {
        ...this.#wire(status),
        ...(status === 'completed'
          ? {}
          : { status_details: { type: status, reason: this.#cancelled ?? 'max_output_tokens' } }),
      },
    });
    emit('rate_limits.updated', { rate_limits: [] });
  }

  #wire(status: string): object {
    const { id, ga } = this.#parts;
    return {
      object: 'realtime.response',
      id,
      status,
      output: this.#output.map((item) => wireItem(item, ga)),
    };
  }

  /** False: the answer stops here. */
  async #breath(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    const { fault } = this.#parts;
    if (this.#dead || this.#cancelled !== null) return false;
    if (fault !== null && 'afterPieces' in fault && this.#pieces >= fault.afterPieces) {
      if (fault.kind === 'cut') this.#parts.cut(fault.code, fault.reason);
      if (fault.kind === 'hold') {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        return false;
      }
      this.#dead = true;
      if (fault.kind === 'silent') this.#parts.fallSilent();
      return false;
    }
    this.#pieces += 1;
    return true;
  }

  #begin(item: StrictItem, index: number): object {
    const { id, emit, add, ga } = this.#parts;
    this.#output.push(item);
    const previous = add(item);
    emit('response.output_item.added', { response_id: id, output_index: index, item: wireItem(item, ga) });
    emit('conversation.item.added', { previous_item_id: previous, item: wireItem(item, ga) });
    return { response_id: id, item_id: item.id, output_index: index };
  }

  #finish(item: StrictItem, where: object): void {
    const { emit, answer, ga } = this.#parts;
    item.status = this.#cancelled !== null || answer.status === 'incomplete' ? 'incomplete' : 'completed';
    emit('conversation.item.done', { item: wireItem(item, ga) });
    emit('response.output_item.done', { ...where, item: wireItem(item, ga) });
  }

  async #say(text: string): Promise<void> {
    const { settings, emit, fault, newId, ga } = this.#parts;
    const item: StrictItem = {
      ...{
        id: newId('item'),
        type: 'message',
        role: 'assistant',
        status: 'in_progress',
        text: '',
        audioMs: 0,
      },
      ...{ spoken: settings.speaks, truncatedAtMs: null, callId: null, name: null },
    };
    const where = { ...this.#begin(item, this.#output.length), content_index: 0 };
    const kind = settings.speaks ? (ga ? 'output_audio' : 'audio') : ga ? 'output_text' : 'text';
    const shown = fault?.kind === 'no-transcript' ? '' : text;
    emit('response.content_part.added', {
      ...where,
      part: { type: kind, ...(settings.speaks ? { transcript: '' } : { text: '' }) },
    });
    const letters = PIECE_MS / MS_PER_LETTER;
    for (let at = 0; at < text.length && (await this.#breath()); at += letters) {
      const piece = shown.slice(at, at + letters);
      item.text += piece;
      if (!settings.speaks) {
        emit('response.output_text.delta', { ...where, delta: piece });
        continue;
      }
      if (piece !== '') emit('response.output_audio_transcript.delta', { ...where, delta: piece });
      const sound = hum(Math.min(letters, text.length - at) * MS_PER_LETTER, settings.outputFormat);
      item.audioMs += msOfBytes(sound.length, settings.outputFormat);
      this.#parts.onSound();
      emit('response.output_audio.delta', { ...where, delta: sound.toString('base64') });
    }
    if (this.#dead) return;
    if (!settings.speaks) emit('response.output_text.done', { ...where, text: item.text });
    else if (fault?.kind !== 'no-audio-done') {
      emit('response.output_audio.done', where);
      emit('response.output_audio_transcript.done', { ...where, transcript: item.text });
    }
    emit('response.content_part.done', {
      ...where,
      part: { type: kind, ...(settings.speaks ? { transcript: item.text } : { text: item.text }) },
    });
    this.#finish(item, where);
  }

  async #call({ name, arguments: args }: { name: string; arguments: string }): Promise<void> {
    const { emit, newId } = this.#parts;
    if (!(await this.#breath())) return;
    const item: StrictItem = {
      ...{
        id: newId('item'),
        type: 'function_call',
        role: null,
        status: 'in_progress',
        text: '',
        audioMs: 0,
      },
      ...{ spoken: false, truncatedAtMs: null, callId: newId('call'), name },
    };
    const where = { ...this.#begin(item, this.#output.length), call_id: item.callId };
    for (let at = 0; at < args.length && (await this.#breath()); at += 40) {
      item.text += args.slice(at, at + 40);
      emit('response.function_call_arguments.delta', { ...where, delta: args.slice(at, at + 40) });
    }
    if (this.#dead) return;
    if (this.#parts.answer.status === 'incomplete') item.text = item.text.slice(0, -1);
    emit('response.function_call_arguments.done', { ...where, name, arguments: item.text });
    this.#finish(item, where);
  }
}
