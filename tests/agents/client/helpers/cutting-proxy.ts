import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** After how many bytes, and in which direction, one connection is cut. */
export interface Cut {
  readonly direction: 'up' | 'down';
  readonly bytes: number;
}

export interface CuttingProxy {
  readonly url: string;
  /** Connections that were made through it. */
  readonly connections: () => number;
}

/** A bad line to a sandbox: its first connections break without a word, at any byte; further ones hold. */
export async function cuttingProxy(url: string, cuts: readonly Cut[]): Promise<CuttingProxy> {
  const { hostname, port } = new URL(url);
  const left = [...cuts];
  const sockets = new Set<Socket>();
  let made = 0;
  const server = createServer((client) => {
    made += 1;
    const cut = left.shift();
    const far = connect(Number(port), hostname);
    const end = (): void => {
      client.destroy();
      far.destroy();
    };
    for (const socket of [client, far]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', end);
    }
    const carry = (from: Socket, to: Socket, direction: Cut['direction']): void => {
      let carried = 0;
      from.on('data', (data) => {
        const room = cut?.direction === direction ? cut.bytes - carried : Number.POSITIVE_INFINITY;
        carried += data.length;
        if (data.length < room) to.write(data);
        else to.write(data.subarray(0, room), end);
      });
    };
    carry(client, far, 'up');
    carry(far, client, 'down');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    connections: () => made,
  };
}
