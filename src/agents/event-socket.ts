import { WebSocket } from 'ws';
import { z } from 'zod';
import {
  type AudioFrame,
  type ClientMessageInput,
  decodeAudioFrame,
  type ServerEvent,
  serverEventSchema,
} from '../protocol/index.js';
import { describeError } from '../shared/index.js';
import { ConnectionLostError, ProtocolFaultError } from './errors.js';

type Incoming =
  | { readonly kind: 'event'; readonly event: ServerEvent }
  | { readonly kind: 'audio'; readonly frame: AudioFrame };

/** Of a kind that this client does not know yet. */
interface Unknown {
  readonly kind: 'unknown';
  readonly seq: number;
}

const KNOWN: ReadonlySet<string> = new Set(
  serverEventSchema.options.map((option) => option.shape.type.value),
);
const unknownEventSchema = z.object({ type: z.string(), seq: z.number().int() });

/** The agent's socket as a queue: what came is parsed, checked for order and kept until asked for. */
export interface EventSocket {
  /** The next event or audio frame. Rejects with `ConnectionLostError` or `ProtocolFaultError`, for good. */
  next(): Promise<Incoming>;
  /** What has come and was not asked for yet. */
  readonly waiting: readonly Incoming[];
  send(message: ClientMessageInput): void;
  /** Safe twice. */
  close(): void;
}

const MAX_INCOMING_BYTES = 16 * 1024 * 1024;
/** Long: when a hundred episodes begin at once in one process, the last socket waits for the first ninety-nine. */
const HANDSHAKE_TIMEOUT_MS = 60_000;

function parseIncoming(data: Buffer, isBinary: boolean): Incoming | Unknown {
  if (isBinary) return { kind: 'audio', frame: decodeAudioFrame(data) };
  const value: unknown = JSON.parse(data.toString('utf8'));
  const parsed = serverEventSchema.safeParse(value);
  if (parsed.success) return { kind: 'event', event: parsed.data };
  // Newer sandboxes may tell more; what is not known is passed over.
  const unknown = unknownEventSchema.safeParse(value);
  if (unknown.success && !KNOWN.has(unknown.data.type)) return { kind: 'unknown', seq: unknown.data.seq };
  const issue = parsed.error.issues[0];
  throw new ProtocolFaultError(`at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`);
}

function seqOf(item: Incoming | Unknown): number {
  if (item.kind === 'unknown') return item.seq;
  return item.kind === 'event' ? item.event.seq : item.frame.seq;
}

export interface EventSocketOptions {
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export function openEventSocket(url: string, options: EventSocketOptions = {}): EventSocket {
  const waiting: Incoming[] = [];
  let failure: Error | null = null;
  let waiter: { resolve: (item: Incoming) => void; reject: (error: Error) => void } | null = null;
  let lastSeq = 0;

  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: MAX_INCOMING_BYTES,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    ...(options.token === undefined ? {} : { headers: { authorization: `Bearer ${options.token}` } }),
  });
  const onAbort = (): void => {
    fail(new ConnectionLostError('the agent was told to stop', { cause: options.signal?.reason }));
    // A line that is cut without a word would be waited for.
    if (socket.readyState === WebSocket.OPEN) socket.close(1000);
    else socket.terminate();
  };
  function fail(error: Error): void {
    failure ??= error;
    waiter?.reject(failure);
    waiter = null;
    options.signal?.removeEventListener('abort', onAbort);
  }
  function take(item: Incoming | Unknown): void {
    lastSeq += 1;
    if (seqOf(item) !== lastSeq)
      throw new ProtocolFaultError(`expected event number ${lastSeq}; got ${seqOf(item)}`);
    if (item.kind === 'unknown') return;
    if (waiter === null) waiting.push(item);
    else waiter.resolve(item);
    waiter = null;
  }

  socket.on('message', (data: Buffer, isBinary) => {
    if (failure !== null) return;
    try {
      take(parseIncoming(data, isBinary));
    } catch (error) {
      const what = isBinary ? 'an audio frame' : 'a message';
      fail(
        new ProtocolFaultError(
          `${url} sent ${what} that this client cannot read (${describeError(error)}); is it a Parlor sandbox of the same version?`,
          { cause: error },
        ),
      );
      socket.close(1002);
    }
  });
  socket.on('error', (error) =>
    fail(new ConnectionLostError(`no connection to ${url}: ${error.message}`, { cause: error })),
  );
  socket.on('close', (code, reason) =>
    fail(
      new ConnectionLostError(
        `${url} closed the connection (${code}${reason.length > 0 ? `, ${reason.toString('utf8')}` : ''})`,
        { facts: { closeCode: code } },
      ),
    ),
  );
  if (options.signal?.aborted === true) onAbort();
  else options.signal?.addEventListener('abort', onAbort, { once: true });

  return {
    waiting,
    next: () => {
      const item = waiting.shift();
      if (item !== undefined) return Promise.resolve(item);
      if (failure !== null) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        waiter = { resolve, reject };
      });
    },
    send: (message) => {
      if (failure === null) socket.send(JSON.stringify(message));
    },
    close: () => {
      fail(new ConnectionLostError('the agent closed the connection'));
      socket.close(1000);
    },
  };
}
