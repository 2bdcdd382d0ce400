import { WebSocket } from 'ws';
import { type Clock, describeError } from '../../shared/index.js';
import type { Dialect } from './dialect.js';
import { type RealtimeError, realtimeError } from './errors.js';
import { parseServerEvent, type RealtimeEvent } from './server-event.js';

export interface RealtimeAddress {
  /** ws:// or wss://, without the model. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** A realtime server's socket as a queue of events. One reader. */
export interface RealtimeSocket {
  /** The next event. Rejects with `RealtimeError`: `silent` when none comes in time, `lost` for good. */
  next(waitingFor: string, timeoutMs: number): Promise<RealtimeEvent>;
  /** Sends one event; gives the id by which an `error` names it. */
  send(event: object): string;
  /** Safe twice. */
  close(): void;
}

const HANDSHAKE_TIMEOUT_MS = 10_000;
const MAX_INCOMING_BYTES = 48 * 1024 * 1024;

/** HTTP statuses that a second try does not change, with what to do about them. */
function refusal(status: number, { baseUrl, model }: RealtimeAddress): RealtimeError {
  if (status === 401 || status === 403)
    return realtimeError('refused', `${baseUrl} refused the key (HTTP ${status}): see --api-key-env`);
  if (status === 404 || status === 400)
    return realtimeError(
      'refused',
      `${baseUrl} offers no realtime session for ${model} (HTTP ${status}): --base-url must be the whole address, like wss://api.openai.com/v1/realtime, and --model a realtime model`,
    );
  return realtimeError('unreachable', `${baseUrl} answered HTTP ${status} instead of opening a session`);
}

function addressOf({ baseUrl, model }: RealtimeAddress): string {
  const url = new URL(baseUrl);
  url.searchParams.set('model', model);
  return url.href;
}

/** Resolves when the socket is open. Rejects with `RealtimeError`: `unreachable` or `refused`. */
export function openRealtimeSocket(
  address: RealtimeAddress,
  options: { readonly dialect: Dialect; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<RealtimeSocket> {
  const { dialect, clock, signal } = options;
  const waiting: RealtimeEvent[] = [];
  let failure: RealtimeError | null = null;
  let waiter: { take: (event: RealtimeEvent) => void; fail: (error: RealtimeError) => void } | null = null;
  let sent = 0;
  const socket = new WebSocket(addressOf(address), {
    ...{ perMessageDeflate: false, maxPayload: MAX_INCOMING_BYTES, handshakeTimeout: HANDSHAKE_TIMEOUT_MS },
    ...(address.apiKey === undefined ? {} : { headers: { authorization: `Bearer ${address.apiKey}` } }),
  });
  const onAbort = (): void => {
    fail(realtimeError('lost', 'the agent was told to stop'));
    socket.terminate();
  };
  function fail(error: RealtimeError): void {
    failure ??= error;
    waiter?.fail(failure);
    waiter = null;
    signal.removeEventListener('abort', onAbort);
  }
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  socket.on('message', (data: Buffer, isBinary) => {
    if (failure !== null) return;
    try {
      if (isBinary) throw new Error('a binary frame; realtime events are JSON in text frames');
      const event = parseServerEvent(data.toString('utf8'), dialect);
      if (waiter === null) waiting.push(event);
      else waiter.take(event);
      waiter = null;
    } catch (error) {
      fail(
        realtimeError(
          'refused',
          `${address.baseUrl} sent what is no event of ${dialect.name === 'openai' ? "OpenAI's Realtime API" : 'Qwen-Omni-Realtime'} (${describeError(error)}); is --dialect right?`,
          { cause: error },
        ),
      );
      socket.close(1002);
    }
  });
  socket.on('close', (code, reason) => {
    const said = reason.length === 0 ? '' : `, ${reason.toString('utf8')}`;
    fail(realtimeError('lost', `${address.baseUrl} closed the session (${code}${said})`));
  });

  const queue: RealtimeSocket = {
    next: (waitingFor, timeoutMs) => {
      const event = waiting.shift();
      if (event !== undefined) return Promise.resolve(event);
      if (failure !== null) return Promise.reject(failure);
      return new Promise((resolve, reject) => {
        const cancel = clock.after(timeoutMs, () => {
          waiter = null;
          reject(
            realtimeError(
              'silent',
              `${address.baseUrl} was silent for ${timeoutMs / 1000} s; expected ${waitingFor}`,
            ),
          );
        });
        waiter = {
          take: (taken) => {
            cancel();
            resolve(taken);
          },
          fail: (error) => {
            cancel();
            reject(error);
          },
        };
      });
    },
    send: (event) => {
      sent += 1;
      const id = `parlor_${sent}`;
      if (failure === null && socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ event_id: id, ...event }));
      return id;
    },
    close: () => {
      if (failure === null && dialect.farewell !== null) queue.send(dialect.farewell);
      fail(realtimeError('lost', 'the agent closed the session'));
      if (socket.readyState === WebSocket.OPEN) socket.close(1000);
      else socket.terminate();
    },
  };
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(queue));
    socket.on('unexpected-response', (_request, response) => {
      const error = refusal(response.statusCode ?? 0, address);
      fail(error);
      reject(error);
      socket.terminate();
    });
    socket.on('error', (error) => {
      const lost = realtimeError('unreachable', `no connection to ${address.baseUrl}: ${error.message}`, {
        cause: error,
      });
      fail(lost);
      reject(failure ?? lost);
    });
  });
}
