import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeError } from '../../shared/index.js';
import { type AdmissionRules, bearerOf, refuseEntry } from './admission.js';
import { clientAddress } from './client-address.js';
import { HttpError } from './http-error.js';
import { matchPath } from './path-pattern.js';
import { parseJsonBody, readRequestBody } from './request-body.js';
import { sendError, toHttpError } from './respond.js';
import type { HttpRoute, RouteContext, UpgradeContext, UpgradeRoute } from './route.js';

export interface RouterOptions {
  readonly routes: readonly HttpRoute[];
  readonly upgrades: readonly UpgradeRoute[];
  readonly admission: AdmissionRules;
  readonly maxBodyBytes: number;
  /** A route threw something that is no `HttpError`. */
  readonly onFault: (message: string) => void;
  /** An answer is out: which pattern, and with what status. */
  readonly onAnswer?: ((answer: HttpAnswer) => void) | undefined;
}

export interface HttpAnswer {
  readonly method: string;
  /** The pattern, not the path: few, whatever clients ask for. `unknown` where no route has it. */
  readonly route: string;
  readonly status: number;
}

interface Match<T> {
  readonly route: T;
  readonly params: Record<string, string>;
}

interface Target {
  /** Percent-decoded one by one, so that an encoded slash stays within its part. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/** Where a request goes. A path that cannot be decoded is nobody's. */
function readTarget(request: IncomingMessage): Target | null {
  const [path = '', ...rest] = (request.url ?? '').split('?');
  try {
    return { parts: path.split('/').map(decodeURIComponent), query: new URLSearchParams(rest.join('?')) };
  } catch {
    return null;
  }
}

function findAll<T extends { readonly path: string }>(routes: readonly T[], { parts }: Target): Match<T>[] {
  return routes.flatMap((route) => {
    const params = matchPath(route.path, parts);
    return params === null ? [] : [{ route, params }];
  });
}

/** Finds the route of a request and holds what every route needs: admission, bodies, errors as JSON. */
export class Router {
  readonly #options: RouterOptions;

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let route = 'unknown';
    response.once('close', () =>
      this.#options.onAnswer?.({ method: request.method ?? '', route, status: response.statusCode }),
    );
    try {
      this.#allowOrigin(request, response);
      if (request.method === 'OPTIONS') return void this.#preflight(request, response);
      const found = this.#find(request);
      route = found.route.path;
      const refusal = refuseEntry(request, found.route.auth, this.#options.admission);
      if (refusal !== null) throw refusal;
      const context = this.#contextOf(request, response, found.params);
      await found.route.handle(request, response, context);
    } catch (error) {
      if (!(error instanceof HttpError)) this.#options.onFault(`${route}: ${describeError(error)}`);
      sendError(request, response, toHttpError(error));
    }
  }

  /** @throws HttpError when the socket is not to be opened. */
  findUpgrade(request: IncomingMessage): { readonly route: UpgradeRoute; readonly context: UpgradeContext } {
    const target = readTarget(request);
    const [match] = target === null ? [] : findAll(this.#options.upgrades, target);
    if (target === null || match === undefined) throw new HttpError(404, this.#whatIsHere());
    const refusal = refuseEntry(request, match.route.auth, this.#options.admission);
    if (refusal !== null) throw refusal;
    return { route: match.route, context: { ...this.#facts(request, target), params: match.params } };
  }

  #find(request: IncomingMessage): Match<HttpRoute> {
    const target = readTarget(request);
    if (target === null) throw new HttpError(400, 'the path is not percent-encoded UTF-8');
    const matches = findAll(this.#options.routes, target);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const match = matches.find(({ route }) => route.method === method);
    if (match !== undefined) return match;
    if (matches.length > 0) {
      const allow = matches.map(({ route }) => route.method).join(', ');
      throw new HttpError(405, `use ${allow}`, { allow });
    }
    if (findAll(this.#options.upgrades, target).length > 0)
      throw new HttpError(426, 'this is a WebSocket', { upgrade: 'websocket' });
    throw new HttpError(404, this.#whatIsHere());
  }

  #whatIsHere(): string {
    const sockets = this.#options.upgrades.map(({ path }) => path).join(', ');
    return `nothing here; GET /health, or a WebSocket at ${sockets}`;
  }

  #facts(request: IncomingMessage, { parts, query }: Target) {
    return {
      path: parts.join('/'),
      query,
      bearer: bearerOf(request),
      address: clientAddress(request.socket.remoteAddress),
    };
  }

  #contextOf(
    request: IncomingMessage,
    response: ServerResponse,
    params: Readonly<Record<string, string>>,
  ): RouteContext {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const readBody = () => readRequestBody(request, this.#options.maxBodyBytes);
    const target = readTarget(request) ?? { parts: [], query: new URLSearchParams() };
    return {
      ...{ ...this.#facts(request, target), params, signal: gone.signal, readBody },
      readJson: async (schema) => parseJsonBody(await readBody(), schema),
    };
  }

  /** An invited web page may read what it gets. */
  #allowOrigin({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
    if (origin === undefined || !this.#options.admission.allowedOrigins.includes(origin)) return;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'mcp-session-id');
    response.setHeader('vary', 'origin');
  }

  /** A browser's question before it sends a request with a token or a JSON body. */
  #preflight(request: IncomingMessage, response: ServerResponse): void {
    const refusal = refuseEntry(request, 'none', this.#options.admission);
    if (refusal !== null) throw refusal;
    response.writeHead(204, {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
      'access-control-max-age': '600',
    });
    response.end();
  }
}
