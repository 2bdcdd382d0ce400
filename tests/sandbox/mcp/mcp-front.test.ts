import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHttpServer } from '../../../src/sandbox/http/http-server.js';
import { createMcpFront } from '../../../src/sandbox/mcp/mcp-front.js';
import { smallDomain } from '../helpers/small-domain.js';

/** The front alone on a port, with one episode that notes its calls. */
async function mcpServer() {
  let tokens = 0;
  const front = createMcpFront({
    ...{ domain: smallDomain(), version: '9', origin: () => `http://127.0.0.1:${server.port}` },
    createToken: () => {
      tokens += 1;
      return `token-${tokens}`;
    },
  });
  const server = await startHttpServer({
    ...{ host: '127.0.0.1', port: 0, routes: front.routes, upgrades: [] },
    admission: { tokens: ['server-token'], allowedOrigins: [], allowedHosts: [] },
    limits: { maxBodyBytes: 10_000 },
    onFault: (message) => expect.fail(message),
  });
  onTestFinished(() => server.close());
  const calls: unknown[] = [];
  const binding = front.bind(
    {
      callTool: async (call) => {
        calls.push(call);
        return call.name === 'calculate' ? { ok: true, content: '4' } : { ok: false, content: 'Error: no' };
      },
    },
    'episode-1',
  );
  return { front, server, binding, calls };
}

async function sdkClient(url: string, token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  onTestFinished(() => client.close());
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...headers,
    },
    body,
  });

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

describe('MCP over Streamable HTTP', () => {
  it("gives the SDK's client the policy, the tools and the answers of its episode", async () => {
    const { binding, calls } = await mcpServer();
    const client = await sdkClient(binding.url, binding.token);
    expect(client.getServerVersion()).toMatchObject({ name: 'parlor-retail', version: '9' });
    expect(client.getInstructions()).toBe('Be kind.');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('cancel_pending_order');
    expect(await client.callTool({ name: 'calculate', arguments: { expression: '2 + 2' } })).toEqual({
      ...{ content: [{ type: 'text', text: '4' }], isError: false },
    });
    expect(await client.callTool({ name: 'nonsense' })).toMatchObject({ isError: true });
    expect(calls).toEqual([
      { callId: 'mcp-1', name: 'calculate', arguments: { expression: '2 + 2' } },
      { callId: 'mcp-2', name: 'nonsense', arguments: {} },
    ]);
  });

  it("opens for the token of a running episode and for no other, the server's own included", async () => {
    const { front, binding } = await mcpServer();
    const other = front.bind({ callTool: async () => ({ ok: true, content: 'other' }) }, 'episode-2');
    for (const token of ['', 'server-token', `${binding.token}x`])
      expect((await post(binding.url, list, { authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await post(binding.url, list)).status).toBe(401);
    const client = await sdkClient(other.url, other.token);
    expect(await client.callTool({ name: 'calculate' })).toMatchObject({ content: [{ text: 'other' }] });
    binding.close();
    expect((await post(binding.url, list, { authorization: `Bearer ${binding.token}` })).status).toBe(401);
    expect((await post(other.url, list, { authorization: `Bearer ${other.token}` })).status).toBe(200);
  });

  it('turns away web pages that were not invited', async () => {
    const { binding } = await mcpServer();
    const headers = { authorization: `Bearer ${binding.token}`, origin: 'https://evil.example' };
    expect((await post(binding.url, list, headers)).status).toBe(403);
  });

  it('answers rubbish with an error each and goes on', async () => {
    const { binding } = await mcpServer();
    const headers = { authorization: `Bearer ${binding.token}` };
    const bodies = [
      '',
      'rubbish',
      '[]',
      '{}',
      'null',
      '{"jsonrpc":"2.0","id":1,"method":"nonsense"}',
      '[[[[[',
    ];
    for (const body of bodies) {
      const answer = await post(binding.url, body, headers);
      expect({ body, status: answer.status < 500 }).toEqual({ body, status: true });
      // An empty batch asks for nothing and is told nothing.
      if (body !== '[]') expect(await answer.json()).toMatchObject({ jsonrpc: '2.0' });
    }
    expect((await post(binding.url, `"${'x'.repeat(20_000)}"`, headers)).status).toBe(413);
    for (const method of ['GET', 'DELETE', 'PUT'])
      expect((await fetch(binding.url, { method, headers })).status).toBe(405);
    expect((await post(binding.url, list, headers)).status).toBe(200);
  });

  it('answers many at once, each with its own', async () => {
    const { binding } = await mcpServer();
    const client = await sdkClient(binding.url, binding.token);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        client.callTool({ name: 'calculate', arguments: { expression: '1' } }),
      ),
    );
    expect(answers).toHaveLength(40);
    for (const answer of answers) expect(answer).toMatchObject({ isError: false });
  });
});
