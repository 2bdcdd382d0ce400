import type { IncomingMessage } from 'node:http';

/** How the client reached us, e.g. "http://127.0.0.1:8710"; null when it does not say. */
export function originOf({ headers, socket }: IncomingMessage): string | null {
  const { host } = headers;
  if (host === undefined) return null;
  const secure = 'encrypted' in socket && socket.encrypted === true;
  return `${secure ? 'https' : 'http'}://${host}`;
}
