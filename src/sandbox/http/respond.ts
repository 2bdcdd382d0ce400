import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody, HttpError } from './http-error.js';

export interface Reply {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Answers with JSON and a line feed. */
export function sendJson(response: ServerResponse, body: unknown, reply: Reply = {}): void {
  sendBytes(response, `${JSON.stringify(body)}\n`, {
    ...reply,
    headers: { 'content-type': 'application/json; charset=utf-8', ...reply.headers },
  });
}

/** Answers with a whole body; `headers` names its type. */
export function sendBytes(response: ServerResponse, body: string | Uint8Array, reply: Reply = {}): void {
  response.writeHead(reply.status ?? 200, {
    'content-length': Buffer.byteLength(body),
    // A browser must take an answer for what it is called, and keep none that may be somebody else's.
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...reply.headers,
  });
  response.end(body);
}

/** Answers with an error, if there is still somebody to answer; an error amid the answer breaks the connection off. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: HttpError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // What is left of a body that nobody reads would be taken for the next request.
  const unread = !request.complete;
  sendJson(response, errorBody(error.status, error.message), {
    status: error.status,
    headers: { ...error.headers, ...(unread ? { connection: 'close' } : {}) },
  });
  if (unread) request.resume();
}

/** Answers a request for a WebSocket that is not granted. */
export function refuseUpgrade(stream: Duplex, { status, message, headers }: HttpError): void {
  const body = `${JSON.stringify(errorBody(status, message))}\n`;
  const lines = Object.entries({
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}

/** What a thrown value means to the client; only an `HttpError` tells anything. */
export function toHttpError(error: unknown): HttpError {
  return error instanceof HttpError ? error : new HttpError(500, 'a fault in the sandbox; its log says more');
}
