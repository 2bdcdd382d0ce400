import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { RetailDomain, ToolDefinition } from '../contract.js';

interface ToolAnswer {
  readonly ok: boolean;
  readonly content: string;
}

export interface RetailMcpOptions {
  /** Who carries out the calls: a world session, or an episode that records them. */
  readonly session: {
    call(name: string, args: Readonly<Record<string, unknown>>): ToolAnswer | Promise<ToolAnswer>;
  };
  readonly domain: Pick<RetailDomain, 'tools' | 'policy'>;
  /** Version the server gives on `initialize`. */
  readonly version?: string | undefined;
}

/** Setting the same address again changes nothing; every other write works once or moves money again. */
const IDEMPOTENT = new Set([
  'modify_user_address',
  'modify_pending_order_address',
  'transfer_to_human_agents',
]);

function toMcpTool({ name, title, description, inputSchema, kind, destructive }: ToolDefinition): Tool {
  const changes = kind === 'write' || name === 'transfer_to_human_agents';
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    annotations: {
      title,
      readOnlyHint: !changes,
      destructiveHint: destructive,
      idempotentHint: !changes || IDEMPOTENT.has(name),
      openWorldHint: false,
    },
  };
}

/** Lists are made once for each set of definitions, not once for each session. */
const lists = new WeakMap<readonly ToolDefinition[], { readonly tools: Tool[] }>();

function listFor(definitions: readonly ToolDefinition[]): { readonly tools: Tool[] } {
  const known = lists.get(definitions);
  if (known !== undefined) return known;
  const list = { tools: definitions.map(toMcpTool) };
  lists.set(definitions, list);
  return list;
}

/** Shared, since the SDK otherwise builds a whole Ajv for every server and every client. */
export const SCHEMA_VALIDATOR = new AjvJsonSchemaValidator();

/**
 * An MCP server over one session of the retail world. A refused call, an unknown tool or wrong arguments come back as
 * a result with `isError`, so that the model reads what to do; they are no protocol errors. The policy is the server's
 * `instructions`.
 *
 * The SDK's low-level server is used on purpose: it takes the JSON Schemas as they are, while the high-level one
 * registers each tool anew in every session.
 */
export function createRetailMcpServer({ session, domain, version = '1' }: RetailMcpOptions): Server {
  const server = new Server(
    { name: 'parlor-retail', title: 'Parlor retail world', version },
    { capabilities: { tools: {} }, instructions: domain.policy, jsonSchemaValidator: SCHEMA_VALIDATOR },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => listFor(domain.tools));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const result = await session.call(params.name, params.arguments ?? {});
    return { content: [{ type: 'text', text: result.content }], isError: !result.ok };
  });
  return server;
}
