import { WebSocket } from 'ws';
import { z } from 'zod';
import {
  type AudioFrame,
  capabilitySchema,
  type Dial,
  decodeAudioFrame,
  type ServerEvent,
  serverEventSchema,
} from '../../protocol/index.js';
import { type Clock, describeError } from '../../shared/index.js';
import { ConnectionLostError, ProtocolFaultError } from '../errors.js';

export type Incoming =
  | { readonly kind: 'event'; readonly event: ServerEvent }
  | { readonly kind: 'audio'; readonly frame: AudioFrame };

/** Of a kind that this client does not know yet. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly seq: number;
}

export function seqOf(item: Incoming | Unknown): number {
  if (item.kind === 'unknown') return item.seq;
  return item.kind === 'event' ? item.event.seq : item.frame.seq;
}

const KNOWN: ReadonlySet<string> = new Set(
  serverEventSchema.options.map((option) => option.shape.type.value),
);
const unknownEventSchema = z.object({ type: z.string(), seq: z.number().int() });

const MAX_INCOMING_BYTES = 16 * 1024 * 1024;
/** Long: when a hundred episodes begin at once in one process, the last socket waits for the first ninety-nine. */
const HANDSHAKE_TIMEOUT_MS = 60_000;
/** Pings that may fail to come before the line is given up; more than one, because a busy process is late itself. */
const MOST_MISSED_PINGS = 3;

/** How a connection came to its end. */
export interface Loss {
  readonly error: ConnectionLostError;
  /** Null: it was never open. */
  readonly closeCode: number | null;
}

export interface ConnectionHandlers {
  /** What it throws closes the connection and is a fault of the other side. */
  readonly onItem: (item: Incoming | Unknown) => void;
  readonly onFault: (error: ProtocolFaultError) => void;
  /** Once. */
  readonly onLost: (loss: Loss) => void;
}

/** One socket to a sandbox: what comes is parsed, and a line that has gone dead is noticed. */
export interface Connection {
  send(data: string | Uint8Array): void;
  /** The server pings this often: from now on silence means that the line is dead. 0: it does not ping. */
  expectPings(everyMs: number): void;
  close(): void;
}

export interface ConnectionOptions {
  readonly token: string | undefined;
  readonly clock: Clock;
  /** In place of a WebSocket to the address. */
  readonly dial?: Dial | undefined;
}

const capableSchema = z.looseObject({ type: z.literal('hello'), capabilities: z.array(z.unknown()) });

/** What a newer sandbox can do beyond what is known here is not used. */
function withKnownCapabilities(value: unknown): unknown {
  const hello = capableSchema.safeParse(value);
  if (!hello.success) return value;
  const capabilities = hello.data.capabilities.filter((one) => capabilitySchema.safeParse(one).success);
  return { ...hello.data, capabilities };
}

function parseIncoming(data: Buffer, isBinary: boolean): Incoming | Unknown {
  if (isBinary) return { kind: 'audio', frame: decodeAudioFrame(data) };
  const value = withKnownCapabilities(JSON.parse(data.toString('utf8')));
  const parsed = serverEventSchema.safeParse(value);
  if (parsed.success) return { kind: 'event', event: parsed.data };
  // Newer sandboxes may tell more; what is not known is passed over.
  const unknown = unknownEventSchema.safeParse(value);
  if (unknown.success && !KNOWN.has(unknown.data.type)) return { kind: 'unknown', seq: unknown.data.seq };
  const issue = parsed.error.issues[0];
  throw new ProtocolFaultError(`at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`);
}

function unreadable(url: string, isBinary: boolean, error: unknown): ProtocolFaultError {
  const what = isBinary ? 'an audio frame' : 'a message';
  return new ProtocolFaultError(
    `${url} sent ${what} that this client cannot read (${describeError(error)}); is it a Parlor sandbox of the same version?`,
    { cause: error },
  );
}

/** Nothing can go dead within a process. */
function dialConnection(url: string, dial: Dial, handlers: ConnectionHandlers): Connection {
  let isOver = false;
  const line = dial({
    onFrame: (data, isBinary) => {
      if (isOver) return;
      try {
        handlers.onItem(parseIncoming(data, isBinary));
      } catch (error) {
        isOver = true;
        handlers.onFault(unreadable(url, isBinary, error));
        line.close();
      }
    },
    onClose: (code) => {
      const error = new ConnectionLostError(`${url} closed the line (${code})`, {
        facts: { closeCode: code },
      });
      handlers.onLost({ error, closeCode: code });
    },
  });
  return { send: (data) => line.send(data), expectPings: () => undefined, close: () => line.close() };
}

export function openConnection(
  url: string,
  { token, clock, dial }: ConnectionOptions,
  handlers: ConnectionHandlers,
): Connection {
  if (dial !== undefined) return dialConnection(url, dial, handlers);
  let opened = false;
  let lost = false;
  let faulty = false;
  let hasLife = false;
  let stopWatch = (): void => undefined;
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: MAX_INCOMING_BYTES,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  function lose(error: ConnectionLostError, closeCode: number | null): void {
    if (lost) return;
    lost = true;
    stopWatch();
    handlers.onLost({ error, closeCode });
  }
  socket.on('open', () => {
    opened = true;
  });
  socket.on('message', (data: Buffer, isBinary) => {
    hasLife = true;
    if (lost || faulty) return;
    try {
      handlers.onItem(parseIncoming(data, isBinary));
    } catch (error) {
      faulty = true;
      handlers.onFault(unreadable(url, isBinary, error));
      socket.close(1002);
    }
  });
  socket.on('ping', () => {
    hasLife = true;
  });
  socket.on('error', (error) => {
    // An open socket closes as well, with its code.
    if (!opened)
      lose(new ConnectionLostError(`no connection to ${url}: ${error.message}`, { cause: error }), null);
  });
  socket.on('close', (code, reason) => {
    const why = reason.length > 0 ? `, ${reason.toString('utf8')}` : '';
    const error = new ConnectionLostError(`${url} closed the connection (${code}${why})`, {
      facts: { closeCode: code },
    });
    lose(error, opened ? code : null);
  });
  function watch(everyMs: number, missed: number): void {
    hasLife = false;
    stopWatch = clock.after(everyMs, () => {
      if (!hasLife && missed + 1 >= MOST_MISSED_PINGS) socket.terminate();
      else watch(everyMs, hasLife ? 0 : missed + 1);
    });
  }
  return {
    send: (data) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
    },
    expectPings: (everyMs) => {
      stopWatch();
      if (everyMs > 0 && !lost) watch(everyMs, 0);
    },
    close: () => {
      // A line that is cut without a word would be waited for.
      if (opened) socket.close(1000);
      else socket.terminate();
    },
  };
}
