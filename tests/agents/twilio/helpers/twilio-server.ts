import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { encodeMuLaw } from '../../../../src/audio/index.js';

export interface StreamMessage {
  readonly event: string;
  readonly sequenceNumber?: string;
  readonly streamSid?: string;
  readonly start?: Record<string, unknown> & { customParameters: Record<string, string> };
  readonly media?: { track: string; chunk: string; timestamp: string; payload: string };
  readonly mark?: { name: string };
  readonly stop?: Record<string, string>;
}

/** One call, as a voice agent's server sees it. */
export interface TwilioSession {
  readonly socket: WebSocket;
  readonly messages: StreamMessage[];
  readonly streamSid: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Resolves when the line is closed. */
  readonly closed: Promise<unknown>;
  /** µ-law bytes to the caller. */
  speak(bytes: Uint8Array): void;
  mark(name: string): void;
  clear(): void;
}

export interface TwilioServerOptions {
  /** The stream has begun. */
  readonly onStart?: (session: TwilioSession) => void;
  /** The caller has said something and fallen silent: the how-manieth time, from 1. */
  readonly onTurn: (session: TwilioSession, turn: number) => void | Promise<void>;
}

/** A tone that any voice detection takes for speech: µ-law of so many milliseconds. */
export function tone(durationMs: number): Uint8Array {
  const samples = new Int16Array(durationMs * 8);
  for (let index = 0; index < samples.length; index += 1) samples[index] = 8_000 * Math.sin(index / 3);
  return encodeMuLaw(samples);
}

export const silence = (durationMs: number): Uint8Array => new Uint8Array(durationMs * 8).fill(0xff);

const QUIET_FRAMES = 25;

/** A real, little voice agent that speaks Media Streams: half a second of silence ends the caller's turn. */
export async function twilioServer({ onStart, onTurn }: TwilioServerOptions) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const sessions: TwilioSession[] = [];
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  server.on('connection', (socket: WebSocket) => {
    const messages: StreamMessage[] = [];
    let session: TwilioSession | null = null;
    const closed = once(socket, 'close');
    let heard = false;
    let quietFrames = 0;
    let turn = 0;
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as StreamMessage;
      messages.push(message);
      if (message.event === 'start') {
        const streamSid = message.streamSid ?? '';
        const send = (value: object) => socket.send(JSON.stringify({ streamSid, ...value }));
        session = {
          ...{ socket, messages, streamSid, closed, parameters: message.start?.customParameters ?? {} },
          speak: (bytes) =>
            send({ event: 'media', media: { payload: Buffer.from(bytes).toString('base64') } }),
          mark: (name) => send({ event: 'mark', mark: { name } }),
          clear: () => send({ event: 'clear' }),
        };
        sessions.push(session);
        onStart?.(session);
      }
      if (message.event !== 'media' || session === null) return;
      const isQuiet = Buffer.from(message.media?.payload ?? '', 'base64').every(
        (byte) => (byte & 0x7f) === 0x7f,
      );
      quietFrames = isQuiet ? quietFrames + 1 : 0;
      heard ||= !isQuiet;
      if (!heard || quietFrames < QUIET_FRAMES) return;
      heard = false;
      turn += 1;
      void onTurn(session, turn);
    });
  });
  await once(server, 'listening');
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/media`, sessions };
}
