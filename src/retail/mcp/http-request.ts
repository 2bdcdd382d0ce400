import type { IncomingMessage, ServerResponse } from 'node:http';

/** A JSON-RPC error outside of any call, as the MCP transport sends them. */
export function refuse(
  response: ServerResponse,
  status: number,
  {
    message,
    headers = {},
  }: { readonly message: string; readonly headers?: Readonly<Record<string, string>> },
): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  const code = status === 404 ? -32001 : status === 400 ? -32600 : -32000;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

export type Body = { readonly json: unknown } | { readonly fault: 'too-large' | 'no-json' | 'cut-off' };

/** Reads a body of at most `maxBytes` and parses it; what is over the limit is never kept. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return { fault: 'too-large' };
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop must not destroy the request: its socket still has to carry the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) return { fault: 'too-large' };
      chunks.push(chunk);
    }
  } catch {
    return { fault: 'cut-off' };
  }
  try {
    return { json: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { fault: 'no-json' };
  }
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function hostnameOf(authority: string): string | undefined {
  try {
    return new URL(`http://${authority}`).hostname;
  } catch {
    return undefined;
  }
}

/**
 * Guards against a web page that makes a browser talk to a server of the local network (DNS rebinding): the Host must
 * be one of ours, and a request that comes from a page (it has an Origin) must come from a page of ours.
 */
export function findForeignHeader(
  request: IncomingMessage,
  allowedHosts: readonly string[],
): string | undefined {
  const isOurs = (hostname: string | undefined) =>
    hostname !== undefined && (LOOPBACK.has(hostname) || allowedHosts.includes(hostname));
  if (!isOurs(hostnameOf(request.headers.host ?? ''))) return 'Host';
  const { origin } = request.headers;
  if (origin === undefined) return undefined;
  return isOurs(hostnameOf(origin.replace(/^https?:\/\//, ''))) ? undefined : 'Origin';
}
