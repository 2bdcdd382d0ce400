import type { OutputItem, RealtimeEvent } from './server-event.js';
import { bytesToMs, decodeSound, joinSound, type Sound, type WireFormat } from './wire-audio.js';

/** One thing the model said. */
export interface Spoken {
  readonly itemId: string;
  /** The transcript of its sound, or its text. Empty: none came. */
  readonly text: string;
  readonly sound: Sound | null;
}

export interface AskedCall {
  readonly callId: string;
  readonly name: string;
  /** As the model wrote them; may be no JSON. */
  readonly arguments: string;
  /** False: the response broke off in the middle of it. */
  readonly whole: boolean;
}

export type ReplyStatus = 'completed' | 'cancelled' | 'incomplete' | 'failed';

/** One response of the model, as far as it came. */
export interface Reply {
  readonly status: ReplyStatus;
  /** Why it is not complete, e.g. `turn_detected` or a server's error. */
  readonly reason: string | null;
  readonly spoken: readonly Spoken[];
  readonly calls: readonly AskedCall[];
  /** Tokens, where the server counts them. */
  readonly usage: { readonly prompt: number; readonly completion: number } | null;
}

interface Part {
  readonly id: string;
  text: string;
  finalText: string | null;
  readonly chunks: Buffer[];
  bytes: number;
  call: { callId: string; name: string; arguments: string; whole: boolean } | null;
}

const STATUSES: readonly string[] = ['completed', 'cancelled', 'incomplete', 'failed'];

/**
 * Puts a response together from its pieces. Terminators are not needed, and what a piece lacks is taken from the summary in
 * `response.done`: servers are known to leave either out.
 */
export class ReplyAssembler {
  readonly #format: WireFormat;
  readonly #parts: Part[] = [];

  constructor(format: WireFormat) {
    this.#format = format;
  }

  /** Sound that has come, over all items. */
  get soundMs(): number {
    return this.#parts.reduce((sum, { bytes }) => sum + bytesToMs(bytes, this.#format), 0);
  }

  /** What has been said so far. */
  spoken(): readonly Spoken[] {
    return this.#parts.flatMap((part) => {
      const sound = joinSound(
        part.chunks.length === 0 ? [] : [decodeSound(Buffer.concat(part.chunks), this.#format)],
      );
      const text = (part.finalText || part.text).trim();
      return part.call !== null || (text === '' && sound === null) ? [] : [{ itemId: part.id, text, sound }];
    });
  }

  take(event: RealtimeEvent): void {
    switch (event.type) {
      case 'response.output_item.added':
      case 'response.output_item.done':
        this.#item(event.item, event.type === 'response.output_item.done');
        break;
      case 'response.output_text.delta':
      case 'response.output_audio_transcript.delta':
        this.#part(event.item_id).text += event.delta;
        break;
      case 'response.output_text.done':
        this.#part(event.item_id).finalText = event.text;
        break;
      case 'response.output_audio_transcript.done':
        this.#part(event.item_id).finalText = event.transcript;
        break;
      case 'response.output_audio.delta': {
        const part = this.#part(event.item_id);
        const bytes = Buffer.from(event.delta, 'base64');
        part.chunks.push(bytes);
        part.bytes += bytes.length;
        break;
      }
      case 'response.function_call_arguments.done': {
        const part = this.#part(event.item_id);
        const callId = event.call_id ?? part.call?.callId ?? part.id;
        const name = event.name ?? part.call?.name ?? '';
        part.call = { callId, name, arguments: event.arguments, whole: part.call?.whole ?? true };
        break;
      }
      default:
    }
  }

  finish({ response }: Extract<RealtimeEvent, { type: 'response.done' }>): Reply {
    for (const item of response.output ?? []) this.#item(item, true);
    const status = response.status ?? 'completed';
    const { reason, error } = response.status_details ?? {};
    const { usage } = response;
    const why = [error?.code ?? error?.type, error?.message].filter((word) => word).join(': ');
    return {
      status: STATUSES.includes(status) ? (status as ReplyStatus) : 'failed',
      reason: reason ?? (why === '' ? null : why),
      spoken: this.spoken(),
      calls: this.#parts.flatMap(({ call }) => (call === null ? [] : [call])),
      usage: usage == null ? null : { prompt: usage.input_tokens, completion: usage.output_tokens },
    };
  }

  #part(itemId: string | null | undefined): Part {
    const id = itemId ?? this.#parts.at(-1)?.id ?? 'item';
    const found = this.#parts.find((part) => part.id === id);
    if (found !== undefined) return found;
    const made: Part = { id, text: '', finalText: null, chunks: [], bytes: 0, call: null };
    this.#parts.push(made);
    return made;
  }

  #item(item: OutputItem, done: boolean): void {
    if (item.type === 'function_call') {
      const part = this.#part(item.id);
      const args = item.arguments ? item.arguments : (part.call?.arguments ?? '');
      part.call = {
        ...{ callId: item.call_id ?? part.call?.callId ?? part.id, name: item.name ?? part.call?.name ?? '' },
        ...{ arguments: args, whole: done && item.status !== 'incomplete' && item.status !== 'in_progress' },
      };
      return;
    }
    if (item.type !== 'message') return;
    const part = this.#part(item.id);
    const words = (item.content ?? [])
      .map(({ text, transcript }) => transcript ?? text ?? '')
      .join(' ')
      .trim();
    if (done && words !== '') part.finalText ??= words;
  }
}
