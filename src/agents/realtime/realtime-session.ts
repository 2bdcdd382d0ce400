import { measureEdgeSilence } from '../../audio/index.js';
import type { Clock } from '../../shared/index.js';
import { cutToHeard, type Heard } from './break-in.js';
import type { Dialect, SessionPlan } from './dialect.js';
import { realtimeError } from './errors.js';
import { openRealtimeSocket, type RealtimeAddress, type RealtimeSocket } from './realtime-socket.js';
import { type Reply, ReplyAssembler, type Spoken } from './reply.js';
import type { RealtimeEvent } from './server-event.js';
import { bytesToMs, encodeSound, type Sound, silence, soundMs } from './wire-audio.js';

/** How long each state may last without a word from the server. Together less than what the sandbox gives an agent. */
const CONFIGURE_MS = 15_000;
const TAKEN_MS = 10_000;
const BEGIN_MS = 30_000;
const GO_ON_MS = 20_000;
/** A whole response; also one whose server keeps talking without getting anywhere. */
const RESPONSE_MS = 90_000;

/** The customer's sound goes out in pieces of this length. */
const PIECE_MS = 100;
/** Less than 100 ms cannot be committed; a little more, so that rounding does not matter. */
const LEAST_MS = 120;
/** A turn that the server's detector ended within this of the last loud sample ended where the customer did. */
const END_SLACK_MS = 150;

export interface SessionOptions {
  readonly address: RealtimeAddress;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface AskOptions {
  /** False: the server's turn detection begins the response. */
  readonly create: boolean;
  /** The customer breaks in when it has heard so much; null: it does not. */
  readonly breakInAtMs: number | null;
}

export interface BrokenIn extends Heard {
  readonly atMs: number;
}

export interface AskedReply extends Reply {
  /** Set when the customer broke in: what it had heard of the last thing said. Else it heard all. */
  readonly brokenIn: BrokenIn | null;
}

/** One connection to a realtime server: what is sent, what must come back, and how long that may take. */
export class RealtimeSession {
  readonly #options: SessionOptions;
  readonly #socket: RealtimeSocket;
  readonly #openedMs: number;
  #plan: SessionPlan | null = null;
  /** Of the customer's stream, which the server's detector counts in, too. */
  #sentMs = 0;
  #loudEndMs = 0;
  #stoppedAtMs = 0;
  #speaking = false;
  /** Errors that answer these may be ignored. */
  readonly #cancels = new Set<string>();
  /** A response of the server's own was under way when we asked for one. */
  #createAgain = false;
  #written = 0;
  readonly #transcripts = new Map<string, string>();

  private constructor(socket: RealtimeSocket, options: SessionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#openedMs = options.clock.nowMs();
  }

