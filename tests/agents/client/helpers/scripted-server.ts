import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** One scripted step of the far side: a text event without its number, raw data, or "wait for the client". */
export type Step = Record<string, unknown> | Uint8Array | string | 'wait';

const open: WebSocketServer[] = [];

export function closeScriptedServers(): void {
  for (const server of open.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
  }
}

/** A far side that plays a script. `received` is what the client sent. */
export async function scriptedServer(steps: readonly Step[]) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  open.push(server);
  const received: unknown[] = [];
  server.on('connection', async (socket: WebSocket) => {
    const inbox: unknown[] = [];
    let wake = (): void => undefined;
    socket.on('message', (data: Buffer) => {
      received.push(JSON.parse(data.toString()));
      inbox.push(data);
      wake();
    });
    let seq = 0;
    for (const step of steps) {
      if (step === 'wait') {
        while (inbox.length === 0)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        inbox.shift();
      } else if (step === 'close') socket.close(1001, 'shutting down');
      else if (step instanceof Uint8Array) {
        seq += 1;
        socket.send(step);
      } else if (typeof step === 'string') socket.send(step);
      else {
        seq += 1;
        socket.send(JSON.stringify({ seq, ...step }));
      }
    }
  });
  await once(server, 'listening');
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, received };
}
