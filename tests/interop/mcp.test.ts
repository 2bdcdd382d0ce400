import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtInDomain } from '../../src/retail/index.js';
import { createScriptedCustomers } from '../../src/user/index.js';
import { rawClient, startMessage } from '../sandbox/helpers/raw-client.js';
import { eventsOf, testSandbox, typesOf } from '../sandbox/helpers/sandbox.js';
import { type OracleScript, oracleScript } from './helpers/oracle-script.js';
import { hasPython, PYTHON_TIMEOUT_MS, pythonFile, venvPython } from './helpers/python.js';

const domain = builtInDomain();

type Caller = (
  name: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<{ ok: boolean; content: string }>;

/** Speaks over the WebSocket and calls every tool over MCP. */
async function playBeside(
  { task, seed, actions }: OracleScript,
  connect: (url: string, token: string) => Promise<Caller>,
) {
  const { sandbox, records } = await testSandbox({ domain, customers: createScriptedCustomers() });
  const socket = await rawClient(sandbox.url);
  socket.send(startMessage({ task: task.id, seed }));
  const { mcp, episode } = await socket.next('episode.ready');
  if (mcp === null) throw new Error('episode.ready names no MCP endpoint');
  const call = await connect(mcp.url, mcp.token);
  await socket.next('customer.end');
  for (const action of actions) {
    if ('say' in action) {
      socket.send({ type: 'agent.message', text: action.say });
      await socket.next('customer.end');
    } else {
      expect(await call(action.name, action.arguments)).toMatchObject({ ok: true });
    }
  }
  const { outcome, reason } = await socket.next('episode.end');
  return {
    outcome,
    reason,
    records: eventsOf(records, episode),
    events: socket.events.map(({ type }) => type),
  };
}

async function connectSdk(url: string, token: string): Promise<Caller> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  onTestFinished(() => client.close());
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return async (name, args) => {
    const { isError, content } = await client.callTool({ name, arguments: args });
    return { ok: isError !== true, content: JSON.stringify(content) };
  };
}

/** The Python client, as a process that takes calls line by line. */
async function connectPython(url: string, token: string): Promise<Caller> {
  const child = spawn(venvPython, [pythonFile('mcp_calls.py'), url, token], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? 'null');
  expect(await next()).toContain('cancel_pending_order');
  return (name, args) => {
    child.stdin.write(`${JSON.stringify({ name, arguments: args })}\n`);
    return next();
  };
}

describe('an agent that speaks over the WebSocket and calls tools over MCP', () => {
  it("finishes an episode with the SDK's own client with reward 1, and its calls are turns like any other", async () => {
    const script = await oracleScript(domain);
    const played = await playBeside(script, connectSdk);
    expect(played).toMatchObject({ reason: 'customer_stop', outcome: { success: true, reward: 1 } });
    const calls = script.actions.filter((action) => 'name' in action).length;
    expect(typesOf(played.records).filter((type) => type === 'tool_call')).toHaveLength(calls);
    // The answers went to whoever asked.
    expect(played.events).not.toContain('tool.result');
  });

  it.skipIf(!hasPython)(
    'finishes an episode with the Python client with reward 1 (needs scripts/interop-venv.sh)',
    async () => {
      const played = await playBeside(await oracleScript(domain), connectPython);
      expect(played.outcome).toMatchObject({ success: true, reward: 1 });
    },
    PYTHON_TIMEOUT_MS,
  );
});
