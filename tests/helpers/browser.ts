import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import WebSocket from 'ws';

/** A headless Chromium, when the machine has one; tests that need it skip themselves otherwise. */
export function findChromium(): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not here.
      }
    }
  return null;
}

export interface Page {
  /** Evaluates an expression in the page and gives its JSON value; promises are awaited. */
  evaluate(expression: string): Promise<unknown>;
  /** A DevTools command. */
  send(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** What the page logged, its uncaught errors, and requests that left the file. */
  readonly complaints: string[];
  readonly requests: string[];
  close(): Promise<void>;
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  '--remote-debugging-port=0',
];

function debuggerAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const match = /DevTools listening on (ws:\/\/\S+)/.exec(text);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once('exit', () => reject(new Error(`the browser ended early: ${text.slice(-500)}`)));
  });
}

/** Opens one file in a fresh browser, over the DevTools protocol. */
export async function openPage(browser: string, url: string): Promise<Page> {
  const profile = mkdtempSync(join(tmpdir(), 'parlor-browser-'));
  const child = spawn(browser, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const socket = new WebSocket(await debuggerAddress(child), { maxPayload: 256 * 1024 * 1024 });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const pending = new Map<number, (reply: Record<string, unknown>) => void>();
  const complaints: string[] = [];
  const requests: string[] = [];
  let nextId = 1;
  let loaded = (): void => {};
  const load = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Record<string, unknown> & {
      params?: Record<string, unknown>;
    };
    if (typeof message.id === 'number') pending.get(message.id)?.(message);
    else if (message.method === 'Page.loadEventFired') loaded();
    else if (message.method === 'Runtime.exceptionThrown' || message.method === 'Log.entryAdded')
      complaints.push(JSON.stringify(message.params));
    else if (message.method === 'Network.requestWillBeSent')
      requests.push(String((message.params?.request as { url?: string } | undefined)?.url));
  });
  let session: string | undefined;
  const send = (method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const id = nextId++;
      pending.set(id, (reply) => {
        pending.delete(id);
        if (reply.error === undefined) resolve(reply.result as Record<string, unknown>);
        else reject(new Error(`${method}: ${JSON.stringify(reply.error)}`));
      });
      socket.send(
        JSON.stringify({ id, method, params, ...(session === undefined ? {} : { sessionId: session }) }),
      );
    });
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  session = (await send('Target.attachToTarget', { targetId, flatten: true })).sessionId as string;
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`);
  await send('Page.navigate', { url });
  await load;
  return {
    complaints,
    requests,
    send,
    evaluate: async (expression) => {
      const reply = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      if (reply.exceptionDetails !== undefined) throw new Error(JSON.stringify(reply.exceptionDetails));
      return (reply.result as { value?: unknown }).value;
    },
    close: async () => {
      session = undefined;
      // Asked to close, it takes its helper processes along; killed, they go on writing into the profile.
      await send('Browser.close').catch(() => child.kill());
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
