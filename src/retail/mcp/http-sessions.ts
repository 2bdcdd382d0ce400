import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Clock } from '../../shared/index.js';
import type { RetailDomain } from '../contract.js';
import { createRetailMcpServer } from './mcp-server.js';

interface HttpSession {
  readonly transport: StreamableHTTPServerTransport;
  usedMs: number;
}

export interface HttpSessionOptions {
  readonly domain: RetailDomain;
  readonly createSessionId: () => string;
  readonly clock: Clock;
  readonly maxSessions: number;
  /** A session unused for so long may be closed to make room for a new one. */
  readonly idleMs: number;
  readonly version?: string | undefined;
}

/**
 * The MCP sessions of one HTTP server, each with a world session of its own. Their number is bounded: when all places
 * are taken, sessions that nobody has used for `idleMs` give theirs up; if there are none, no new one is opened.
 */
export class HttpSessions {
  readonly #options: HttpSessionOptions;
  readonly #sessions = new Map<string, HttpSession>();
  /** Places taken by sessions whose `initialize` is still being answered. */
  #opening = 0;

  constructor(options: HttpSessionOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** The transport of a session, which counts as used now. */
  use(sessionId: string): StreamableHTTPServerTransport | undefined {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return undefined;
    session.usedMs = this.#options.clock.nowMs();
    return session.transport;
  }

  async #makeRoom(): Promise<boolean> {
    const { clock, idleMs, maxSessions } = this.#options;
    const isFull = () => this.#sessions.size + this.#opening >= maxSessions;
    for (const [sessionId, session] of this.#sessions) {
      if (!isFull()) break;
      if (clock.nowMs() - session.usedMs < idleMs) continue;
      this.#sessions.delete(sessionId);
      await session.transport.close();
    }
    return !isFull();
  }

  /**
   * Lets `answer` handle the `initialize` request on a new transport; the session lives on if that went well.
   * @returns false when every place is taken.
   */
  async open(answer: (transport: StreamableHTTPServerTransport) => Promise<void>): Promise<boolean> {
    const { domain, createSessionId, clock, version } = this.#options;
    if (!(await this.#makeRoom())) return false;
    this.#opening += 1;
    try {
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: createSessionId,
        enableJsonResponse: true,
        onsessioninitialized: (sessionId) => {
          this.#sessions.set(sessionId, { transport, usedMs: clock.nowMs() });
        },
      });
      const server = createRetailMcpServer({ session: domain.openSession(), domain, version });
      server.onclose = () => {
        if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      };
      // Its optional callbacks are typed without undefined, which the SDK's own interface does not ask for.
      await server.connect(transport as Parameters<typeof server.connect>[0]);
      await answer(transport);
      if (transport.sessionId === undefined) await transport.close();
    } finally {
      this.#opening -= 1;
    }
    return true;
  }

  async closeAll(): Promise<void> {
    const transports = [...this.#sessions.values()].map((session) => session.transport);
    this.#sessions.clear();
    await Promise.all(transports.map((transport) => transport.close()));
  }
}
