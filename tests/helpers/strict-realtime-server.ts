import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { ResponseFault } from './strict-realtime-response.js';
import { parseClientEvent, type RealtimeDialect, RealtimeRefusal } from './strict-realtime-rules.js';
import {
  type RealtimeRequest,
  StrictRealtimeSession,
  type StrictSessionParts,
} from './strict-realtime-session.js';

export interface StrictRealtimeOptions {
  /** Default `openai`. */
  readonly dialect?: RealtimeDialect;
  /** The model: what it says and calls; it may take its time. */
  readonly policy: StrictSessionParts['policy'];
  readonly apiKey?: string;
  /** Default `gpt-realtime`. */
  readonly model?: string;
  readonly fault?: (request: RealtimeRequest) => ResponseFault | null;
  /** False: the connection is accepted and nothing ever said. */
  readonly greets?: (connection: number) => boolean;
  /** Nothing more comes on a connection for a fault's sake, and the client has read all that came. */
  readonly onSilent?: () => void;
}

export interface SeenClientEvent {
  readonly connection: number;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface StrictRealtimeServer {
  /** ws://127.0.0.1:port/v1/realtime */
  readonly url: string;
  /** Everything that clients sent, in order. */
  readonly seen: readonly SeenClientEvent[];
  /** Code and message of everything refused, in order. */
  readonly refusals: readonly string[];
  /** One for each connection, in order. */
  readonly sessions: readonly StrictRealtimeSession[];
  close(): Promise<void>;
}

const MAX_EVENT_BYTES = 32 * 1024 * 1024;

/**
 * A realtime server as strict as the real ones: it refuses what they refuse, and has a scripted policy for a model. Its rules
 * come from published types and field reports, not from their code; where only DashScope's names are known, OpenAI's meaning is taken.
 */
export async function startStrictRealtimeServer(
  options: StrictRealtimeOptions,
): Promise<StrictRealtimeServer> {
  const { dialect = 'openai', model = 'gpt-realtime', apiKey } = options;
  const seen: SeenClientEvent[] = [];
  const refusals: string[] = [];
  const sessions: StrictRealtimeSession[] = [];
  let connections = 0;
  let responses = 0;

  const http = createServer((_request, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_EVENT_BYTES,
    perMessageDeflate: false,
  });
  http.on('upgrade', (request, socket, head) => {
    const refuse = (status: string): void =>
      void socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`);
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname !== '/v1/realtime') return refuse('404 Not Found');
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`)
      return refuse('401 Unauthorized');
    sockets.handleUpgrade(request, socket, head, (ws) => sockets.emit('connection', ws, request));
  });

  sockets.on('connection', (ws, request) => {
    const connection = connections++;
    const send = (text: string): void => {
      if (ws.readyState === ws.OPEN) ws.send(text);
    };
    const sendError = (refusal: RealtimeRefusal, eventId: unknown): void => {
      refusals.push(`${refusal.code}: ${refusal.message}`);
      const { code, message, param } = refusal;
      send(
        JSON.stringify({
          type: 'error',
          event_id: `event_error_${refusals.length}`,
          error: {
            type: 'invalid_request_error',
            code,
            message,
            param,
            event_id: typeof eventId === 'string' ? eventId : null,
          },
        }),
      );
    };
    const fallSilent = (): void => {
      ws.once('pong', () => options.onSilent?.());
      ws.ping();
    };
    if (options.greets?.(connection) === false) return fallSilent();
    const asked = new URL(request.url ?? '', 'http://localhost').searchParams.get('model');
    if (asked !== model) {
      sendError(
        new RealtimeRefusal(
          'model_not_found',
          `The model \`${asked}\` does not exist or you do not have access to it.`,
        ),
        null,
      );
      ws.close(4004, 'model_not_found');
      return;
    }
    const session = new StrictRealtimeSession({
      ...{ dialect, model, connection, policy: options.policy, send },
      fault: (made) => options.fault?.(made) ?? null,
      ...{ nextResponse: () => responses++, fallSilent },
      cut: (code, reason) => (code === undefined ? ws.terminate() : ws.close(code, reason)),
    });
    sessions.push(session);
    ws.on('message', (data: Buffer, isBinary) => {
      let eventId: unknown;
      try {
        if (isBinary) throw new RealtimeRefusal('invalid_json', 'Binary frames are not supported.');
        const text = data.toString('utf8');
        try {
          const body = JSON.parse(text) as Record<string, unknown>;
          eventId = body.event_id;
          seen.push({ connection, type: String(body.type), body });
        } catch {}
        session.take(parseClientEvent(text, dialect));
      } catch (error) {
        if (!(error instanceof RealtimeRefusal)) throw error;
        sendError(error, eventId);
      }
    });
  });

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/v1/realtime`,
    ...{ seen, refusals, sessions },
    close: async () => {
      for (const ws of sockets.clients) ws.terminate();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