  /** Rejects with `RealtimeError`. */
  static async open(options: SessionOptions): Promise<RealtimeSession> {
    const session = new RealtimeSession(await openRealtimeSocket(options.address, options), options);
    try {
      await session.#until('session.created', CONFIGURE_MS);
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  get ageMs(): number {
    return this.#options.clock.nowMs() - this.#openedMs;
  }

  /** What the server's recogniser wrote down for an item; undefined: nothing has come. */
  transcriptOf(itemId: string): string | undefined {
    return this.#transcripts.get(itemId);
  }

  async configure(plan: SessionPlan): Promise<void> {
    this.#plan = plan;
    this.#socket.send({ type: 'session.update', session: this.#options.dialect.session(plan) });
    await this.#until('session.updated', CONFIGURE_MS);
  }

  /** Sends what the customer said; gives the item it became, where that is known already. */
  async hear(sound: Sound, tailSilenceMs: number): Promise<string | null> {
    const format = this.#options.dialect.input(this.#plan?.encoding ?? 'pcm16');
    const isServer = this.#plan?.turns === 'server';
    const lengthMs = soundMs(sound);
    this.#loudEndMs =
      this.#sentMs + lengthMs - measureEdgeSilence(sound.samples, sound.sampleRateHz).trailingMs;
    this.#append(encodeSound(sound, format));
    const tailMs = isServer ? tailSilenceMs : Math.max(0, LEAST_MS - lengthMs);
    if (tailMs > 0) this.#append(encodeSound(silence(tailMs, format.sampleRateHz), format));
    // The server's detector commits by itself: there would be nothing left to commit.
    if (isServer) return null;
    this.#socket.send({ type: 'input_audio_buffer.commit' });
    return (await this.#until('input_audio_buffer.committed', TAKEN_MS)).item_id ?? null;
  }

  /** Writes an item into the conversation. */
  async write(item: object): Promise<void> {
    const { writesItems } = this.#options.dialect;
    this.#written += 1;
    const id = `parlor_item_${this.#written}`;
    this.#socket.send({ type: 'conversation.item.create', item: writesItems ? { id, ...item } : item });
    // Not every server says that it took a result; one that did not will say so when it is asked for the reply.
    if (!writesItems) return;
    while ((await this.#until('conversation.item.added', TAKEN_MS)).item.id !== id);
  }

  /** Cuts what was not heard. @param heardMs above 0 and not longer than the item */
  async truncate(itemId: string, heardMs: number): Promise<void> {
    const cut = { item_id: itemId, content_index: 0, audio_end_ms: Math.max(1, Math.floor(heardMs)) };
    this.#socket.send({ type: 'conversation.item.truncate', ...cut });
    await this.#until('conversation.item.truncated', TAKEN_MS);
  }

  /** Takes back what was not heard at all: 0 ms cannot be cut to. */
  async remove(itemId: string): Promise<void> {
    this.#socket.send({ type: 'conversation.item.delete', item_id: itemId });
    await this.#until('conversation.item.deleted', TAKEN_MS);
  }

  /** One reply to all that was heard and written. Rejects with `RealtimeError`. */
  async ask({ create, breakInAtMs }: AskOptions): Promise<AskedReply> {
    const format = this.#options.dialect.output(this.#plan?.encoding ?? 'pcm16');
    const untilMs = this.#options.clock.nowMs() + RESPONSE_MS;
    this.#createAgain = false;
    if (create) this.#socket.send({ type: 'response.create' });
    // What had come when the customer broke in; what comes later, until the server has noticed, is not heard.
    let heard: readonly Spoken[] | null = null;
    let running: ReplyAssembler | null = null;
    const earlier: Reply[] = [];
    for (;;) {
      const leftMs = untilMs - this.#options.clock.nowMs();
      if (leftMs <= 0) throw realtimeError('silent', `no reply was finished within ${RESPONSE_MS / 1000} s`);
      const event: RealtimeEvent =
        running === null
          ? await this.#next(this.#beginning(), Math.min(BEGIN_MS, leftMs))
          : await this.#next('the rest of the response (response.done)', Math.min(GO_ON_MS, leftMs));
      if (event.type === 'response.created') running = new ReplyAssembler(format);
      if (event.type !== 'response.done') {
        running?.take(event);
        if (running !== null && heard === null && breakInAtMs !== null && running.soundMs >= breakInAtMs) {
          heard = running.spoken();
          this.#cancels.add(this.#socket.send({ type: 'response.cancel' }));
        }
        continue;
      }
      const reply: Reply = (running ?? new ReplyAssembler(format)).finish(event);
      running = null;
      if (reply.status === 'failed')
        throw realtimeError('failed', `the model gave no reply (${reply.reason ?? 'no reason was given'})`);
      if (this.#isEarly(reply, heard !== null)) {
        earlier.push(reply);
        continue;
      }
      if (reply.status === 'cancelled' && heard === null)
        throw realtimeError(
          'failed',
          `the server cancelled its reply (${reply.reason ?? 'no reason was given'})`,
        );
      const before = earlier.flatMap(({ spoken }) => spoken);
      if (heard === null) return { ...reply, spoken: [...before, ...reply.spoken], brokenIn: null };
      return { ...reply, spoken: before, brokenIn: this.#cut(heard, reply, breakInAtMs ?? 0) };
    }
  }

  close(): void {
    this.#socket.close();
  }

  #cut(heard: readonly Spoken[], reply: Reply, atMs: number): BrokenIn {
    const cut = cutToHeard(heard, atMs);
    const known = new Set(heard.map(({ itemId }) => itemId));
    const later = reply.spoken.filter(({ itemId }) => !known.has(itemId)).map(({ itemId }) => itemId);
    return { ...cut, removed: [...cut.removed, ...later], atMs };
  }

  /** True: another response follows this one, to which it must be added or which takes its place. */
  #isEarly(reply: Reply, brokenIn: boolean): boolean {
    if (brokenIn || reply.calls.some(({ whole }) => whole)) return false;
    if (this.#createAgain) {
      this.#createAgain = false;
      this.#socket.send({ type: 'response.create' });
      return true;
    }
    if (this.#plan?.turns !== 'server') return false;
    // In a pause of the customer's the server thought that it had finished.
    return (
      reply.reason === 'turn_detected' || this.#speaking || this.#stoppedAtMs < this.#loudEndMs - END_SLACK_MS
    );
  }

  #beginning(): string {
    if (this.#plan?.turns !== 'server') return 'a response to begin (response.created)';
    return 'a response to begin (response.created): its turn detection has not noticed that the customer spoke and stopped; see --tail-silence, or use --turns manual';
  }

  #append(bytes: Buffer): void {
    const format = this.#options.dialect.input(this.#plan?.encoding ?? 'pcm16');
    const pieceBytes = Math.round(PIECE_MS / bytesToMs(1, format));
    for (let at = 0; at < bytes.length; at += pieceBytes)
      this.#socket.send({
        type: 'input_audio_buffer.append',
        audio: bytes.subarray(at, at + pieceBytes).toString('base64'),
      });
    this.#sentMs += bytesToMs(bytes.length, format);
  }

  async #until<T extends RealtimeEvent['type']>(
    type: T,
    timeoutMs: number,
  ): Promise<Extract<RealtimeEvent, { type: T }>> {
    const untilMs = this.#options.clock.nowMs() + timeoutMs;
    for (;;) {
      const event = await this.#next(type, Math.max(0, untilMs - this.#options.clock.nowMs()));
      if (event.type === type) return event as Extract<RealtimeEvent, { type: T }>;
    }
  }

  /** The next event that is not dealt with here. */
  async #next(waitingFor: string, timeoutMs: number): Promise<RealtimeEvent> {
    const event = await this.#socket.next(waitingFor, timeoutMs);
    if (event.type === 'error') this.#onError(event.error);
    if (event.type === 'input_audio_buffer.speech_started') this.#speaking = true;
    if (event.type === 'input_audio_buffer.speech_stopped') {
      this.#speaking = false;
      this.#stoppedAtMs = event.audio_end_ms ?? this.#sentMs;
    }
    if (event.type === 'conversation.item.input_audio_transcription.completed')
      this.#transcripts.set(event.item_id, event.transcript);
    return event;
  }

  #onError({
    type,
    code,
    message,
    event_id: answers,
  }: Extract<RealtimeEvent, { type: 'error' }>['error']): void {
    // The response was over before it could be cancelled.
    if (code === 'response_cancel_not_active' || (answers && this.#cancels.has(answers))) return;
    if (
      code === 'conversation_already_has_active_response' ||
      /another response is in progress/i.test(message)
    ) {
      this.#createAgain = true;
      return;
    }
    const told = `the realtime server says: ${message} (${code ?? type ?? 'no code'})`;
    if (code === 'session_expired') throw realtimeError('lost', told);
    if (type === 'server_error' || /rate_limit/.test(code ?? '')) throw realtimeError('failed', told);
    throw realtimeError('refused', told);
  }
}
