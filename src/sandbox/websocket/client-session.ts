import { type ClientMessage, DEFAULT_AUDIO, type ErrorCode } from '../../protocol/index.js';
import { describeError } from '../../shared/index.js';
import type { EpisodeFactory, EpisodeStart } from '../episode-factory.js';
import type { EpisodeSummary, SandboxLog } from '../options.js';
import type { Measure } from '../session/measurement.js';
import type { SessionRunner } from '../session/runner.js';
import type { OutgoingEvent, SessionEvent } from '../session/state.js';
import { readCall } from '../session/tool-arguments.js';
import type { SessionTransport } from '../session/transport.js';
import { type SoundTerms, sendGrowingSound, sendSound, type Timing } from './audio-sender.js';
import type { WebSocketLimits } from './limits.js';
import { Outbox } from './outbox.js';
import { SpeechUploads } from './speech-uploads.js';
import { TakenMessages } from './taken-messages.js';

export interface ClientSessionOptions {
  readonly factory: EpisodeFactory;
  readonly onEpisodeEnd: (summary: EpisodeSummary) => void;
  readonly log: (line: SandboxLog) => void;
  readonly measure: Measure;
  readonly limits: WebSocketLimits;
  readonly timing: Timing;
  readonly canTranscribe: boolean;
  /** Agents are believed when they say that the service behind them is down. */
  readonly ownAgents: boolean;
}

/** The episode in hand, from its start message to its end. */
interface Playing {
  readonly start: EpisodeStart;
  readonly done: Promise<void>;
}

/** Messages that a session takes; `session.resume` is the connection's. */
export type SessionMessage = Exclude<ClientMessage, { type: 'session.resume' }>;

/** What belongs to a client and outlives its connections: one episode after the other, never two at once. */
export class ClientSession {
  readonly id: string;
  readonly outbox: Outbox;
  readonly #options: ClientSessionOptions;
  readonly #transport: SessionTransport;
  readonly #uploads: SpeechUploads;
  readonly #messages = new TakenMessages();
  #terms: SoundTerms = { format: DEFAULT_AUDIO, pacing: 'fast', trailingSilenceMs: 0 };
  #runner: SessionRunner | null = null;
  #playing: Playing | null = null;
  #refused = 0;
  /** Set once: what ends a session that is still being set up when it happens. */
  #ending: SessionEvent | null = null;

