import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type EpisodeKey, episodeId } from '../episodes/index.js';
import { type Mode, PROTOCOL_VERSION } from '../protocol/index.js';
import { connectInMemory, verify } from '../retail/index.js';
import { describeError } from '../shared/index.js';
import { type AdmissionRules, reject, WEBSOCKET_PATH } from './admission.js';
import { createEpisodeFactory } from './episode-factory.js';
import { CannotListenError } from './errors.js';
import {
  DEFAULT_LIMITS,
  MAX_MESSAGE_BYTES,
  MAX_PAYLOAD_BYTES,
  SAMPLE_RATE_HZ,
  type SandboxOptions,
} from './options.js';
import { Connection, type ConnectionOptions } from './websocket/connection.js';
import { startHeartbeat } from './websocket/heartbeat.js';

/** A running sandbox server. */
export interface Sandbox {
  /** Where agents connect: ws://host:port/v1. */
  readonly url: string;
  readonly port: number;
  /** Resolves when no episode of this task, mode, trial and seed is running; its record is closed then. */
  settled(key: EpisodeKey): Promise<void>;
  /** Ends running episodes as `shutdown`, closes connections and the port. Safe twice. */
  close(): Promise<void>;
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_MAX_CONNECTIONS = 512;
const DEFAULT_HEARTBEAT_MS = 30_000;
const CLOSE_GRACE_MS = 1_000;

function helloOf(options: SandboxOptions): ConnectionOptions['hello'] {
  const modes: Mode[] = options.speaker === null ? ['text'] : ['speech', 'text'];
  const { maxTurns, maxErrors, agentTimeoutMs } = { ...DEFAULT_LIMITS, ...options.limits };
  return {
    ...{ type: 'hello', protocol: PROTOCOL_VERSION, server: options.serverName ?? 'parlor', modes },
    audio: { encoding: 'pcm16', sampleRateHz: SAMPLE_RATE_HZ, channels: 1 },
    limits: { maxTurns, maxErrors, maxMessageBytes: MAX_MESSAGE_BYTES, agentTimeoutMs },
  };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is in use' : describeError(error);
      fail(
        new CannotListenError(`cannot listen on ${host}:${port}: ${why}; choose another --port or --host`, {
          cause: error,
        }),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** A host as it stands in an address: IPv6 in brackets. */
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/**
 * Starts the sandbox: a WebSocket server for agents at `/v1` and `GET /health` beside it.
 * Rejects with `CannotListenError` when it cannot have the port.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const log = options.log ?? (() => undefined);
  const factory = createEpisodeFactory(options, {
    connectTools: options.connectTools ?? ((session) => connectInMemory({ session, domain: options.domain })),
    verify: options.verify ?? ((input) => verify(input, options.domain)),
  });
  const connections = new Map<object, Connection>();
  const hello = helloOf(options);
  const rules: AdmissionRules = {
    token: options.token,
    allowedOrigins: options.allowedOrigins ?? [],
    maxConnections: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
  };
  let closing: Promise<void> | null = null;

  const running = (): Connection[] => [...connections.values()].filter(({ episode }) => episode !== null);

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const found = request.method === 'GET' && request.url === '/health';
    const body = found
      ? { status: 'ok', server: hello.type === 'hello' ? hello.server : '', protocol: PROTOCOL_VERSION }
      : { error: `nothing here; GET /health, or a WebSocket at ${WEBSOCKET_PATH}` };
    const counts = { connections: connections.size, episodes: running().length };
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify(found ? { ...body, ...counts } : body)}\n`);
  }

  const server = createServer(onRequest);
  const sockets = new WebSocketServer({
    ...{ noServer: true, perMessageDeflate: false, maxPayload: MAX_PAYLOAD_BYTES },
  });
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    const rejection = closing === null ? reject(request, rules, sockets.clients.size) : null;
    if (rejection !== null || closing !== null) {
      const status = rejection?.status ?? '503 Service Unavailable';
      const text = rejection?.message ?? 'shutting down';
      stream.end(
        `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      );
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      connections.set(
        socket,
        new Connection(socket, {
          ...{ hello, factory, log, onEpisodeEnd: (summary) => options.onEpisodeEnd?.(summary) },
        }),
      );
      // Kept until its episode is over, so that shutting down can wait for the record.
      socket.on('close', () => {
        const episode = connections.get(socket)?.episode;
        if (episode == null) connections.delete(socket);
        else void episode.done.then(() => connections.delete(socket));
      });
    });
  });

  const host = options.host ?? DEFAULT_HOST;
  const port = await listen(server, host, options.port ?? 0);
  const stopHeartbeat = startHeartbeat(sockets.clients, options.heartbeatMs ?? DEFAULT_HEARTBEAT_MS);

  async function shutDown(): Promise<void> {
    stopHeartbeat();
    await Promise.all([...connections.values()].map((connection) => connection.shutDown()));
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    // Who does not answer the close frame is not waited for.
    const impatience = setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate();
    }, CLOSE_GRACE_MS);
    await closed;
    clearTimeout(impatience);
  }

  return {
    url: `ws://${inUrl(host)}:${port}${WEBSOCKET_PATH}`,
    port,
    settled: async (key) => {
      const wanted = episodeId(key);
      const same = running().flatMap(({ episode }) => (episode === null ? [] : [episode]));
      await Promise.all(same.filter(({ start }) => episodeId(start) === wanted).map(({ done }) => done));
    },
    close: () => {
      closing ??= shutDown();
      return closing;
    },
  };
}
