import { WebSocket } from 'ws';
import {
  type ClientMessageInput,
  decodeAudioFrame,
  type ServerEvent,
  serverEventSchema,
} from '../../../src/protocol/index.js';

export type ServerEventOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;
type ToolResult = ServerEventOf<'tool.result'>;

/** A client that can do everything wrong, and notes everything that the sandbox does wrong. */
export class HostileClient {
  readonly #url: string;
  socket: WebSocket;
  /** What the sandbox did that it must not do. */
  readonly faults: string[] = [];
  /** The one end of each call that this client was told of. */
  readonly results = new Map<string, ToolResult>();
  ready: ServerEventOf<'episode.ready'> | null = null;
  end: ServerEventOf<'episode.end'> | null = null;
  turn = 0;
  /** Tells the sandbox of every frame that it has come. */
  acknowledges = false;
  closeCode: number | null = null;
  #hello: ServerEventOf<'hello'> | null = null;
  #lastSeq = 0;
  readonly #queue: ServerEvent[] = [];
  /** What a new connection is told before it carries the session. */
  readonly #greetings: ServerEvent[] = [];
  #wake: () => void = () => undefined;
  #resuming = false;

  private constructor(url: string) {
    this.#url = url;
    this.socket = this.#open();
  }

  static async connect(url: string): Promise<HostileClient> {
    const client = new HostileClient(url);
    client.#hello = await client.next('hello');
    return client;
  }

  get token(): string {
    return this.#hello?.resumeToken ?? '';
  }

  send(message: ClientMessageInput): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The next event of one of these types; others are skipped. Rejects when the connection is gone. */
  async next<T extends ServerEvent['type']>(...types: readonly T[]): Promise<ServerEventOf<T>> {
    const wanted: readonly string[] = types;
    for (;;) {
      const event = await this.#shift(this.#queue);
      if (wanted.includes(event.type)) return event as ServerEventOf<T>;
    }
  }

  /** Drops the connection without a word, or leaves it open, and takes the session up over another one. */
  async dropAndResume({ whileAlive = false } = {}): Promise<void> {
    if (!whileAlive) this.socket.terminate();
    this.#resuming = true;
    this.socket = this.#open();
    await this.#shift(this.#greetings);
    this.send({ type: 'session.resume', token: this.token, lastSeq: this.#lastSeq });
    const answer = await this.#shift(this.#greetings);
    if (answer.type !== 'session.resumed') this.faults.push(`cannot resume: ${JSON.stringify(answer)}`);
  }

  async #shift(queue: ServerEvent[]): Promise<ServerEvent> {
    for (;;) {
      // What a sandbox that has gone wrong sends next may never come.
      if (this.faults.length > 0) throw new Error(this.faults.join('; '));
      const event = queue.shift();
      if (event !== undefined) return event;
      if (this.closeCode !== null) throw new Error(`the connection is gone (${this.closeCode})`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  acknowledge(): void {
    this.send({ type: 'ack', seq: this.#lastSeq });
  }

  drop(): void {
    this.socket.terminate();
  }

  #open(): WebSocket {
    const socket = new WebSocket(this.#url, { perMessageDeflate: false });
    this.closeCode = null;
    socket.on('message', (data: Buffer, isBinary) => {
      if (socket === this.socket) this.#take(data, isBinary);
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      if (socket !== this.socket) return;
      this.closeCode = code;
      this.#wake();
    });
    return socket;
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (isBinary) {
      this.#count(decodeAudioFrame(data).seq);
      if (this.acknowledges) this.acknowledge();
      return;
    }
    const event = serverEventSchema.parse(JSON.parse(data.toString()));
    // A new connection is greeted before it takes the old numbers up.
    if (this.#resuming) {
      this.#resuming = event.type === 'hello';
      this.#greetings.push(event);
    } else {
      this.#count(event.seq);
      this.#note(event);
      this.#queue.push(event);
    }
    this.#wake();
  }

  #count(seq: number): void {
    if (seq !== this.#lastSeq + 1) this.faults.push(`event ${seq} came after ${this.#lastSeq}`);
    this.#lastSeq = seq;
  }

  #note(event: ServerEvent): void {
    if (event.type === 'episode.ready') this.ready = event;
    if (event.type === 'customer.end') this.turn = event.turn;
    if (event.type === 'tool.result') {
      this.turn = Math.max(this.turn, event.turn);
      const first = this.results.get(event.callId);
      if (first === undefined) this.results.set(event.callId, event);
      else if (event.repeated !== true) this.faults.push(`call ${event.callId} ended twice`);
      else if (first.content !== event.content) this.faults.push(`call ${event.callId} has two answers`);
    }
    if (event.type === 'episode.end') {
      if (this.end !== null) this.faults.push('the episode ended twice');
      this.end = event;
    }
  }
}
