import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { HttpError } from '../../../src/sandbox/http/http-error.js';
import { type HttpServerOptions, startHttpServer } from '../../../src/sandbox/http/http-server.js';
import { sendJson } from '../../../src/sandbox/http/respond.js';
import type { HttpRoute } from '../../../src/sandbox/http/route.js';

const route = (parts: Partial<HttpRoute>): HttpRoute => ({
  ...{ method: 'GET', path: '/', auth: 'none' },
  handle: (_request, response, { params, query }) => sendJson(response, { params, q: query.get('q') }),
  ...parts,
});

async function server(parts: Partial<HttpServerOptions> = {}) {
  const faults: string[] = [];
  const refusals: number[] = [];
  const started = await startHttpServer({
    ...{ host: '127.0.0.1', port: 0, routes: [], upgrades: [] },
    admission: { tokens: [], allowedOrigins: [], allowedHosts: [] },
    onFault: (message) => faults.push(message),
    onRefusal: (status) => refusals.push(status),
    ...parts,
  });
  onTestFinished(() => started.close());
  return { ...started, started, faults, refusals, base: `http://127.0.0.1:${started.port}` };
}

/** The status of a request with headers that `fetch` would not send. */
function statusWith(base: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest(base, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('routes', () => {
  it('match exactly, with named parts and a query', async () => {
    const { base } = await server({ routes: [route({ path: '/tasks/:task/runs' })] });
    const found = await fetch(`${base}/tasks/a%20b%2Fc/runs?q=1`);
    expect(await found.json()).toEqual({ params: { task: 'a b/c' }, q: '1' });
    for (const path of ['/tasks//runs', '/tasks/a/runs/', '/tasks/a', '/../tasks/a/runs/x'])
      expect((await fetch(base + path)).status, path).toBe(404);
    expect((await fetch(`${base}/%ff`)).status).toBe(400);
  });

  it('tell which methods they take, and what is a WebSocket', async () => {
    const { base } = await server({
      routes: [route({ path: '/a' }), route({ method: 'DELETE', path: '/a' })],
      upgrades: [{ path: '/ws', auth: 'none', maxPayloadBytes: 10, accept: () => undefined }],
    });
    const wrong = await fetch(`${base}/a`, { method: 'POST', body: 'x' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, DELETE']);
    expect(await wrong.json()).toEqual({ error: 'method_not_allowed', message: 'use GET, DELETE' });
    expect((await fetch(`${base}/a`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${base}/ws`)).status).toBe(426);
  });

  it('answer what they throw as JSON, and tell nothing of a fault but that there is one', async () => {
    const { base, faults } = await server({
      routes: [
        route({
          path: '/known',
          handle: () => Promise.reject(new HttpError(429, 'slower', { 'retry-after': '1' })),
        }),
        route({ path: '/fault', handle: () => Promise.reject(new Error('secret detail')) }),
      ],
    });
    const known = await fetch(`${base}/known`);
    expect([known.status, known.headers.get('retry-after')]).toEqual([429, '1']);
    const fault = await fetch(`${base}/fault`);
    expect(fault.status).toBe(500);
    expect(await fault.text()).not.toContain('secret');
    expect(faults).toEqual(['/fault: secret detail']);
  });

  it('read bodies up to a size, as JSON that fits a schema', async () => {
    const handle: HttpRoute['handle'] = async (_request, response, { readJson }) =>
      sendJson(response, await readJson(z.object({ n: z.number() })));
    const { base } = await server({
      routes: [route({ method: 'POST', path: '/b', handle })],
      limits: { maxBodyBytes: 100 },
    });
    const post = (body: string | ReadableStream) =>
      fetch(`${base}/b`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(await (await post('{"n":3}')).json()).toEqual({ n: 3 });
    expect((await post('{"n":')).status).toBe(400);
    const misfit = await post('{"n":"3"}');
    expect([misfit.status, ((await misfit.json()) as { message: string }).message]).toEqual([
      422,
      expect.stringMatching(/^the body does not fit at n: /),
    ]);
    expect((await post(`"${'x'.repeat(200)}"`)).status).toBe(413);
    // The same without an announced length.
    const chunk = new TextEncoder().encode('x'.repeat(60));
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    expect((await post(endless).catch(() => ({ status: 413 }))).status).toBe(413);
    expect((await post('{"n":4}')).status).toBe(200);
  });
});

describe('who is let in', () => {
  const routes = [route({ path: '/open' }), route({ path: '/closed', auth: 'token' })];

  it('shows one of the tokens where a route asks for it', async () => {
    const { base } = await server({
      routes,
      admission: { tokens: ['one', 'two'], allowedOrigins: [], allowedHosts: [] },
    });
    const status = async (authorization?: string, path = '/closed') =>
      (await fetch(base + path, authorization === undefined ? {} : { headers: { authorization } })).status;
    expect(await Promise.all(['Bearer one', 'bearer two'].map((value) => status(value)))).toEqual([200, 200]);
    const wrong = [undefined, 'Bearer', 'Bearer on', 'Bearer onex', 'Basic one', 'one', 'Bearer one two'];
    for (const value of wrong) expect(await status(value), value).toBe(401);
    expect(await status(undefined, '/open')).toBe(200);
  });

  it('names this server by its address or a name it knows, unless it has a token', async () => {
    const known = await server({
      routes,
      admission: { tokens: [], allowedOrigins: [], allowedHosts: ['parlor.lan'] },
    });
    const status = (host: string) => statusWith(`${known.base}/open`, { host });
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:8710', '10.1.2.3', 'parlor.lan:9', 'PARLOR.lan'])
      expect(await status(host), host).toBe(200);
    for (const host of ['evil.example', 'localhost.evil.example', 'parlor.lan.evil.example', '%', 'a b'])
      expect(await status(host), host).toBe(403);
    const guarded = await server({
      routes,
      admission: { tokens: ['t'], allowedOrigins: [], allowedHosts: [] },
    });
    const headers = { host: 'behind.proxy', authorization: 'Bearer t' };
    expect(await statusWith(`${guarded.base}/closed`, headers)).toBe(200);
  });

  it('comes from an invited web page or from this server, which may then read the answer', async () => {
    const { base, port } = await server({
      routes,
      admission: { tokens: [], allowedOrigins: ['https://good.example'], allowedHosts: [] },
    });
    const ask = (origin: string, method = 'GET') => fetch(`${base}/open`, { method, headers: { origin } });
    const good = await ask('https://good.example');
    expect([good.status, good.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://good.example',
    ]);
    expect((await ask('https://good.example', 'OPTIONS')).status).toBe(204);
    expect((await ask('https://bad.example', 'OPTIONS')).status).toBe(403);
    expect((await ask(`http://127.0.0.1:${port}`)).status).toBe(200);
    for (const origin of [
      'null',
      'https://bad.example',
      `http://127.0.0.1:${port + 1}`,
      'https://good.example.evil',
    ])
      expect((await ask(origin)).status, origin).toBe(403);
  });
});

describe('limits', () => {
  const upgrades = [{ path: '/ws', auth: 'none', maxPayloadBytes: 10, accept: () => undefined }] as const;
  const open = (port: number) =>
    new Promise<number | WebSocket>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
      onTestFinished(() => socket.terminate());
      socket.on('open', () => resolve(socket));
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.on('error', () => undefined);
    });

  it('hold WebSockets down, in all and by address, and give places back', async () => {
    const all = await server({ upgrades, limits: { maxConnections: 1 } });
    const first = await open(all.port);
    expect(await open(all.port)).toBe(503);
    if (typeof first === 'number') throw new Error(`refused with ${first}`);
    const [socket] = all.sockets;
    const gone = new Promise((resolve) => socket?.on('close', resolve));
    first.close();
    await gone;
    expect(await open(all.port)).toBeInstanceOf(WebSocket);
    const each = await server({ upgrades, limits: { maxConnectionsPerAddress: 2 } });
    await Promise.all([open(each.port), open(each.port)]);
    expect(await open(each.port)).toBe(429);
    expect(each.refusals).toEqual([429]);
  });

  it('cut off who sends its head too slowly or not at all', async () => {
    const { port } = await server({ limits: { handshakeTimeoutMs: 50 } });
    for (const start of ['', 'GET /health HTTP/1.1\r\nX-Slow: 1']) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(start);
      let answer = '';
      socket.on('data', (data) => {
        answer += data.toString();
      });
      await new Promise((resolve) => socket.on('close', resolve));
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    }
  });

  it('refuse a head that is too large', async () => {
    const { base } = await server({ routes: [route({ path: '/' })], limits: { maxHeaderBytes: 2_000 } });
    expect((await fetch(base, { headers: { 'x-long': 'a'.repeat(3_000) } })).status).toBe(431);
    expect((await fetch(base, { headers: { 'x-long': 'a'.repeat(500) } })).status).toBe(200);
  });

  it('say in one line what cannot be listened on or spoken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void blocker.close());
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as AddressInfo;
    await expect(server({ port })).rejects.toMatchObject({ code: 'cannot-listen' });
    await expect(server({ tls: { cert: 'no', key: 'pem' } })).rejects.toThrow(/the certificate and key/);
  });
});
