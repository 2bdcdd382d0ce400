import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createRetailMcpServer, type RetailMcpOptions, SCHEMA_VALIDATOR } from './mcp-server.js';

/** A client and a server of one episode, joined in memory: the whole protocol runs, but no socket. */
export interface McpConnection {
  /** Names of the tools the server offers. */
  listTools(): Promise<readonly string[]>;
  /** What the model reads; a refused call is `ok: false`. Rejects only when the connection itself is broken. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<{ ok: boolean; content: string }>;
  /** Safe twice. */
  close(): Promise<void>;
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: { type?: unknown; text?: unknown }) => (typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}

export async function connectInMemory(options: RetailMcpOptions): Promise<McpConnection> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = createRetailMcpServer(options);
  const client = new Client(
    { name: 'parlor-sandbox', version: '1' },
    { jsonSchemaValidator: SCHEMA_VALIDATOR },
  );
  await server.connect(serverSide);
  await client.connect(clientSide);
  return {
    listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, args) => {
      const result = await client.callTool({ name, arguments: { ...args } });
      return { ok: result.isError !== true, content: textOf(result.content) };
    },
    close: () => client.close(),
  };
}
