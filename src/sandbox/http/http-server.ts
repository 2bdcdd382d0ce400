import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { describeError } from '../../shared/index.js';
import { CannotListenError } from '../errors.js';
import { startHeartbeat } from '../websocket/heartbeat.js';
import type { AdmissionRules } from './admission.js';
import { clientAddress } from './client-address.js';
import { ConnectionGate } from './connection-gate.js';
import { HttpError } from './http-error.js';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http-limits.js';
import { refuseUpgrade, toHttpError } from './respond.js';
import type { HttpRoute, UpgradeRoute } from './route.js';
import { type HttpAnswer, Router } from './router.js';
import { createTraffic, type Traffic } from './traffic.js';

/** A certificate with its key, both as PEM text. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly tls?: TlsMaterial | undefined;
  readonly routes: readonly HttpRoute[];
  readonly upgrades: readonly UpgradeRoute[];
  readonly admission: AdmissionRules;
  readonly limits?: Partial<HttpLimits> | undefined;
  readonly onFault: (message: string) => void;
  readonly onAnswer?: ((answer: HttpAnswer) => void) | undefined;
  /** Somebody was turned away before any route saw them. */
  readonly onRefusal?: ((status: number) => void) | undefined;
  readonly onSocketOpen?: (() => void) | undefined;
  readonly onSocketClose?: ((code: number) => void) | undefined;
}

/** A listening server: routes on one port, WebSockets beside them. */
export interface HttpServer {
  readonly port: number;
  readonly sockets: ReadonlySet<WebSocket>;
  readonly traffic: Traffic;
  /** From now on no WebSocket is opened; requests are answered as before. */
  refuseSockets(message: string): void;
  /** Stops listening and drops what is still open after `CLOSE_GRACE_MS`. Safe twice. */
  close(): Promise<void>;
}

const CLOSE_GRACE_MS = 1_000;
/** Plain requests beside the WebSockets, e.g. health checks while all places are taken. */
const SPARE_CONNECTIONS = 64;

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

function createListener(
  onRequest: RequestListener,
  limits: HttpLimits,
  tls: TlsMaterial | undefined,
): Server {
  const timeouts = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.handshakeTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, limits.handshakeTimeoutMs),
  };
  if (tls === undefined) return createServer(timeouts, onRequest);
  try {
    return createTlsServer(
      { ...timeouts, ...tls, handshakeTimeout: limits.handshakeTimeoutMs, minVersion: 'TLSv1.2' },
      onRequest,
    );
  } catch (error) {
    throw new CannotListenError(
      `the certificate and key cannot be used: ${describeError(error)}; expected PEM files that belong together`,
      { cause: error },
    );
  }
}

/** A connection that only sits there holds a place of its address as much as one that talks. */
function guardConnections(
  server: Server,
  limits: HttpLimits,
  { traffic, onRefusal }: { traffic: Traffic; onRefusal: (status: number) => void },
): void {
  server.maxConnections = limits.maxConnections + SPARE_CONNECTIONS;
  server.on('drop', () => onRefusal(503));
  const gate = new ConnectionGate({
    maxConnections: Number.POSITIVE_INFINITY,
    maxConnectionsPerAddress: limits.maxConnectionsPerAddress + SPARE_CONNECTIONS,
  });
  server.on('connection', (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress);
    if (gate.refuse(address) !== null) {
      onRefusal(429);
      socket.destroy();
      return;
    }
    socket.once('close', gate.enter(address));
    traffic.watch(socket);
  });
}

/** Rejects with `CannotListenError` when it cannot have the port or use the certificate. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  const onRefusal = options.onRefusal ?? (() => undefined);
  const router = new Router({ ...options, maxBodyBytes: limits.maxBodyBytes });
  const server = createListener(
    (request, response) => void router.handle(request, response),
    limits,
    options.tls,
  );
  const traffic = createTraffic();
  guardConnections(server, limits, { traffic, onRefusal });

  const gate = new ConnectionGate(limits);
  const sockets = new Set<WebSocket>();
  const upgraders = new Map<UpgradeRoute, WebSocketServer>(
    options.upgrades.map((route) => [
      route,
      new WebSocketServer({
        ...{ noServer: true, perMessageDeflate: false, clientTracking: false },
        maxPayload: route.maxPayloadBytes,
      }),
    ]),
  );
  let refused: string | null = null;

  function onUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const { route, context } = router.findUpgrade(request);
    if (refused !== null) throw new HttpError(503, refused, { 'retry-after': '5' });
    const crowd = gate.refuse(context.address);
    if (crowd !== null) throw crowd;
    // Taken before the handshake, so that a burst cannot slip past the count.
    const leave = gate.enter(context.address);
    stream.once('close', leave);
    upgraders.get(route)?.handleUpgrade(request, stream, head, (socket) => {
      sockets.add(socket);
      options.onSocketOpen?.();
      socket.once('close', (code) => {
        sockets.delete(socket);
        options.onSocketClose?.(code);
      });
      route.accept(socket, request, context);
    });
  }
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    try {
      onUpgrade(request, stream, head);
    } catch (error) {
      const answer = toHttpError(error);
      if (!(error instanceof HttpError)) options.onFault(`upgrade: ${describeError(error)}`);
      onRefusal(answer.status);
      refuseUpgrade(stream, answer);
    }
  });

  const port = await listen(server, options.host, options.port);
  const stopHeartbeat = startHeartbeat(sockets, limits.heartbeatMs);

  async function shutDown(): Promise<void> {
    refused ??= 'shutting down';
    stopHeartbeat();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    // Who does not answer the close frame, or reads its answer too slowly, is not waited for.
    const impatience = setTimeout(() => {
      for (const socket of sockets) socket.terminate();
      server.closeAllConnections();
    }, CLOSE_GRACE_MS);
    await closed;
    clearTimeout(impatience);
  }
  let closing: Promise<void> | null = null;
  return {
    ...{ port, sockets, traffic },
    refuseSockets: (message) => {
      refused = message;
    },
    close: () => {
      closing ??= shutDown();
      return closing;
    },
  };
}
