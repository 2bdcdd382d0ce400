import type { Dial, ServerEvent } from '../../protocol/index.js';
import { type Clock, type Random, systemClock } from '../../shared/index.js';
import { ConnectionLostError, ProtocolFaultError } from '../errors.js';
import { Acknowledgements } from './acknowledgements.js';
import {
  type Connection,
  type Incoming,
  type Loss,
  openConnection,
  seqOf,
  type Unknown,
} from './connection.js';
import { DEFAULT_RECONNECTION, type Reconnection } from './reconnection.js';
import { Retries } from './retries.js';
import { type AgentMessage, type Sent, Unanswered } from './unanswered.js';
import { type AgentVoice, uploadOf } from './voice.js';

/**
 * The agent's line to a session as a queue: what came is parsed, checked for order and kept until asked for. When the
 * connection is lost, the session is resumed over another one; nothing that came or was sent is lost or doubled.
 */
export interface EventSocket {
  /** The next event or audio frame. Rejects with `ConnectionLostError` or `ProtocolFaultError`, for good. */
  next(): Promise<Incoming>;
  /** What has come and was not asked for yet. */
  readonly waiting: readonly Incoming[];
  /** Sends a message, once whatever happens. `voice`: uploaded before it, so that it can refer to it. */
  send(message: AgentMessage, voice?: AgentVoice): void;
  /** Everything sent so far was answered and need not be kept. */
  settle(): void;
  /** Acknowledges audio as it is taken from the queue, for an episode that was started with this window. */
  acknowledge(windowBytes: number): void;
  /** Safe twice. */
  close(): void;
}

export interface EventSocketOptions {
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** False: a lost connection is the end. Default: `DEFAULT_RECONNECTION`. */
  readonly reconnect?: Reconnection | false | undefined;
  /** Of the pauses before attempts to reconnect. Default: seeded by the session. */
  readonly random?: Pick<Random, 'next'> | undefined;
  readonly onConnection?: ((change: 'lost' | 'resumed') => void) | undefined;
  /** In place of a WebSocket. */
  readonly dial?: Dial | undefined;
}

type Hello = Extract<ServerEvent, { type: 'hello' }>;

/** `greeting`: awaits its first hello; `resuming`: a new one, then `session.resumed`; `replaying`: what was missed. */
type Phase = 'greeting' | 'resuming' | 'replaying' | 'live' | 'down';

class ResumingSocket implements EventSocket {
  readonly #url: string;
  readonly #options: EventSocketOptions;
  readonly #clock: Clock;
  readonly #waiting: Incoming[] = [];
  readonly #unanswered = new Unanswered();
  #waiter: { resolve: (item: Incoming) => void; reject: (error: Error) => void } | null = null;
  #failure: Error | null = null;
  #connection: Connection | null = null;
  #phase: Phase = 'greeting';
  #hello: Hello | null = null;
  /** Of the connection that is to take the session up. */
  #newHello: Hello | null = null;
  #lastSeq = 0;
  #replayed: { left: number; readonly lastMessageId: string | null } = { left: 0, lastMessageId: null };
  #uploads = 0;
  readonly #retries: Retries;
  #cancelRetry: () => void = () => undefined;
  readonly #acknowledgements = new Acknowledgements();

