import { WebSocket } from 'ws';
import { describeError } from '../../shared/index.js';
import { ConnectionLostError, ProtocolFaultError } from '../errors.js';
import { type AgentMedia, agentMediaSchema } from './media-message.js';

export interface MediaSocketHandlers {
  readonly onMessage: (message: AgentMedia) => void;
  /** The agent hung up: it closed the socket in order. */
  readonly onHangUp: () => void;
  /** Anything else that ends the call from its side. */
  readonly onFault: (error: Error) => void;
}

/** The socket to an agent that is a server. */
export interface MediaSocket {
  send(text: string): void;
  /** Says goodbye; safe twice. Nothing is handed on afterwards. */
  close(): void;
}

const HANDSHAKE_TIMEOUT_MS = 10_000;
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** An agent that lets this much of the customer's voice pile up does not listen. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

function parseMessage(data: Buffer, isBinary: boolean): AgentMedia {
  if (isBinary) throw new Error('a binary frame; Media Streams are JSON in text frames');
  const value: unknown = JSON.parse(data.toString('utf8'));
  const parsed = agentMediaSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`);
  }
  if (parsed.data.event === 'media' && parsed.data.media.payload.startsWith('UklGR'))
    throw new Error('a WAV file in media.payload; expected bare µ-law bytes at 8 kHz, without a header');
  return parsed.data;
}

/** Resolves when the socket is open. Rejects with `ConnectionLostError`. */
export function openMediaSocket(
  url: string,
  options: {
    readonly streamSid: string;
    readonly handlers: MediaSocketHandlers;
    readonly signal: AbortSignal;
  },
): Promise<MediaSocket> {
  const { streamSid, handlers, signal } = options;
  return new Promise((resolve, reject) => {
    let over = false;
    const socket = new WebSocket(url, {
      ...{ perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES, handshakeTimeout: HANDSHAKE_TIMEOUT_MS },
    });
    const onAbort = (): void => socket.terminate();
    signal.addEventListener('abort', onAbort, { once: true });
    const finish = (tell: () => void): void => {
      if (over) return;
      over = true;
      signal.removeEventListener('abort', onAbort);
      tell();
    };
    const fault = (error: Error): void => {
      reject(error);
      finish(() => handlers.onFault(error));
    };
    socket.on('open', () =>
      resolve({
        send: (text) => {
          if (over) return;
          if (socket.bufferedAmount > MAX_UNSENT_BYTES)
            fault(new ConnectionLostError(`${url} does not read what the customer says`));
          else socket.send(text);
        },
        close: () => {
          finish(() => undefined);
          socket.close(1000);
        },
      }),
    );
    socket.on('message', (data: Buffer, isBinary) => {
      if (over) return;
      try {
        const message = parseMessage(data, isBinary);
        if (message.streamSid !== streamSid)
          throw new Error(`streamSid ${JSON.stringify(message.streamSid)}; this call's is ${streamSid}`);
        handlers.onMessage(message);
      } catch (error) {
        fault(
          new ProtocolFaultError(`${url} sent what is no Media Streams message: ${describeError(error)}`, {
            cause: error,
          }),
        );
        socket.close(1002);
      }
    });
    socket.on('error', (error) =>
      fault(
        new ConnectionLostError(`no connection to the agent at ${url}: ${error.message}`, { cause: error }),
      ),
    );
    socket.on('close', (code) => {
      // 1005: closed without a code, as most servers do.
      if (code === 1000 || code === 1005) finish(handlers.onHangUp);
      else
        fault(
          new ConnectionLostError(`the agent at ${url} was lost (${code})`, { facts: { closeCode: code } }),
        );
    });
  });
}
