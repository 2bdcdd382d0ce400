import type { WebSocket } from 'ws';
import { CLOSE_CODES, type ClientMessage, type ErrorCode } from '../../protocol/index.js';
import { describeError } from '../../shared/index.js';
import type { EpisodeFactory, EpisodeStart } from '../episode-factory.js';
import type { EpisodeSummary, SandboxLog } from '../options.js';
import type { Measure } from '../session/measurement.js';
import type { SessionRunner } from '../session/runner.js';
import type { OutgoingEvent, SessionEvent } from '../session/state.js';
import type { SessionTransport } from '../session/transport.js';
import { readClientFrame } from './client-frame.js';
import { createTransport } from './websocket-transport.js';

export interface ConnectionOptions {
  readonly hello: OutgoingEvent;
  readonly factory: EpisodeFactory;
  readonly onEpisodeEnd: (summary: EpisodeSummary) => void;
  readonly log: (line: SandboxLog) => void;
  readonly measure: Measure;
}

/** Refused messages outside an episode; inside, the episode's own limit holds. */
const MAX_IDLE_ERRORS = 100;

/** One agent's connection: reads its frames and plays one episode after the other, never two at once. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #transport: SessionTransport;
  #session: SessionRunner | null = null;
  /** The episode in hand, from its start message to its end. */
  #episode: { readonly start: EpisodeStart; readonly done: Promise<void> } | null = null;
  #idleErrors = 0;
  /** Set once: what ends a session that is still being set up when it happens. */
  #ending: SessionEvent | null = null;

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#transport = createTransport(socket);
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#onFrame(data, isBinary));
    socket.on('close', () => this.#endWith({ type: 'disconnected' }));
    // A broken socket also closes; the error says no more than that.
    socket.on('error', () => undefined);
    this.#transport.send(options.hello);
  }

  get episode(): { readonly start: EpisodeStart; readonly done: Promise<void> } | null {
    return this.#episode;
  }

  /** Ends what is running as `shutdown`, then closes. */
  async shutDown(): Promise<void> {
    this.#endWith({ type: 'shutdown' });
    await this.#episode?.done;
    this.#socket.close(CLOSE_CODES.goingAway, 'the sandbox is shutting down');
  }

  #endWith(event: SessionEvent): void {
    this.#ending ??= event;
    this.#session?.dispatch(event);
  }

  #onFrame(data: Buffer, isBinary: boolean): void {
    if (this.#ending !== null) return;
    try {
      const frame = readClientFrame(data, isBinary);
      if (frame.ok) this.#onMessage(frame.message);
      else this.#refuse(frame.code, frame.message);
    } catch (error) {
      this.#options.log({ level: 'error', message: `a connection failed: ${describeError(error)}` });
      this.#socket.terminate();
    }
  }

  #onMessage(message: ClientMessage): void {
    switch (message.type) {
      case 'episode.start':
        this.#onStart(message);
        break;
      case 'agent.message':
        this.#act({ type: 'message', text: message.text, reasoning: message.reasoning });
        break;
      case 'tool.call':
        this.#act({ ...message, type: 'call' });
        break;
      case 'agent.stop':
        this.#act({ type: 'stop' });
        break;
    }
  }

  #act(event: SessionEvent): void {
    if (this.#session !== null) this.#session.dispatch(event);
    else if (this.#episode !== null) this.#refuse('not_your_turn', 'wait for episode.ready and the opening');
    else this.#refuse('no_episode', 'no episode is running; send episode.start');
  }

  #refuse(code: ErrorCode, message: string): void {
    if (this.#session !== null) {
      this.#session.dispatch({ type: 'refused', code, message });
      return;
    }
    this.#idleErrors += 1;
    this.#options.measure({ type: 'refused', code });
    this.#transport.send({ type: 'error', code, message });
    if (this.#idleErrors >= MAX_IDLE_ERRORS)
      this.#socket.close(CLOSE_CODES.policy, `${MAX_IDLE_ERRORS} messages were refused`);
  }

  #onStart(start: EpisodeStart): void {
    const refusal =
      this.#episode === null
        ? this.#options.factory.check(start)
        : ({ code: 'episode_running', message: 'an episode is running; wait for its episode.end' } as const);
    if (refusal !== null) {
      this.#refuse(refusal.code, refusal.message);
      return;
    }
    this.#idleErrors = 0;
    // Set before anything happens: playing may end before the first await.
    let done: () => void = () => undefined;
    this.#episode = {
      start,
      done: new Promise((resolve) => {
        done = resolve;
      }),
    };
    void this.#play(start).then(done);
  }

  /** Never rejects. */
  async #play(start: EpisodeStart): Promise<void> {
    const { factory, log, onEpisodeEnd } = this.#options;
    try {
      const session = await factory.open(start, this.#transport, (summary) => {
        onEpisodeEnd(summary);
        this.#session = null;
        this.#episode = null;
      });
      this.#session = session;
      session.dispatch(this.#ending ?? { type: 'begin' });
      await session.finished;
    } catch (error) {
      log({ level: 'error', message: `cannot play task ${start.task}: ${describeError(error)}` });
      this.#session = null;
      this.#episode = null;
      this.#refuse('unavailable', 'the sandbox could not set up the episode; its log says why');
    }
  }
}
