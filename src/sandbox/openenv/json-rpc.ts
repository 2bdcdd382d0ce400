import { z } from 'zod';
import type { EnvTool } from './env-parts.js';
import type { EnvSession } from './env-session.js';
import type { EnvSessions } from './env-sessions.js';
import { EnvFault, parseInput } from './faults.js';

const RPC = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  server: -32000,
};

const requestSchema = z.strictObject({
  jsonrpc: z.literal('2.0'),
  method: z.string().max(200),
  params: z.record(z.string(), z.unknown()).default({}),
  id: z.union([z.string().max(1000), z.number().int()]).nullish(),
});

type Id = string | number | null;
export type RpcReply = Readonly<Record<string, unknown>>;

const success = (id: Id, result: unknown): RpcReply => ({ jsonrpc: '2.0', id, result });
const failure = (id: Id, code: number, message: string, data: unknown = null): RpcReply => ({
  ...{ jsonrpc: '2.0', id, error: { code, message, data } },
});

export const parseErrorReply = (): RpcReply => failure(null, RPC.parse, 'Parse error');

export interface RpcContext {
  readonly sessions: EnvSessions;
  readonly tools: readonly EnvTool[];
  /** The session of the socket that the request came on; null over HTTP. */
  readonly own: EnvSession | null;
  readonly origin: string | null;
}

const callSchema = z.object({
  name: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * OpenEnv's JSON-RPC: `tools/list`, `tools/call`, `openenv/session/create` and `openenv/session/close`. Over HTTP a
 * call names its session as `session_id` in `params`. Never rejects.
 */
export async function answerRpc(value: unknown, context: RpcContext): Promise<RpcReply> {
  let request: z.infer<typeof requestSchema>;
  try {
    request = parseInput(requestSchema, value);
  } catch (error) {
    const faults = error instanceof EnvFault ? JSON.stringify(error.facts.errors) : '';
    return failure(null, RPC.request, `Invalid request: ${faults}`);
  }
  const id = request.id ?? null;
  try {
    return await answer(id, request, context);
  } catch (error) {
    if (!(error instanceof EnvFault)) throw error;
    return failure(id, RPC_CODES[error.code] ?? RPC.internal, error.message, factsOf(error));
  }
}

const RPC_CODES: Readonly<Record<string, number>> = {
  CAPACITY_REACHED: RPC.server,
  FACTORY_ERROR: RPC.server,
  SESSION_ERROR: RPC.params,
  VALIDATION_ERROR: RPC.params,
};

const factsOf = ({ facts }: EnvFault): unknown => (Object.keys(facts).length === 0 ? null : facts);

async function answer(
  id: Id,
  { method, params }: { readonly method: string; readonly params: Readonly<Record<string, unknown>> },
  context: RpcContext,
): Promise<RpcReply> {
  const { sessions, tools, own, origin } = context;
  switch (method) {
    case 'openenv/session/create':
      return success(id, { session_id: (own ?? sessions.create(origin)).id });
    case 'openenv/session/close':
      return closeSession(id, params.session_id, context);
    case 'tools/list':
      sessionOf(params, context);
      return success(id, {
        tools: tools.map(({ name, description, input_schema }) => ({
          ...{ name, description, inputSchema: input_schema },
        })),
      });
    case 'tools/call':
      return callTool(id, params, context);
    default:
      return failure(id, RPC.method, `Method not found: ${method}`);
  }
}

function closeSession(id: Id, wanted: unknown, { sessions, own }: RpcContext): RpcReply {
  if (typeof wanted !== 'string' || wanted === '')
    return failure(id, RPC.params, "Invalid params - 'session_id' is required");
  if (wanted === own?.id)
    return failure(id, RPC.request, 'Cannot close active WebSocket-managed session via MCP method');
  const outcome = sessions.close(wanted);
  if (outcome === null) return failure(id, RPC.params, `Unknown session_id: ${wanted}`);
  return success(
    id,
    outcome === 'closed'
      ? { session_id: wanted, closed: true }
      : { session_id: wanted, closed: false, closing: true },
  );
}

/** @throws EnvFault for an id that no session has */
function sessionOf(
  { session_id: wanted }: Readonly<Record<string, unknown>>,
  { sessions, own }: RpcContext,
): EnvSession | null {
  if (own !== null || wanted === undefined || wanted === null) return own;
  const session = typeof wanted === 'string' ? sessions.use(wanted) : null;
  if (session === null) throw new EnvFault('SESSION_ERROR', `Unknown session_id: ${String(wanted)}`);
  return session;
}

async function callTool(
  id: Id,
  params: Readonly<Record<string, unknown>>,
  context: RpcContext,
): Promise<RpcReply> {
  const session = sessionOf(params, context);
  if (session === null)
    return failure(id, RPC.params, 'give session_id in params; openenv/session/create opens a session');
  const call = parseInput(callSchema, params);
  const { observation } = await session.callTool(call.name, call.arguments ?? {});
  const error = observation.error as { readonly message: string } | null;
  return error === null ? success(id, observation.result) : failure(id, RPC.internal, error.message);
}
