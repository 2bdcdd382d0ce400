import type { Clock } from '../../shared/index.js';
import type { Front } from '../front.js';
import { MAX_PAYLOAD_BYTES } from '../options.js';
import type { ClientSessionOptions } from './client-session.js';
import { Connection, type Greeting } from './connection.js';
import { createPacer } from './pacer.js';
import { SessionRegistry } from './session-registry.js';

export const WEBSOCKET_PATH = '/v1';

export interface WebSocketFrontOptions extends Omit<ClientSessionOptions, 'timing'> {
  readonly greeting: Greeting;
  readonly clock: Clock;
  readonly createToken: () => string;
}

export interface WebSocketFront extends Front {
  /** Sessions that have a connection or wait for another one. */
  sessions(): number;
}

/** The protocol of docs/protocol.md, at `/v1`. */
export function createWebSocketFront(options: WebSocketFrontOptions): WebSocketFront {
  const { greeting, clock, limits, log } = options;
  const timing = { clock, pacer: createPacer(clock) };
  const registry = new SessionRegistry({ ...options, timing }, options.createToken);
  const connections = new Set<Connection>();
  return {
    routes: [],
    sessions: () => registry.size,
    upgrades: [
      {
        ...{ path: WEBSOCKET_PATH, auth: 'token', maxPayloadBytes: MAX_PAYLOAD_BYTES },
        accept: (socket, { socket: stream }) => {
          const connection = new Connection(socket, stream, { greeting, registry, limits, clock, log });
          connections.add(connection);
          socket.on('close', () => connections.delete(connection));
        },
      },
    ],
    running: () =>
      registry
        .all()
        .flatMap(({ episode }) => (episode === null ? [] : [{ key: episode.start, done: episode.done }])),
    shutDown: async () => {
      await registry.shutDown();
      for (const connection of connections) connection.shutDown();
    },
  };
}
