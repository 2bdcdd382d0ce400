import { decodeALaw, decodeMuLaw } from '../../src/audio/index.js';
import { type StrictItem, StrictItems, wireItem } from './strict-realtime-items.js';
import {
  msOfBytes,
  type RealtimeAnswer,
  type ResponseFault,
  rateOf,
  StrictResponse,
} from './strict-realtime-response.js';
import { type RealtimeClientEvent, type RealtimeDialect, RealtimeRefusal } from './strict-realtime-rules.js';
import { mergeSettings, type SessionSettings } from './strict-realtime-settings.js';
import { StrictVad } from './strict-realtime-vad.js';

/** What the model behind the server is asked. */
export interface RealtimeRequest {
  /** Counts connections and, over all of them, responses, from 0. */
  readonly connection: number;
  readonly response: number;
  readonly settings: SessionSettings;
  readonly items: readonly StrictItem[];
}

export interface StrictSessionParts {
  readonly dialect: RealtimeDialect;
  readonly model: string;
  readonly connection: number;
  readonly policy: (request: RealtimeRequest) => RealtimeAnswer | Promise<RealtimeAnswer>;
  readonly fault: (request: RealtimeRequest) => ResponseFault | null;
  readonly nextResponse: () => number;
  readonly send: (text: string) => void;
  readonly cut: (code: number | undefined, reason: string | undefined) => void;
  readonly fallSilent: () => void;
}

const BETA_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^response\.output_(audio|text|audio_transcript)\./, 'response.$1.'],
  [/^conversation\.item\.added$/, 'conversation.item.created'],
];
const GA_ONLY =
  /^(conversation\.item\.done|rate_limits\.updated|conversation\.item\.(truncated|deleted|retrieved))$/;
const MIN_COMMIT_MS = 100;

/** One connection: what a client may do, in which order, and what the server makes of it. */
export class StrictRealtimeSession {
  readonly items = new StrictItems();
  settings: SessionSettings;
  readonly #parts: StrictSessionParts;
  #buffer: Buffer[] = [];
  #vad: StrictVad | null = null;
  #active: Pick<StrictResponse, 'cancel'> | null = null;
  #spoke = false;
  #ids = 0;
  #speechItem = '';

  constructor(parts: StrictSessionParts) {
    this.#parts = parts;
    const ga = parts.dialect === 'openai';
    this.settings = {
      ...{ instructions: '', tools: [], speaks: true, voice: null, transcribes: false },
      ...{ inputFormat: ga ? 'pcm24' : 'pcm16', outputFormat: 'pcm24' },
      vad: { silenceMs: ga ? 500 : 800, creates: true, interrupts: true },
    };
    this.#emit('session.created', { session: this.#wireSession() });
  }