  constructor(url: string, options: EventSocketOptions) {
    this.#url = url;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#retries = new Retries(options.random);
    const { signal } = options;
    if (signal?.aborted === true) this.#onAbort();
    else {
      signal?.addEventListener('abort', this.#onAbort, { once: true });
      this.#connect();
    }
  }

  get waiting(): readonly Incoming[] {
    return this.#waiting;
  }

  next(): Promise<Incoming> {
    const item = this.#waiting.shift();
    if (item !== undefined) {
      this.#taken(item);
      return Promise.resolve(item);
    }
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }

  send(message: AgentMessage, voice: AgentVoice | null = null): void {
    if (this.#failure !== null) return;
    const sent = this.#unanswered.add(message, voice);
    if (this.#phase === 'live') this.#transmit(sent);
  }

  settle(): void {
    this.#unanswered.settle();
  }

  acknowledge(windowBytes: number): void {
    this.#acknowledgements.open(windowBytes);
  }

  close(): void {
    this.#fail(new ConnectionLostError('the agent closed the connection'));
    this.#connection?.close();
  }

  readonly #onAbort = (): void => {
    this.#fail(
      new ConnectionLostError('the agent was told to stop', { cause: this.#options.signal?.reason }),
    );
    this.#connection?.close();
  };

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#waiter?.reject(this.#failure);
    this.#waiter = null;
    this.#cancelRetry();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }

  #connect(): void {
    const { token, dial } = this.#options;
    this.#phase = this.#hello === null ? 'greeting' : 'resuming';
    const connection = openConnection(
      this.#url,
      { token, dial, clock: this.#clock },
      {
        onItem: (item) => {
          if (this.#failure === null) this.#onItem(item);
        },
        onFault: (error) => this.#fail(error),
        onLost: (loss) => this.#onLost(loss),
      },
    );
    this.#connection = connection;
  }

  #onLost({ error, closeCode }: Loss): void {
    if (this.#failure !== null) return;
    const { reconnect = DEFAULT_RECONNECTION, onConnection } = this.#options;
    const hello = this.#hello;
    const session = hello === null ? null : { name: hello.session, graceMs: hello.graceMs };
    if (reconnect === false || !Retries.mayRetry(closeCode, session)) {
      this.#fail(error);
      return;
    }
    if (this.#phase === 'live') onConnection?.('lost');
    this.#phase = 'down';
    const delayMs = this.#retries.next(reconnect, session, this.#clock.nowMs());
    if (delayMs === null) this.#fail(error);
    else this.#cancelRetry = this.#clock.after(delayMs, () => this.#connect());
  }

  #onItem(item: Incoming | Unknown): void {
    if (this.#phase === 'resuming') {
      this.#onHandshake(item);
      return;
    }
    this.#lastSeq += 1;
    if (seqOf(item) !== this.#lastSeq)
      throw new ProtocolFaultError(`expected event number ${this.#lastSeq}; got ${seqOf(item)}`);
    this.#retries.succeeded();
    if (this.#phase === 'greeting') this.#onGreeting(item);
    if (item.kind !== 'unknown') this.#take(item);
    if (this.#phase !== 'replaying') return;
    this.#replayed.left -= 1;
    if (this.#replayed.left <= 0) this.#goLive();
  }

  #onGreeting(item: Incoming | Unknown): void {
    if (item.kind !== 'event' || item.event.type !== 'hello')
      throw new ProtocolFaultError('expected hello from the sandbox first');
    this.#hello = item.event;
    this.#phase = 'live';
    this.#connection?.expectPings(item.event.limits.heartbeatMs);
  }

  #onHandshake(item: Incoming | Unknown): void {
    const event = item.kind === 'event' ? item.event : null;
    switch (event?.type) {
      case 'hello':
        this.#newHello = event;
        this.#connection?.expectPings(event.limits.heartbeatMs);
        this.#connection?.send(
          JSON.stringify({
            type: 'session.resume',
            token: this.#hello?.resumeToken,
            lastSeq: this.#lastSeq,
          }),
        );
        break;
      case 'session.resumed':
        this.#phase = 'replaying';
        this.#replayed = { left: event.replayed, lastMessageId: event.lastMessageId };
        if (event.replayed === 0) this.#goLive();
        break;
      case 'error':
        if (this.#lastSeq === 1) {
          // Nothing had been taken yet: the session of the new connection is as good.
          this.#hello = this.#newHello;
          this.#lastSeq = event.seq;
          this.#replayed = { left: 0, lastMessageId: null };
          this.#goLive();
          break;
        }
        this.#fail(
          new ConnectionLostError(`the session cannot go on: ${event.message}`, { retryable: false }),
        );
        this.#connection?.close();
        break;
      default:
        throw new ProtocolFaultError('expected session.resumed from the sandbox');
    }
  }

  /** What was refused before the cut has come again by now, so nothing is sent a second time without need. */
  #goLive(): void {
    this.#phase = 'live';
    this.#options.onConnection?.('resumed');
    for (const sent of this.#unanswered.after(this.#replayed.lastMessageId)) this.#transmit(sent);
  }

  #transmit({ messageId, message, voice }: Sent): void {
    const id = messageId === null ? {} : { messageId };
    let speech = {};
    if (voice !== null) {
      // A new number each time: what was uploaded of an earlier one may be whole or not.
      this.#uploads += 1;
      speech = { speech: this.#uploads };
      for (const data of uploadOf(voice, this.#uploads)) this.#connection?.send(data);
    }
    this.#connection?.send(JSON.stringify({ ...message, ...speech, ...id }));
  }

  #take(item: Incoming): void {
    if (item.kind === 'event' && item.event.type === 'error') {
      if (item.event.messageId !== undefined) this.#unanswered.refused(item.event.messageId);
      // Only an interruption can come too late here; then the customer had finished, which is heard anyway.
      else if (item.event.code === 'stale_turn') return;
    }
    const waiter = this.#waiter;
    this.#waiter = null;
    if (waiter === null) this.#waiting.push(item);
    else {
      this.#taken(item);
      waiter.resolve(item);
    }
  }

  #taken(item: Incoming): void {
    const seq = this.#acknowledgements.taken(item);
    if (seq !== null && (this.#phase === 'live' || this.#phase === 'replaying'))
      this.#connection?.send(JSON.stringify({ type: 'ack', seq }));
  }
}

/** Connects; what goes wrong rejects `next`. */
export function openEventSocket(url: string, options: EventSocketOptions = {}): EventSocket {
  return new ResumingSocket(url, options);
}
