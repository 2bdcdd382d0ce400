import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

/** A reply with the token ids and log-probabilities of a full context stays far below. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

interface Pool {
  readonly request: typeof requestHttp;
  readonly agent: HttpAgent;
}

/** Reads to the end; a connection that goes before it rejects. */
function collect(message: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_REPLY_BYTES)
        message.destroy(new RangeError(`the reply is longer than ${MAX_REPLY_BYTES} bytes`));
    });
    message.once('end', () => resolve(Buffer.concat(chunks, bytes).toString('utf8')));
    message.once('error', reject);
  });
}

/** As much of a `Response` as the client library reads. */
class HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly headers = new Headers();
  /** Streams are iterated over. */
  readonly body: IncomingMessage;
  readonly url: string;

  constructor(message: IncomingMessage, url: string) {
    this.status = message.statusCode ?? 0;
    this.statusText = message.statusMessage ?? '';
    this.ok = this.status >= 200 && this.status < 300;
    for (const [name, value] of Object.entries(message.headers))
      if (typeof value === 'string') this.headers.set(name, value);
    this.body = message;
    this.url = url;
  }

  text(): Promise<string> {
    return collect(this.body);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

/**
 * `fetch` for the client library over Node's own http client, with connections that are kept. The platform's fetch is built of
 * web streams and spends most of a short request's processor time on them. It does what a chat client needs and no more: text
 * bodies, no compression, no cookies; a redirect is an answer, since a POST must not wander.
 */
export function createHttpFetch(): typeof fetch {
  const pools = new Map<string, Pool>();
  const poolOf = (protocol: string): Pool => {
    const known = pools.get(protocol);
    if (known !== undefined) return known;
    const options = { keepAlive: true, scheduling: 'lifo' } as const;
    const pool: Pool =
      protocol === 'https:'
        ? { request: requestHttps, agent: new HttpsAgent(options) }
        : { request: requestHttp, agent: new HttpAgent(options) };
    pools.set(protocol, pool);
    return pool;
  };

  function send(url: URL, init: RequestInit): Promise<HttpResponse> {
    const { request, agent } = poolOf(url.protocol);
    const { signal, body = null } = init;
    const headers: Record<string, string> = {};
    for (const [name, value] of new Headers(init.headers)) headers[name] = value;
    if (body !== null && typeof body !== 'string') throw new TypeError('only text bodies are sent');
    if (body !== null) headers['content-length'] = String(Buffer.byteLength(body));
    return new Promise((resolve, reject) => {
      const asked = request(url, { method: init.method ?? 'GET', headers, agent });
      let response: IncomingMessage | null = null;
      const callOff = (): void => {
        asked.destroy(new DOMException('the request was called off', 'AbortError'));
        response?.destroy(new DOMException('the request was called off', 'AbortError'));
      };
      asked.once('response', (message) => {
        response = message;
        resolve(new HttpResponse(message, url.href));
      });
      asked.on('error', (error: NodeJS.ErrnoException) => {
        // The server had closed a kept connection just before it was used again: nobody has read the request.
        if (
          asked.reusedSocket &&
          error.code === 'ECONNRESET' &&
          response === null &&
          signal?.aborted !== true
        )
          send(url, init).then(resolve, reject);
        else reject(error);
      });
      asked.once('close', () => signal?.removeEventListener('abort', callOff));
      if (signal?.aborted === true) callOff();
      else signal?.addEventListener('abort', callOff, { once: true });
      asked.end(body ?? undefined);
    });
  }

  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    return (await send(url, init)) as unknown as Response;
  };
}
