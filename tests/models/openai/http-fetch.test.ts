import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpFetch } from '../../../src/models/openai/http-fetch.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  onConnection: (socket: Socket) => void = () => undefined,
): Promise<string> {
  const server = createServer(answer).on('connection', onConnection);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const post = (body: string, signal?: AbortSignal): RequestInit => ({
  ...{ method: 'POST', body, headers: { 'content-type': 'application/json' } },
  ...(signal === undefined ? {} : { signal }),
});

describe('the http client of the chat client', () => {
  it('sends a body with its length in bytes and reads JSON with other letters', async () => {
    const url = await serve((request, response) => {
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (piece: string) => {
        text += piece;
      });
      request.on('end', () => {
        response.writeHead(201, { 'content-type': 'application/json', 'x-request-id': 'r1' });
        response.end(JSON.stringify({ text, length: request.headers['content-length'] }));
      });
    });
    const response = await createHttpFetch()(url, post('ünï'));
    expect(response.status).toBe(201);
    expect(response.ok).toBe(true);
    expect(response.headers.get('X-Request-Id')).toBe('r1');
    expect(await response.json()).toEqual({ text: 'ünï', length: '5' });
  });

  it('keeps a connection for the next request', async () => {
    let connections = 0;
    const url = await serve(
      (request, response) => {
        request.resume().on('end', () => response.end('yes'));
      },
      () => {
        connections += 1;
      },
    );
    const send = createHttpFetch();
    for (const body of ['a', 'b', 'c']) expect(await (await send(url, post(body))).text()).toBe('yes');
    expect(connections).toBe(1);
  });

  it('sends again at once what a kept connection did not take any more', async () => {
    const requests: string[] = [];
    const url = await serve((request, response) => {
      // The second request of a connection finds it closed, as after a server's idle time.
      requests.push(request.url ?? '');
      request.socket.once('data', () => request.socket.resetAndDestroy());
      request.resume().on('end', () => response.end('yes'));
    });
    const send = createHttpFetch();
    expect(await (await send(`${url}/1`, post('a'))).text()).toBe('yes');
    expect(await (await send(`${url}/2`, post('b'))).text()).toBe('yes');
    expect(requests).toContain('/v1/2');
  });

  it('rejects when a connection goes in the middle of a reply', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.destroy());
      });
    });
    const response = await createHttpFetch()(url, post('a'));
    await expect(response.text()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('is called off before and while a reply comes', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => response.writeHead(200).write('first'));
    });
    const send = createHttpFetch();
    await expect(send(url, post('a', AbortSignal.abort()))).rejects.toMatchObject({ name: 'AbortError' });
    const controller = new AbortController();
    const response = await send(url, post('a', controller.signal));
    const text = response.text();
    controller.abort();
    await expect(text).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('gives a redirect as it is: a POST does not wander', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => response.writeHead(308, { location: '/elsewhere' }).end());
    });
    const response = await createHttpFetch()(url, post('a'));
    expect([response.status, response.ok]).toEqual([308, false]);
  });
});