  /** @throws RealtimeRefusal */
  take(event: RealtimeClientEvent): void {
    switch (event.type) {
      case 'session.update':
        this.#update(event.session);
        break;
      case 'input_audio_buffer.append':
        this.#append(Buffer.from(event.audio, 'base64'));
        break;
      case 'input_audio_buffer.commit':
        this.#commit(this.#newId('item'));
        break;
      case 'input_audio_buffer.clear':
        this.#buffer = [];
        this.#emit('input_audio_buffer.cleared', {});
        break;
      case 'conversation.item.create':
        this.#create(event);
        break;
      case 'conversation.item.retrieve':
        this.#emit('conversation.item.retrieved', {
          item: wireItem(this.items.find(event.item_id), true),
        });
        break;
      case 'conversation.item.delete':
        this.items.remove(event.item_id);
        this.#emit('conversation.item.deleted', { item_id: event.item_id });
        break;
      case 'conversation.item.truncate': {
        this.items.truncate(event.item_id, event.audio_end_ms);
        const { item_id, content_index, audio_end_ms } = event;
        this.#emit('conversation.item.truncated', { item_id, content_index, audio_end_ms });
        break;
      }
      case 'response.create':
        this.#respond();
        break;
      case 'response.cancel':
        if (this.#active === null)
          throw new RealtimeRefusal(
            'response_cancel_not_active',
            'Cancellation failed: no active response found',
          );
        this.#active.cancel('client_cancelled');
        break;
      case 'session.finish':
        this.#emit('session.finished', {});
        break;
    }
  }

  #newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#parts.connection}_${this.#ids}`;
  }

  #emit(type: string, fields: object): void {
    const ga = this.#parts.dialect === 'openai';
    if (!ga && GA_ONLY.test(type)) return;
    const name = ga ? type : BETA_NAMES.reduce((text, [from, to]) => text.replace(from, to), type);
    this.#parts.send(JSON.stringify({ type: name, event_id: this.#newId('event'), ...fields }));
  }

  #wireSession(): object {
    const { dialect, model } = this.#parts;
    const { instructions, voice, speaks } = this.settings;
    return {
      ...{ object: 'realtime.session', id: `sess_${this.#parts.connection}`, model, instructions },
      ...(dialect === 'openai'
        ? {
            type: 'realtime',
            output_modalities: [speaks ? 'audio' : 'text'],
            audio: { output: { voice: voice ?? 'alloy' } },
          }
        : { modalities: speaks ? ['text', 'audio'] : ['text'], voice: voice ?? 'Cherry' }),
    };
  }

  #update(session: Parameters<typeof mergeSettings>[1]): void {
    const next = mergeSettings(this.settings, session);
    if (this.#spoke && next.voice !== this.settings.voice)
      throw new RealtimeRefusal(
        'cannot_update_voice',
        'Cannot update a conversation’s voice if assistant audio is present.',
      );
    this.settings = next;
    this.#emit('session.updated', { session: this.#wireSession() });
  }

  #append(bytes: Buffer): void {
    const { inputFormat, vad } = this.settings;
    if (
      bytes.length === 0 ||
      (inputFormat.startsWith('pcm') && /\d/.test(inputFormat) && bytes.length % 2 === 1)
    )
      throw new RealtimeRefusal(
        'invalid_value',
        'The audio is empty or does not hold whole samples.',
        'audio',
      );
    this.#buffer.push(bytes);
    if (vad === null) return;
    const rateHz = rateOf(inputFormat);
    if (this.#vad?.rateHz !== rateHz) this.#vad = new StrictVad(rateHz);
    const samples =
      inputFormat === 'pcmu'
        ? decodeMuLaw(bytes)
        : inputFormat === 'pcma'
          ? decodeALaw(bytes)
          : new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    for (const sign of this.#vad.push(samples, vad.silenceMs)) {
      if (sign.type === 'started') {
        this.#speechItem = this.#newId('item');
        this.#emit('input_audio_buffer.speech_started', {
          audio_start_ms: sign.atMs,
          item_id: this.#speechItem,
        });
        if (vad.interrupts) this.#active?.cancel('turn_detected');
      } else {
        this.#emit('input_audio_buffer.speech_stopped', {
          audio_end_ms: sign.atMs,
          item_id: this.#speechItem,
        });
        this.#commit(this.#speechItem);
        if (vad.creates) this.#respondAfterActive();
      }
    }
  }

  #commit(id: string): void {
    const bytes = this.#buffer.reduce((sum, { length }) => sum + length, 0);
    const ms = msOfBytes(bytes, this.settings.inputFormat);
    if (ms < MIN_COMMIT_MS)
      throw new RealtimeRefusal(
        'input_audio_buffer_commit_empty',
        `Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, but buffer only has ${ms.toFixed(2)}ms of audio.`,
      );
    this.#buffer = [];
    const previous = this.items.lastId;
    const item: StrictItem = {
      ...{ id, type: 'message', role: 'user', status: 'completed', text: '', audioMs: ms },
      ...{ spoken: true, truncatedAtMs: null, callId: null, name: null },
    };
    this.items.add(item);
    this.#emit('input_audio_buffer.committed', { previous_item_id: previous, item_id: id });
    this.#announce(item, previous);
    if (this.settings.transcribes)
      this.#emit('conversation.item.input_audio_transcription.completed', {
        ...{ item_id: id, content_index: 0, transcript: `about ${Math.round(ms)} ms of speech` },
      });
  }

  #announce(item: StrictItem, previous: string | null): void {
    const shown = wireItem(item, this.#parts.dialect === 'openai');
    this.#emit('conversation.item.added', { previous_item_id: previous, item: shown });
    this.#emit('conversation.item.done', { previous_item_id: previous, item: shown });
  }

  #create({
    item,
    previous_item_id: after,
  }: Extract<RealtimeClientEvent, { type: 'conversation.item.create' }>): void {
    if (this.#parts.dialect === 'dashscope' && item.type !== 'function_call_output')
      throw new RealtimeRefusal(
        'invalid_value',
        'Only function_call_output items can be created.',
        'item.type',
      );
    const previous = after ?? this.items.lastId;
    const { inputFormat } = this.settings;
    const made = this.items.create(item, after, {
      id: this.#newId('item'),
      msOf: (audio) => msOfBytes(Buffer.from(audio, 'base64').length, inputFormat),
    });
    this.#announce(made, previous);
  }

  #respondAfterActive(): void {
    // A response that the speech has just interrupted still says so before the next begins.
    if (this.#active === null) this.#respond();
    else setImmediate(() => this.#respondAfterActive());
  }

  #respond(): void {
    if (this.#active !== null)
      throw this.#parts.dialect === 'openai'
        ? new RealtimeRefusal(
            'conversation_already_has_active_response',
            'Conversation already has an active response in progress. Wait until the response is finished before creating a new one.',
          )
        : new RealtimeRefusal(
            'invalid_value',
            'Cannot create response while another response is in progress.',
          );
    const { connection, policy, fault, nextResponse, cut, fallSilent, send, dialect } = this.#parts;
    const request: RealtimeRequest = {
      ...{ connection, response: nextResponse(), settings: this.settings },
      items: this.items.list.map((item) => ({ ...item })),
    };
    // Cancelled while the model still thinks.
    let early: Parameters<StrictResponse['cancel']>[0] | null = null;
    this.#active = {
      cancel: (reason) => {
        early = reason;
      },
    };
    void (async () => {
      const answer = await policy(request);
      const response = new StrictResponse({
        ...{ id: this.#newId('resp'), answer, settings: this.settings, ga: dialect === 'openai' },
        ...{ fault: fault(request), newId: (prefix) => this.#newId(prefix), raw: send },
        ...{ cut, fallSilent },
        emit: (type, fields) => {
          // As on the real server, where the next response may follow as soon as this event is seen.
          if (type === 'response.done') this.#active = null;
          this.#emit(type, fields);
        },
        add: (item) => {
          const previous = this.items.lastId;
          this.items.add(item);
          return previous;
        },
        onSound: () => {
          this.#spoke = true;
        },
      });
      this.#active = response;
      if (early !== null) response.cancel(early);
      await response.send();
    })();
  }
}
