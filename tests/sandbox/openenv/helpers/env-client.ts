import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import type { Sandbox } from '../../../../src/sandbox/index.js';

// biome-ignore lint/suspicious/noExplicitAny: tests read deep into JSON of a foreign protocol
export type Json = any;

export interface EnvClient {
  readonly socket: WebSocket;
  /** Every frame that came. */
  readonly frames: string[];
  /** Sends one text frame and gives the next one that comes. */
  ask(frame: unknown): Promise<Json>;
  askRaw(text: string | Buffer): Promise<Json>;
  next(): Promise<Json>;
  readonly closed: Promise<number>;
}

/** A bare `ws` client of OpenEnv's socket. */
export async function envClient(
  sandbox: Sandbox,
  path = '/ws',
  options: ClientOptions = {},
): Promise<EnvClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${sandbox.port}${path}`, options);
  onTestFinished(() => socket.terminate());
  const frames: string[] = [];
  let taken = 0;
  let wake = (): void => undefined;
  let gone = false;
  const closed = new Promise<number>((resolve) =>
    socket.on('close', (code) => {
      gone = true;
      resolve(code);
      wake();
    }),
  );
  socket.on('message', (data: Buffer) => {
    frames.push(data.toString());
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  const next = async (): Promise<Json> => {
    for (;;) {
      const frame = frames[taken];
      if (frame !== undefined) {
        taken += 1;
        return JSON.parse(frame);
      }
      if (gone) throw new Error('the socket closed before an answer came');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const askRaw = (text: string | Buffer) => {
    socket.send(text);
    return next();
  };
  return { socket, frames, closed, next, askRaw, ask: (frame) => askRaw(JSON.stringify(frame)) };
}

export const reset = (data: Json = {}) => ({
  type: 'reset',
  data: { task_id: 'cancel-lamp', seed: 1, ...data },
});
export const call = (tool_name: string, args: Json = {}) => ({
  ...{ type: 'step', data: { type: 'call_tool', tool_name, arguments: args } },
});
export const say = (message: string) => call('respond_to_user', { message });

/** HTTP with a JSON body, if any. */
export async function http(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`http://127.0.0.1:${sandbox.port}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : {
          headers: { 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
  });
  return { status: response.status, body: await response.json() };
}
