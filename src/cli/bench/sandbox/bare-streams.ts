import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

interface Streams {
  readonly frameMs: number;
  /** With the header. */
  readonly frameBytes: number;
  /** For each connection. */
  readonly frames: number;
}

/** PCM16 after a header of 16 bytes. */
const samplesIn = (frameBytes: number): number => (frameBytes - 16) / 2;

/** Each frame at its own time since the start, late ones at once: what anybody would write with a timer for each connection. */
function stream(socket: WebSocket, frame: Buffer, { frameMs, frames, frameBytes }: Streams): void {
  const startMs = performance.now();
  let sent = 0;
  const step = (): void => {
    if (socket.readyState !== socket.OPEN) return;
    while (sent < frames && performance.now() >= startMs + sent * frameMs) {
      socket.send(frame);
      sent += 1;
    }
    if (sent < frames) setTimeout(step, startMs + sent * frameMs - performance.now());
    else socket.send(JSON.stringify({ type: 'customer.end', samples: frames * samplesIn(frameBytes) }));
  };
  socket.send(JSON.stringify({ type: 'customer.start' }));
  step();
}

/** Sends each client that says anything the same frame in real time, with the two events that frame an utterance. */
export async function startBareStreams(
  streams: Streams,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  const frame = Buffer.alloc(streams.frameBytes, 1);
  server.on('connection', (socket) => {
    socket.once('message', () => stream(socket, frame, streams));
  });
  await new Promise<void>((resolve) => server.once('listening', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
