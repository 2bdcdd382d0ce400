import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import type { z } from 'zod';

/**
 * Who may use a route.
 * `none`: everybody who reaches the server. `token`: who sends one of the server's tokens, or everybody when it has none.
 * `episode`: the route looks at `context.bearer` itself, because each episode has a token of its own.
 */
export type RouteAuth = 'none' | 'token' | 'episode';

/** What a route may want to know of a request, and how it answers. */
export interface RouteContext {
  /** The path, percent-decoded, without its query. */
  readonly path: string;
  /** The parts of the path that the route's pattern names, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The token of `Authorization: Bearer …`. */
  readonly bearer: string | undefined;
  /** Who asks, by IP address. */
  readonly address: string;
  /** Aborted when the client is gone before its answer was. */
  readonly signal: AbortSignal;
  /** The body, of at most the server's limit. Rejects with `HttpError`: 413, or 400 when it was cut off. */
  readBody(): Promise<Buffer>;
  /** The body as JSON that fits the schema. Rejects with `HttpError` 413, 400 or 422; its message says where and why. */
  readJson<T>(schema: z.ZodType<T>): Promise<T>;
}

/** One request of HTTP. What it throws becomes a JSON answer: an `HttpError` as it says, anything else 500. */
export interface HttpRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Exact, or with named parts that match up to the next slash: `/v1/audio/:file`. */
  readonly path: string;
  readonly auth: RouteAuth;
  handle(request: IncomingMessage, response: ServerResponse, context: RouteContext): void | Promise<void>;
}

/** Where WebSockets are opened. The socket is open when `accept` gets it. */
export interface UpgradeRoute {
  readonly path: string;
  readonly auth: RouteAuth;
  /** A larger message closes the connection (1009). */
  readonly maxPayloadBytes: number;
  accept(socket: WebSocket, request: IncomingMessage, context: UpgradeContext): void;
}

export type UpgradeContext = Pick<RouteContext, 'path' | 'params' | 'query' | 'bearer' | 'address'>;