  constructor(id: string, options: ClientSessionOptions) {
    this.id = id;
    this.#options = options;
    this.outbox = new Outbox(options.limits.maxKeptBytes);
    this.#uploads = new SpeechUploads(options.limits.maxSpeechMs, () => this.#runner?.ear ?? null);
    const { outbox } = this;
    this.#transport = {
      send: (event) => outbox.push(event),
      sendAudio: (audio) => sendSound(audio, this.#terms, { outbox, timing: options.timing }),
      sendGrowing: (audio) => sendGrowingSound(audio, this.#terms, { outbox, timing: options.timing }),
    };
  }

  get episode(): Playing | null {
    return this.#playing;
  }

  /** Too many refused messages outside an episode. */
  get isHopeless(): boolean {
    return this.#refused >= this.#options.limits.maxRefused;
  }

  /** For `session.resumed`. */
  get standing(): { readonly turn: number | null; readonly lastMessageId: string | null } {
    return { turn: this.#runner?.openTurn ?? null, lastMessageId: this.#messages.last };
  }

  /** Goes on over another connection: what of an upload was lost with the old one, nobody knows. */
  resumed(): void {
    this.#uploads.breakOff();
  }

  /** Ends what is running; nothing more is taken. */
  end(event: SessionEvent): void {
    this.#ending ??= event;
    this.#runner?.dispatch(event);
  }

  send(event: OutgoingEvent): void {
    this.outbox.push(event);
  }

  take(message: SessionMessage): void {
    if (this.#ending !== null) return;
    const id = 'messageId' in message ? message.messageId : undefined;
    // Its answer has been sent, or will be.
    if (id !== undefined && this.#messages.has(id)) return;
    if (this.#act(message, id) && id !== undefined) this.#messages.add(id);
  }

  /** A binary frame: a piece of the agent's voice. */
  takeSpeech(speech: number, data: Uint8Array, sampleOffset: number | null): void {
    if (this.#ending !== null) return;
    if (this.#playing === null) this.refuse('no_episode', 'no episode is running; send episode.start');
    else this.#settle(this.#uploads.add(speech, data, sampleOffset));
  }

  refuse(code: ErrorCode, message: string, messageId?: string): boolean {
    if (this.#ending !== null) return false;
    if (this.#runner !== null) {
      this.#runner.dispatch({ type: 'refused', code, message }, messageId);
      return false;
    }
    this.#refused += 1;
    this.#options.measure({ type: 'refused', code });
    this.outbox.push({ type: 'error', code, message, ...(messageId === undefined ? {} : { messageId }) });
    return false;
  }

  /** True: the message was taken. */
  #act(message: SessionMessage, id: string | undefined): boolean {
    switch (message.type) {
      case 'episode.start':
        return this.#onStart(message, id);
      case 'ack':
        if (this.outbox.acknowledge(message.seq)) return true;
        return this.refuse(
          'bad_message',
          `event ${message.seq} was not sent; the last is ${this.outbox.lastSeq}`,
        );
      case 'agent.message':
        return this.#onMessage(message, id);
      case 'tool.call':
        return this.#dispatch(
          {
            ...{ type: 'calls', batched: false, wire: true },
            ...fenceOf(message),
            silentMs: message.silentMs,
            calls: [readCall(message)],
          },
          id,
        );
      case 'tool.calls':
        return this.#dispatch(
          {
            ...{ type: 'calls', batched: true, wire: true },
            ...fenceOf(message),
            silentMs: message.silentMs,
            calls: message.calls.map(readCall),
          },
          id,
        );
      case 'interrupt':
        return this.#dispatch(message, id);
      case 'agent.stop': {
        const isClaim = message.reason === 'unavailable' && !this.#options.ownAgents;
        return this.#dispatch({ ...message, type: 'stop', reason: isClaim ? 'failed' : message.reason }, id);
      }
      default:
        if (this.#playing === null)
          return this.refuse('no_episode', 'no episode is running; send episode.start');
        return this.#onSpeech(message);
    }
  }

  #onSpeech(message: Extract<SessionMessage, { speech: number; type: `agent.speech.${string}` }>): boolean {
    const { speech } = message;
    switch (message.type) {
      case 'agent.speech.start':
        return this.#settle(this.#uploads.start(speech, message.audio));
      case 'agent.speech.audio':
        return this.#settle(this.#uploads.add(speech, Buffer.from(message.data, 'base64'), null));
      case 'agent.speech.end':
        return this.#settle(this.#uploads.end(message));
    }
  }

  #settle(refusal: { readonly code: ErrorCode; readonly message: string } | null): boolean {
    return refusal === null || this.refuse(refusal.code, refusal.message);
  }

  #onMessage(message: Extract<SessionMessage, { type: 'agent.message' }>, id: string | undefined): boolean {
    const { text = null, speech: number } = message;
    const speech = number === undefined ? null : this.#uploads.find(number);
    if (number === undefined && text === null)
      return this.refuse('bad_message', 'agent.message needs text, speech, or both', id);
    if (number !== undefined && speech === null && this.#playing !== null)
      return this.refuse('bad_message', `speech ${number} is no finished upload of this episode`, id);
    if (text === null && speech?.transcript === null && !this.#options.canTranscribe)
      return this.refuse('unavailable', 'this sandbox cannot transcribe; send the words as text as well', id);
    const { reasoning, turn } = fenceOf(message);
    const { silentMs, yieldMs } = message;
    const ear = this.#runner?.ear;
    const heard = speech === null || number === undefined ? null : (ear?.place(number, speech) ?? null);
    const taken = this.#dispatch(
      {
        ...{ type: 'message', text, reasoning: reasoning ?? null, turn, silentMs, yieldMs },
        ...{ speech: heard?.speech ?? speech, heardFrom: heard?.startSample },
      },
      id,
    );
    if (!taken || number === undefined) return taken;
    this.#uploads.claim(number);
    ear?.claim(number);
    return true;
  }

  #dispatch(event: SessionEvent, id: string | undefined): boolean {
    if (this.#runner !== null) return this.#runner.dispatch(event, id);
    return this.#playing === null
      ? this.refuse('no_episode', 'no episode is running; send episode.start', id)
      : this.refuse('not_your_turn', 'wait for episode.ready and the opening', id);
  }

  #onStart(start: EpisodeStart, id: string | undefined): boolean {
    const refusal =
      this.#playing === null
        ? this.#options.factory.check(start)
        : ({ code: 'episode_running', message: 'an episode is running; wait for its episode.end' } as const);
    if (refusal !== null) return this.refuse(refusal.code, refusal.message, id);
    this.#refused = 0;
    this.#uploads.clear();
    this.#terms = {
      ...{ format: start.audio ?? DEFAULT_AUDIO, pacing: start.pacing },
      trailingSilenceMs: start.trailingSilenceMs ?? 0,
    };
    this.outbox.setWindow(start.window);
    // Set before anything happens: playing may end before the first await.
    let done: () => void = () => undefined;
    this.#playing = {
      start,
      done: new Promise((resolve) => {
        done = resolve;
      }),
    };
    void this.#play(start).then(done);
    return true;
  }

  /** Never rejects. */
  async #play(start: EpisodeStart): Promise<void> {
    const { factory, log, onEpisodeEnd } = this.#options;
    try {
      const runner = await factory.open(start, this.#transport, (summary) => {
        onEpisodeEnd(summary);
        this.#over();
      });
      this.#runner = runner;
      runner.dispatch(this.#ending ?? { type: 'begin' });
      await runner.finished;
    } catch (error) {
      log({ level: 'error', message: `cannot play task ${start.task}: ${describeError(error)}` });
      this.#over();
      this.refuse('unavailable', 'the sandbox could not set up the episode; its log says why');
    }
  }

  #over(): void {
    this.#runner = null;
    this.#playing = null;
    this.#uploads.clear();
  }
}

function fenceOf<T extends { readonly turn?: number | undefined; readonly reasoning?: string | undefined }>({
  turn,
  reasoning,
}: T) {
  return { turn, reasoning };
}
