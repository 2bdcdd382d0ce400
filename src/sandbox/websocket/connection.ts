import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { CLOSE_CODES, type ClientMessage } from '../../protocol/index.js';
import { type Clock, describeError } from '../../shared/index.js';
import type { SandboxLog } from '../options.js';
import type { OutgoingEvent } from '../session/state.js';
import { readClientFrame } from './client-frame.js';
import type { ClientSession } from './client-session.js';
import type { WebSocketLimits } from './limits.js';
import { createLink, type Link } from './link.js';
import type { SessionRegistry } from './session-registry.js';

/** What every connection is greeted with, but for its session. */
export type Greeting = Omit<Extract<OutgoingEvent, { type: 'hello' }>, 'session' | 'resumeToken'>;

export interface ConnectionOptions {
  readonly greeting: Greeting;
  readonly registry: SessionRegistry;
  readonly limits: WebSocketLimits;
  readonly clock: Clock;
  readonly log: (line: SandboxLog) => void;
}

/** An orderly close, by the client's own decision: 1005 is a close frame without a code. */
const ORDERLY: readonly number[] = [1000, 1001, 1005];

/** One socket of a client. It carries a session of its own, or takes up one whose socket was lost. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #link: Link;
  readonly #options: ConnectionOptions;
  /** Null: another connection has taken it up. */
  #held: { readonly session: ClientSession; readonly token: string } | null = null;
  #isFirst = true;
  #lastMessageMs: number;
  #stopTimer: () => void = () => undefined;
  /** Closed for a fault of the client's: nothing to wait for. */
  #forGood = false;

  /** @param stream the connection below the socket */
  constructor(socket: WebSocket, stream: Duplex, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#link = createLink(socket, stream, options.limits.maxUnreadBytes);
    this.#lastMessageMs = options.clock.nowMs();
    this.#held = options.registry.open(this);
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#onFrame(data, isBinary));
    // A broken socket also closes; only whether the client broke the WebSocket's own rules matters.
    socket.on('error', (error: Error & { code?: unknown }) => {
      this.#forGood ||= String(error.code).startsWith('WS_ERR');
    });
    socket.on('close', (code) => this.#onClose(code));
    const { session, token } = this.#held;
    session.outbox.attach(this.#link, 0);
    session.send({ ...options.greeting, session: session.id, resumeToken: token });
    this.#awaitFirstMessage();
  }

  /** Another connection carries the session now. */
  lose(): void {
    this.#held = null;
    this.#stopTimer();
    this.#link.close(CLOSE_CODES.takenOver, 'the session was resumed over another connection');
  }

  shutDown(): void {
    this.#link.close(CLOSE_CODES.goingAway, 'the sandbox is shutting down');
  }

  #onClose(code: number): void {
    this.#stopTimer();
    const held = this.#held;
    this.#held = null;
    if (held === null) return;
    if (this.#forGood || ORDERLY.includes(code)) this.#options.registry.drop(held.token);
    else this.#options.registry.wait(held.token);
  }

  #closeForGood(code: number, reason: string): void {
    this.#forGood = true;
    this.#link.close(code, reason);
  }

  #awaitFirstMessage(): void {
    const { limits, clock } = this.#options;
    if (limits.handshakeTimeoutMs === 0) {
      this.#awaitAnyMessage();
      return;
    }
    this.#stopTimer = clock.after(limits.handshakeTimeoutMs, () => {
      if (this.#isFirst) this.#closeForGood(CLOSE_CODES.handshakeTimeout, 'no first message in time');
      else this.#awaitAnyMessage();
    });
  }

  /** One timer a connection, set anew when it rings, so that messages cost nothing. */
  #awaitAnyMessage(): void {
    const { limits, clock } = this.#options;
    if (limits.idleTimeoutMs === 0 || this.#held === null) return;
    const idleMs = this.#held.session.episode === null ? clock.nowMs() - this.#lastMessageMs : 0;
    if (idleMs >= limits.idleTimeoutMs) {
      this.#closeForGood(CLOSE_CODES.idleTimeout, 'no episode and no message for too long');
      return;
    }
    this.#stopTimer = clock.after(limits.idleTimeoutMs - idleMs, () => this.#awaitAnyMessage());
  }

  #onFrame(data: Buffer, isBinary: boolean): void {
    const session = this.#held?.session;
    if (session === undefined || !this.#link.isOpen) return;
    this.#lastMessageMs = this.#options.clock.nowMs();
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    try {
      const frame = readClientFrame(data, isBinary);
      if (!frame.ok) session.refuse(frame.code, frame.message, frame.messageId);
      else if ('speech' in frame)
        session.takeSpeech(frame.speech.utterance, frame.speech.data, frame.speech.sampleOffset);
      else if (frame.message.type === 'session.resume') this.#resume(frame.message, isFirst);
      else session.take(frame.message);
      if (session.isHopeless) this.#closeForGood(CLOSE_CODES.refused, 'too many messages were refused');
    } catch (error) {
      this.#options.log({ level: 'error', message: `a connection failed: ${describeError(error)}` });
      this.#socket.terminate();
    }
  }

  #resume({ token, lastSeq }: Extract<ClientMessage, { type: 'session.resume' }>, isFirst: boolean): void {
    const held = this.#held;
    if (held === null) return;
    const { registry } = this.#options;
    const refuse = (why: string) => held.session.refuse('cannot_resume', why);
    if (!isFirst) return void refuse('session.resume must be the first message of its connection');
    const wanted = registry.find(token);
    if (wanted === null || wanted === held.session)
      return void refuse('no session waits for this token: it is wrong, or the time of grace is over');
    if (!wanted.outbox.canResume(lastSeq))
      return void refuse(
        `cannot go on after event ${lastSeq}: the last one sent is ${wanted.outbox.lastSeq}, and what was acknowledged or is too old is not kept`,
      );
    held.session.send({
      ...{ type: 'session.resumed', session: wanted.id, lastSeq, ...wanted.standing },
      replayed: wanted.outbox.lastSeq - lastSeq,
    });
    registry.drop(held.token);
    registry.take(token, this);
    this.#held = { session: wanted, token };
    wanted.resumed();
    wanted.outbox.attach(this.#link, lastSeq);
  }
}
