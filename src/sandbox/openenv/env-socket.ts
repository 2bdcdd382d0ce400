import type { WebSocket } from 'ws';
import { CLOSE_CODES } from '../../protocol/index.js';
import { EnvFault } from './faults.js';

/** Frames that may wait for the answer to the one before; a client of this dialect sends one at a time. */
const MAX_WAITING = 64;

export interface SocketDialogue {
  /** The answer to one text frame; null: say goodbye. Rejects for a fault of our own. */
  answer(text: string): Promise<unknown>;
  /** What a fault of our own looks like on this socket. */
  faultReply(error: EnvFault): unknown;
  readonly onFault: (error: unknown) => void;
}

/** Keeps one socket to OpenEnv's rule: one request, one answer, in order. */
export function serveDialogue(socket: WebSocket, { answer, faultReply, onFault }: SocketDialogue): void {
  let queue: Promise<void> = Promise.resolve();
  let waiting = 0;
  /** Resolves when the answer has left: who does not read is not served on. */
  const send = (reply: unknown) =>
    new Promise<void>((resolve) => {
      if (socket.readyState !== socket.OPEN) resolve();
      else socket.send(JSON.stringify(reply), () => resolve());
    });

  async function handle(data: Buffer, isBinary: boolean): Promise<void> {
    if (socket.readyState !== socket.OPEN) return;
    try {
      // A binary frame is read as text too; it is most likely no JSON, and is then told so.
      const reply = await answer(isBinary ? '' : data.toString('utf8'));
      if (reply === null) socket.close(CLOSE_CODES.normal);
      else await send(reply);
    } catch (error) {
      onFault(error);
      await send(faultReply(new EnvFault('EXECUTION_ERROR', 'a fault in the sandbox; its log says more')));
    }
  }

  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (socket.readyState !== socket.OPEN) return;
    if (waiting >= MAX_WAITING) {
      socket.close(CLOSE_CODES.refused, `${MAX_WAITING} frames wait; await each answer`);
      // The other side's goodbye has to be read.
      socket.resume();
      return;
    }
    waiting += 1;
    // What is not read yet stays with the sender.
    socket.pause();
    queue = queue
      .then(() => handle(data, isBinary))
      .finally(() => {
        waiting -= 1;
        if (waiting === 0) socket.resume();
      });
  });
}
