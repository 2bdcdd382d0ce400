import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One exchange as it went over the wire. */
export interface Exchange {
  readonly session: string;
  readonly headers: IncomingHttpHeaders;
  /** The body's own bytes, as text. */
  readonly request: string;
  readonly response: string;
  readonly status: number;
}

export interface RecordingGateway {
  /** The base address of one rollout, up to and with /v1. */
  sessionUrl(session: string): string;
  readonly exchanges: readonly Exchange[];
  of(session: string): Exchange[];
}

/** What a trainer puts before its engine: an address per rollout; everything is passed on as it came, and kept. */
export async function recordingGateway(
  upstream: string,
  rewrite: (text: string, session: string) => string = (text) => text,
): Promise<RecordingGateway> {
  const exchanges: Exchange[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const [, session = '', rest = ''] = /^\/sessions\/([^/]+)\/v1(\/.*)$/.exec(request.url ?? '') ?? [];
    const answer = await fetch(`${upstream}${rest}`, {
      method: request.method ?? 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-session-id': String(request.headers['x-session-id']),
        ...(request.headers.authorization === undefined
          ? {}
          : { authorization: request.headers.authorization }),
      },
    });
    const text = rewrite(await answer.text(), session);
    exchanges.push({
      session,
      headers: request.headers,
      request: body,
      response: text,
      status: answer.status,
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    exchanges,
    sessionUrl: (session) => `http://127.0.0.1:${port}/sessions/${session}/v1`,
    of: (session) => exchanges.filter((exchange) => exchange.session === session),
  };
}

/** An address that answers every request with the same refusal. */
export async function refusingGateway(status: number, body: object): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
