import type { WebSocket } from 'ws';
import type { Front } from '../front.js';
import { MAX_PAYLOAD_BYTES } from '../options.js';
import { Connection, type ConnectionOptions } from './connection.js';

export const WEBSOCKET_PATH = '/v1';

/** The protocol of docs/protocol.md, at `/v1`. */
export function createWebSocketFront(options: ConnectionOptions): Front {
  const connections = new Map<WebSocket, Connection>();
  return {
    routes: [],
    upgrades: [
      {
        ...{ path: WEBSOCKET_PATH, auth: 'token', maxPayloadBytes: MAX_PAYLOAD_BYTES },
        accept: (socket) => {
          connections.set(socket, new Connection(socket, options));
          // Kept until its episode is over, so that shutting down can wait for the record.
          socket.on('close', () => {
            const episode = connections.get(socket)?.episode;
            if (episode == null) connections.delete(socket);
            else void episode.done.then(() => connections.delete(socket));
          });
        },
      },
    ],
    running: () =>
      [...connections.values()].flatMap(({ episode }) =>
        episode === null ? [] : [{ key: episode.start, done: episode.done }],
      ),
    shutDown: async () => {
      await Promise.all([...connections.values()].map((connection) => connection.shutDown()));
    },
  };
}
