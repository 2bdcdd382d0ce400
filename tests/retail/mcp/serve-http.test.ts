import { request as httpRequest } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveHttp } from '../../../src/retail/index.js';
import { createManualClock, UsageError } from '../../../src/shared/index.js';
import { smallDomain } from '../../helpers/small-retail-world.js';
import { callEveryTool } from './every-tool.js';

const domain = smallDomain('parlor');

async function start(options: Partial<Parameters<typeof serveHttp>[0]> = {}) {
  let next = 0;
  const clock = createManualClock();
  const server = await serveHttp({
    domain,
    clock,
    createSessionId: () => {
      next += 1;
      return `session-${next}`;
    },
    ...options,
  });
  onTestFinished(() => server.close());
  return { server, clock };
}

async function connect(url: string) {
  const transport = new StreamableHTTPClientTransport(new URL(url));
  const client = new Client({ name: 'test', version: '1' });
  // The SDK types optional callbacks without undefined.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  onTestFinished(() => client.close());
  return { client, transport };
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** fetch does not let a test set Host. */
function statusWithHeaders(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((settle, fail) => {
    const request = httpRequest(url, { method: 'POST', headers: { ...json, ...headers } }, (response) => {
      response.resume();
      settle(response.statusCode);
    });
    request.on('error', fail);
    request.end(JSON.stringify(initialize));
  });
}

describe('MCP over Streamable HTTP', () => {
  it("lets the SDK's own client list and call every tool", async () => {
    const { server } = await start();
    const { client } = await connect(server.url);
    expect((await client.listTools()).tools).toHaveLength(17);
    expect(await callEveryTool(client)).toEqual([]);
  });

  it('gives each session a world of its own', async () => {
    const { server } = await start();
    const one = await connect(server.url);
    const two = await connect(server.url);
    await one.client.callTool({
      name: 'cancel_pending_order',
      arguments: { order_id: '#W0000001', reason: 'no longer needed' },
    });
    const statusIn = async ({ client }: typeof one) => {
      const result = await client.callTool({
        name: 'get_order_details',
        arguments: { order_id: '#W0000001' },
      });
      return (JSON.parse((result.content as { text: string }[])[0]?.text ?? '') as { status: string }).status;
    };
    expect([await statusIn(one), await statusIn(two)]).toEqual(['cancelled', 'pending']);
    expect(server.sessionCount).toBe(2);
  });

  it('forgets a session on DELETE and refuses it from then on', async () => {
    const { server } = await start();
    const { transport } = await connect(server.url);
    const sessionId = transport.sessionId ?? '';
    await transport.terminateSession();
    expect(server.sessionCount).toBe(0);
    const late = await post(
      server.url,
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { 'mcp-session-id': sessionId },
    );
    expect(late.status).toBe(404);
  });

  it('opens no more sessions than it may, until one is closed or long unused', async () => {
    const { server, clock } = await start({ maxSessions: 2, idleMs: 1000 });
    const first = await post(server.url, initialize);
    expect(first).toMatchObject({ status: 200 });
    clock.advance(600);
    expect((await post(server.url, initialize)).status).toBe(200);
    const refused = await post(server.url, initialize);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    clock.advance(600);
    expect((await post(server.url, initialize)).status).toBe(200);
    expect(server.sessionCount).toBe(2);
    const old = await post(
      server.url,
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { 'mcp-session-id': 'session-1' },
    );
    expect(old.status).toBe(404);
  });

  it('answers rubbish with a status and a JSON-RPC error, and goes on', async () => {
    const { server } = await start({ maxBodyBytes: 2000 });
    const cases: [unknown, Record<string, string>, number][] = [
      ['{"jsonrpc": ', {}, 400],
      ['', {}, 400],
      [[], {}, 400],
      [7, {}, 400],
      [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, 400],
      [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'mcp-session-id': 'nobody' }, 404],
      [{ ...initialize, params: 'x'.repeat(3000) }, {}, 413],
      [{ ...initialize, params: 7 }, {}, 400],
    ];
    for (const [body, headers, status] of cases) {
      const answer = await post(server.url, body, headers);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        status,
        expect.objectContaining({ jsonrpc: '2.0', error: expect.anything() }),
      ]);
    }
    expect(server.sessionCount).toBe(0);
    const { status } = await post(server.url, initialize);
    expect(status).toBe(200);
    const sessionId = { 'mcp-session-id': 'session-1' };
    expect((await post(server.url, { hello: 1 }, sessionId)).status).toBe(400);
    expect((await fetch(server.url)).status).toBe(400);
    expect((await fetch(server.url, { method: 'PUT' })).status).toBe(405);
    expect((await fetch(server.url.replace('/mcp', '/admin'))).status).toBe(404);
  });

  it('stops reading a body without a length that grows too large', async () => {
    const { server } = await start({ maxBodyBytes: 1000 });
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let part = 0; part < 20; part += 1) controller.enqueue(new Uint8Array(500));
        controller.close();
      },
    });
    const response = await fetch(server.url, {
      method: 'POST',
      headers: json,
      body: endless,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    await response.text();
  });

  it('survives a client that goes away in the middle of a body', async () => {
    const { server } = await start();
    const { port, hostname } = new URL(server.url);
    await new Promise<void>((settle) => {
      const socket = connectSocket(Number(port), hostname, () => {
        socket.write(`POST /mcp HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 100\r\n\r\n{"json`, () =>
          socket.destroy(),
        );
      });
      socket.on('close', () => settle());
    });
    expect((await post(server.url, initialize)).status).toBe(200);
  });

  it('answers to loopback names and to those it was given, and to no web page from elsewhere', async () => {
    const { server } = await start({ allowedHosts: ['voice.example'] });
    const status = (headers: Record<string, string>) => statusWithHeaders(server.url, headers);
    expect(await status({ host: 'localhost:8000' })).toBe(200);
    expect(await status({ host: 'voice.example' })).toBe(200);
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ host: 'localhost.evil.example' })).toBe(403);
    expect(await status({ origin: 'http://localhost:5173' })).toBe(200);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ origin: 'null' })).toBe(403);
  });

  it('says that a port is taken', async () => {
    const { server } = await start();
    const port = Number(new URL(server.url).port);
    const error: unknown = await start({ port }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ code: 'port-in-use', message: expect.stringContaining(String(port)) });
  });

  it('closes twice, with a client still connected', async () => {
    const { server } = await start();
    await connect(server.url);
    await server.close();
    await server.close();
    expect(server.sessionCount).toBe(0);
    await expect(post(server.url, initialize)).rejects.toThrow();
  });
});
