import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { CLOSE_CODES } from '../../protocol/index.js';
import type { UpgradeRoute } from '../http/route.js';
import { MAX_PAYLOAD_BYTES } from '../options.js';
import type { EnvParts } from './env-parts.js';
import type { EnvSession } from './env-session.js';
import type { EnvSessions } from './env-sessions.js';
import { serveDialogue } from './env-socket.js';
import { EnvFault } from './faults.js';
import { answerRpc, parseErrorReply } from './json-rpc.js';
import { originOf } from './origin.js';
import { answerFrame, errorFrame } from './ws-frames.js';

interface Shared {
  readonly parts: EnvParts;
  readonly sessions: EnvSessions;
}

/** Gets the socket its session, or tells it why not and closes. */
function enter(
  socket: WebSocket,
  take: () => EnvSession,
  refusal: (error: EnvFault) => unknown,
): EnvSession | null {
  try {
    return take();
  } catch (error) {
    if (!(error instanceof EnvFault)) throw error;
    socket.on('error', () => undefined);
    socket.send(JSON.stringify(refusal(error)));
    socket.close(CLOSE_CODES.normal);
    return null;
  }
}

/** An unasked frame would be taken for the answer to the next request, so the close code alone tells. */
const reap = (socket: WebSocket) => () =>
  socket.close(CLOSE_CODES.refused, 'the session was idle for too long');

function takeOwn(sessions: EnvSessions, socket: WebSocket, request: IncomingMessage): EnvSession {
  const session = sessions.create(originOf(request));
  socket.once('close', () => sessions.remove(session.id));
  return sessions.hold(session.id, reap(socket));
}

/** `/ws`: an environment for the socket, or with `?session_id=` one that was opened over HTTP. */
function acceptWs({ parts, sessions }: Shared): UpgradeRoute['accept'] {
  return (socket, request, { query }) => {
    const wanted = query.get('session_id');
    const take = () => {
      if (wanted === null || wanted === '') return takeOwn(sessions, socket, request);
      const session = sessions.hold(wanted, reap(socket));
      socket.once('close', () => sessions.release(wanted));
      return session;
    };
    const session = enter(socket, take, errorFrame);
    if (session === null) return;
    serveDialogue(socket, {
      answer: (text) => {
        sessions.use(session.id);
        return answerFrame(text, { session, sessions, parts });
      },
      faultReply: errorFrame,
      onFault: (error) => parts.onFault('an OpenEnv socket failed', error),
    });
  };
}

const rpcFault = (error: EnvFault) => ({
  ...{ jsonrpc: '2.0', id: null, error: { code: -32000, message: error.message, data: error.facts } },
});

/** WebSocket `/mcp`: bare JSON-RPC on an environment of the socket's own. */
function acceptMcp({ parts, sessions }: Shared): UpgradeRoute['accept'] {
  return (socket, request) => {
    const own = enter(socket, () => takeOwn(sessions, socket, request), rpcFault);
    if (own === null) return;
    const context = { sessions, tools: parts.tools, own, origin: originOf(request) };
    serveDialogue(socket, {
      answer: async (text) => {
        sessions.use(own.id);
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          return parseErrorReply();
        }
        return answerRpc(value, context);
      },
      faultReply: rpcFault,
      onFault: (error) => parts.onFault('an MCP socket failed', error),
    });
  };
}

export function socketRoutes(shared: Shared): UpgradeRoute[] {
  const common = { auth: 'token', maxPayloadBytes: MAX_PAYLOAD_BYTES } as const;
  return [
    { ...common, path: '/ws', accept: acceptWs(shared) },
    { ...common, path: '/mcp', accept: acceptMcp(shared) },
  ];
}
