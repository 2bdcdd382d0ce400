import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, it } from 'vitest';
import { connectInMemory, createRetailMcpServer } from '../../../src/retail/index.js';
import { smallDomain } from '../../helpers/small-retail-world.js';
import { callEveryTool, EVERY_TOOL } from './every-tool.js';

const domain = smallDomain('parlor');

async function connect() {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const session = domain.openSession();
  await createRetailMcpServer({ session, domain, version: '9.9.9' }).connect(serverSide);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(clientSide);
  return { client, session };
}

describe('the MCP server of the retail world', () => {
  it("lists all seventeen tools to the SDK's own client, and all can be called", async () => {
    const { client, session } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).toSorted()).toEqual(EVERY_TOOL.map(([name]) => name).toSorted());
    expect(await callEveryTool(client)).toEqual([]);
    expect(session.calls).toHaveLength(17);
    expect(client.getServerVersion()).toMatchObject({ name: 'parlor-retail', version: '9.9.9' });
    expect(client.getInstructions()).toBe('Be kind.');
    await client.close();
  });

  it('tells clients which tools only read and which cannot be taken back', async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    const hints = new Map(tools.map((tool) => [tool.name, tool.annotations]));
    expect(hints.get('get_order_details')).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
    });
    expect(hints.get('cancel_pending_order')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
    expect(hints.get('modify_user_address')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
    });
    expect(hints.get('calculate')).toMatchObject({ readOnlyHint: true });
    for (const tool of tools) {
      expect(tool.title).toBeTruthy();
      expect(tool.annotations?.openWorldHint).toBe(false);
      expect(tool.inputSchema.additionalProperties).toBe(false);
    }
  });

  it('gives refusals as results that the model can read, not as protocol errors', async () => {
    const { client } = await connect();
    const unknown = await client.callTool({ name: 'drop_tables', arguments: {} });
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Error: there is no tool/) }],
    });
    const missing = await client.callTool({ name: 'get_order_details' });
    expect(missing).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"order_id" is missing') }],
    });
  });
});

describe('a connection in memory', () => {
  it('lists, calls, tells refusals, and closes twice', async () => {
    const session = domain.openSession();
    const connection = await connectInMemory({ session, domain });
    expect(await connection.listTools()).toHaveLength(17);
    expect(await connection.call('calculate', { expression: '2*3' })).toEqual({ ok: true, content: '6' });
    expect(await connection.call('calculate', { expression: 'two' })).toMatchObject({ ok: false });
    expect(await connection.call('think', { thought: 'hm' })).toEqual({ ok: true, content: '' });
    expect(session.calls).toHaveLength(3);
    await connection.close();
    await connection.close();
    await expect(connection.call('calculate', { expression: '1' })).rejects.toThrow();
  });

  it('keeps the sessions of two episodes apart', async () => {
    const sessions = [domain.openSession(), domain.openSession()];
    const [one, two] = await Promise.all(sessions.map((session) => connectInMemory({ session, domain })));
    await one?.call('cancel_pending_order', { order_id: '#W0000001', reason: 'no longer needed' });
    expect((await two?.call('get_order_details', { order_id: '#W0000001' }))?.content).toContain(
      '"status":"pending"',
    );
    await Promise.all([one?.close(), two?.close()]);
  });
});
