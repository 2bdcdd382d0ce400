import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, describeError, UsageError } from '../../shared/index.js';
import type { RetailDomain } from '../contract.js';
import { findForeignHeader, readBody, refuse } from './http-request.js';
import { HttpSessions } from './http-sessions.js';

/** MCP over Streamable HTTP: one path, one session of the retail world for each MCP session. */
export interface HttpServerOptions {
  readonly domain: RetailDomain;
  /** Must be impossible to guess: whoever knows it can use the session. */
  readonly createSessionId: () => string;
  readonly clock: Clock;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Names besides the loopback ones under which clients may reach the server (Host header). */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly maxSessions?: number | undefined;
  readonly idleMs?: number | undefined;
  readonly maxBodyBytes?: number | undefined;
  readonly version?: string | undefined;
}

export interface HttpServer {
  /** e.g. "http://127.0.0.1:8123/mcp". */
  readonly url: string;
  readonly sessionCount: number;
  /** Closes every session and connection. Safe twice. */
  close(): Promise<void>;
}

const PATH = '/mcp';
const DEFAULT_MAX_SESSIONS = 256;
const DEFAULT_IDLE_MS = 30 * 60_000;
const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

const BODY_FAULTS = {
  'too-large': { status: 413, message: 'the body is too large' },
  'no-json': { status: 400, message: 'the body is no JSON; expected one JSON-RPC message' },
  'cut-off': { status: 400, message: 'the body was cut off' },
} as const;

function isInitialize(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize'
  );
}

interface Handling {
  readonly sessions: HttpSessions;
  readonly allowedHosts: readonly string[];
  readonly maxBodyBytes: number;
}

async function handle(request: IncomingMessage, response: ServerResponse, options: Handling): Promise<void> {
  const { sessions, allowedHosts, maxBodyBytes } = options;
  const foreign = findForeignHeader(request, allowedHosts);
  if (foreign !== undefined)
    return refuse(response, 403, {
      message: `the ${foreign} header names a host this server does not answer to`,
    });
  if (request.url?.split('?')[0] !== PATH)
    return refuse(response, 404, { message: `there is nothing here; MCP is at ${PATH}` });
  if (!['GET', 'POST', 'DELETE'].includes(request.method ?? ''))
    return refuse(response, 405, {
      message: 'use POST, GET or DELETE',
      headers: { allow: 'GET, POST, DELETE' },
    });
  const sessionId = request.headers['mcp-session-id'];
  const transport = typeof sessionId === 'string' ? sessions.use(sessionId) : undefined;
  if (sessionId !== undefined && transport === undefined)
    return refuse(response, 404, {
      message: 'no such session; send "initialize" without a session id to open one',
    });
  if (request.method !== 'POST') {
    if (transport !== undefined) return await transport.handleRequest(request, response);
    return refuse(response, 400, { message: 'the Mcp-Session-Id header is missing' });
  }
  const body = await readBody(request, maxBodyBytes);
  if ('fault' in body) {
    const { status, message } = BODY_FAULTS[body.fault];
    // What is left of the body is thrown away as it comes, so that the client gets to read the answer.
    request.resume();
    return refuse(response, status, { message, headers: { connection: 'close' } });
  }
  if (transport !== undefined) return await transport.handleRequest(request, response, body.json);
  if (!isInitialize(body.json))
    return refuse(response, 400, {
      message: 'the Mcp-Session-Id header is missing; send "initialize" first',
    });
  const opened = await sessions.open((fresh) => fresh.handleRequest(request, response, body.json));
  if (!opened)
    refuse(response, 503, {
      message: 'every session is in use; close one with DELETE',
      headers: { 'retry-after': '5' },
    });
}

/**
 * Starts the server.
 * @throws UsageError `port-in-use`, `cannot-listen`.
 */
export async function serveHttp(options: HttpServerOptions): Promise<HttpServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  const sessions = new HttpSessions({
    domain: options.domain,
    createSessionId: options.createSessionId,
    clock: options.clock,
    maxSessions: options.maxSessions ?? DEFAULT_MAX_SESSIONS,
    idleMs: options.idleMs ?? DEFAULT_IDLE_MS,
    version: options.version,
  });
  const handling: Handling = {
    sessions,
    allowedHosts: options.allowedHosts ?? [],
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
  };
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    handle(request, response, handling).catch((error: unknown) =>
      refuse(response, 500, { message: `this is a fault in the server: ${describeError(error)}` }),
    );
  });
  await new Promise<void>((settle, fail) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE';
      const message = isTaken
        ? `port ${port} on ${host} is in use; choose another one, or 0 for any free port`
        : `cannot listen on ${host}:${port} (${cause.message})`;
      fail(
        new UsageError(isTaken ? 'port-in-use' : 'cannot-listen', message, { cause, facts: { host, port } }),
      );
    });
    server.listen(port, host, () => settle());
  });
  const address = server.address() as AddressInfo;
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const stopped = new Promise<void>((settle) => server.close(() => settle()));
    await sessions.closeAll();
    server.closeAllConnections();
    await stopped;
  };
  return {
    url: `http://${shownHost}:${address.port}${PATH}`,
    get sessionCount() {
      return sessions.size;
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
