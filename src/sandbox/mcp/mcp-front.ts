import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createRetailMcpServer, type RetailDomain } from '../../retail/index.js';
import type { McpBinding } from '../episode-factory.js';
import type { Front } from '../front.js';
import { sendJson } from '../http/respond.js';
import type { HttpRoute } from '../http/route.js';
import { type Binding, type BoundEpisode, EpisodeBindings } from './bindings.js';

export interface McpFrontOptions {
  readonly domain: Pick<RetailDomain, 'tools' | 'policy'>;
  readonly createToken: () => string;
  /** Where agents reach this server, e.g. "http://127.0.0.1:8710"; asked when an episode begins. */
  readonly origin: () => string;
  readonly version: string;
}

export interface McpFront extends Front {
  /** Lets the agent of an episode call its tools over MCP. */
  bind(target: BoundEpisode, episode: string): McpBinding;
}

const PATH = '/v1/mcp';
/** Requests at once: each has an MCP server of its own, which costs memory. */
const MAX_REQUESTS = 256;

const rpcError = (message: string) => ({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });

/**
 * The tools of a running episode over MCP's Streamable HTTP, for agents that bring their own loop (docs/mcp.md). The
 * episode is found by the bearer token of each request, so the endpoint keeps no sessions of its own: there is nothing
 * to expire, to fill up or to guess but the token. Calls are turns of the episode, recorded and counted like any other.
 */
export function createMcpFront({ domain, createToken, origin, version }: McpFrontOptions): McpFront {
  const bindings = new EpisodeBindings(createToken);
  let running = 0;

  async function serve(binding: Binding, ...[request, response, context]: Parameters<HttpRoute['handle']>) {
    const body = await context.readBody();
    let message: unknown;
    try {
      message = JSON.parse(body.toString('utf8'));
    } catch {
      const error = { code: -32700, message: 'the body is no JSON; expected one JSON-RPC message' };
      return sendJson(response, { jsonrpc: '2.0', error, id: null }, { status: 400 });
    }
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = createRetailMcpServer({ session: binding, domain, version });
    response.once('close', () => void server.close());
    // Its optional callbacks are typed without undefined, which the SDK's own interface does not ask for.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, message);
  }

  const post: HttpRoute = {
    ...{ method: 'POST', path: PATH, auth: 'episode' },
    handle: async (request, response, context) => {
      const binding = bindings.find(context.bearer);
      if (binding === null)
        return sendJson(
          response,
          rpcError(
            'send the token of a running episode, from its episode.ready, as "Authorization: Bearer …"',
          ),
          { status: 401, headers: { 'www-authenticate': 'Bearer' } },
        );
      if (running >= MAX_REQUESTS)
        return sendJson(response, rpcError(`at most ${MAX_REQUESTS} requests at once`), {
          ...{ status: 503, headers: { 'retry-after': '1' } },
        });
      running += 1;
      try {
        await serve(binding, request, response, context);
      } finally {
        running -= 1;
      }
    },
  };

  return {
    // No GET and no DELETE: the server starts nothing by itself and there is no session to end. Clients take 405 for that.
    ...{ routes: [post], upgrades: [] },
    running: () => [],
    shutDown: async () => undefined,
    bind: (target, episode) => ({ url: `${origin()}${PATH}`, ...bindings.bind(target, episode) }),
  };
}
