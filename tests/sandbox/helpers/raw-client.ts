import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { type ServerEvent, serverEventSchema } from '../../../src/protocol/index.js';

/** A stranger's client: sends anything, keeps every frame. */
export interface RawClient {
  readonly socket: WebSocket;
  /** Everything that came, text and binary, as bytes. */
  readonly frames: Buffer[];
  readonly events: ServerEvent[];
  /** The next event of this type that was not asked for yet. */
  next<T extends ServerEvent['type']>(type: T): Promise<Extract<ServerEvent, { type: T }>>;
  send(message: unknown): void;
  sendRaw(data: string | Buffer): void;
  /** Everything sent before has been read. */
  pong(): Promise<void>;
  /** The next frame of any kind has come, or has come already since the last time. */
  more(): Promise<void>;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
}

export async function rawClient(url: string, options: ClientOptions = {}): Promise<RawClient> {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
  onTestFinished(() => socket.terminate());
  const frames: Buffer[] = [];
  const events: ServerEvent[] = [];
  const asked = new Set<ServerEvent>();
  let wake = (): void => undefined;
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)));
  let gone = false;
  void closed.then(() => {
    gone = true;
    wake();
  });
  socket.on('message', (data: Buffer, isBinary) => {
    frames.push(data);
    if (isBinary) {
      wake();
      return;
    }
    events.push(serverEventSchema.parse(JSON.parse(data.toString())));
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  return {
    ...{ socket, frames, events, closed },
    next: async (type) => {
      for (;;) {
        const found = events.find((event) => event.type === type && !asked.has(event));
        if (found !== undefined) {
          asked.add(found);
          return found as never;
        }
        if (gone) throw new Error(`the connection closed while waiting for ${type}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    pong: () =>
      new Promise((resolve) => {
        socket.once('pong', () => resolve());
        socket.ping();
      }),
    more: async () => {
      if (gone) throw new Error('the connection closed while waiting for a frame');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    send: (message) => socket.send(JSON.stringify(message)),
    sendRaw: (data) => socket.send(data),
  };
}

export const startMessage = (parts: Record<string, unknown> = {}) => ({
  ...{ type: 'episode.start', task: 'cancel-lamp', mode: 'text', seed: 1 },
  ...parts,
});

/** Connects, starts an episode and waits until the agent has the floor. */
export async function rawEpisode(url: string, parts: Record<string, unknown> = {}): Promise<RawClient> {
  const client = await rawClient(url);
  client.send(startMessage(parts));
  await client.next('customer.end');
  return client;
}
