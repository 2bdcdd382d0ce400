import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tau2Files, writeFolder } from '../../helpers/data-folder.js';
import { cli } from '../../helpers/terminal.js';
import { callEveryTool } from '../../retail/mcp/every-tool.js';

const main = join(import.meta.dirname, '..', '..', '..', 'dist', 'cli', 'main.js');

describe('parlor mcp --stdio', () => {
  it("lets the SDK's own client list and call every tool", async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main, 'mcp', '--stdio', '--data', writeFolder(tau2Files()), '--rules', 'parlor'],
      stderr: 'pipe',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(17);
    expect(await callEveryTool(client)).toEqual([]);
  });

  it('writes nothing but messages to standard output, skips rubbish, and ends with its input', async () => {
    const child = spawn(process.execPath, [main, 'mcp', '--stdio', '--data', writeFolder(tau2Files())]);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += String(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += String(chunk);
    });
    child.stdin.write('this is no message\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await once(child.stdout, 'data');
    child.stdin.end();
    const [exitCode] = (await once(child, 'close')) as [number];
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(stderr).toMatch(/parlor mcp: ignored: /);
    expect(stderr).toMatch(/serving .* \(rules tau2\)/);
  });
});

describe('parlor mcp without --data', () => {
  it('serves the built-in world with all seventeen tools', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main, 'mcp', '--stdio'],
      stderr: 'pipe',
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(17);
    const { content } = await client.callTool({ name: 'list_all_product_types', arguments: {} });
    const types = JSON.parse((content as { text: string }[])[0]?.text ?? '') as Record<string, string>;
    expect(Object.keys(types).length).toBeGreaterThanOrEqual(50);
    expect(client.getInstructions()?.length).toBeGreaterThan(500);
  });
});

describe('parlor mcp --http', () => {
  it('serves until it is told to stop', async () => {
    const child = spawn(process.execPath, [
      main,
      'mcp',
      '--http',
      '--port',
      '0',
      '--data',
      writeFolder(tau2Files()),
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(child.stderr, 'data')) as [Buffer];
    const url = /http:\S+\/mcp/.exec(String(line))?.[0] ?? '';
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(url));
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    expect((await client.listTools()).tools).toHaveLength(16);
    await client.close();
    child.kill('SIGTERM');
    const [exitCode] = (await once(child, 'close')) as [number];
    expect(exitCode).toBe(0);
  });
});

describe('parlor mcp', () => {
  it.each([
    [[], /exactly one of --stdio and --http/],
    [['--stdio', '--http'], /exactly one of --stdio and --http/],
    [['--http', '--port', '70000'], /whole number from 0 to 65535; got "70000"/],
    [['--http', '--port', 'x'], /got "x"/],
    [['--http', '--max-sessions', '0'], /--max-sessions must be a whole number from 1/],
    [['--stdio', '--rules', 'tau3'], /--rules must be one of parlor, tau1, tau2; got "tau3"/],
  ])('%j is wrong usage', async (args, message) => {
    const result = await cli(['mcp', '--data', writeFolder(tau2Files()), ...args]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toMatch(message);
    expect(result.stdout).toBe('');
  });

  it('says what is wrong with a data folder', async () => {
    expect(await cli(['mcp', '--stdio', '--data', 'no-such-folder'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^parlor: expected a data folder at .*no-such-folder/),
    });
  });
});
