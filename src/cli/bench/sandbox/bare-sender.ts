import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const HIGH_WATER_BYTES = 256 * 1024;

/** Sends the same frame `count` times to whoever connects, as quickly as it is read, and hangs up: what `ws` alone can do. */
export async function startBareSender(
  frameBytes: number,
  count: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  const frame = Buffer.alloc(frameBytes, 1);
  server.on('connection', (socket) => {
    let left = count;
    const pump = (): void => {
      while (left > 0) {
        left -= 1;
        if (socket.bufferedAmount < HIGH_WATER_BYTES) socket.send(frame);
        else {
          socket.send(frame, pump);
          return;
        }
      }
      socket.close();
    };
    pump();
  });
  await new Promise<void>((resolve) => server.once('listening', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
