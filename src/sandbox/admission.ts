import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { sha256Hex } from '../shared/index.js';

export const WEBSOCKET_PATH = '/v1';

export interface AdmissionRules {
  readonly token: string | undefined;
  readonly allowedOrigins: readonly string[];
  readonly maxConnections: number;
}

export interface Rejection {
  readonly status: '401 Unauthorized' | '403 Forbidden' | '404 Not Found' | '503 Service Unavailable';
  readonly message: string;
}

function sameSecret(a: string, b: string): boolean {
  // Hashes have one length, so the comparison tells nothing about the secret's.
  return timingSafeEqual(Buffer.from(sha256Hex(a)), Buffer.from(sha256Hex(b)));
}

/** Why a connection is not let in, or null. */
export function reject(
  request: IncomingMessage,
  rules: AdmissionRules,
  connections: number,
): Rejection | null {
  const { origin, authorization } = request.headers;
  if (request.url?.split('?')[0] !== WEBSOCKET_PATH)
    return { status: '404 Not Found', message: `the WebSocket is at ${WEBSOCKET_PATH}` };
  // A web page must not reach a sandbox on its visitor's machine unless it was invited.
  if (origin !== undefined && !rules.allowedOrigins.includes(origin))
    return { status: '403 Forbidden', message: 'this web page may not connect' };
  if (rules.token !== undefined && !sameSecret(authorization ?? '', `Bearer ${rules.token}`))
    return { status: '401 Unauthorized', message: 'send the token as "Authorization: Bearer …"' };
  if (connections >= rules.maxConnections)
    return { status: '503 Service Unavailable', message: `at most ${rules.maxConnections} connections` };
  return null;
}
