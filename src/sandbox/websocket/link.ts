import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { CLOSE_CODES } from '../../protocol/index.js';

/** The outgoing half of one socket. What the peer leaves unread is bounded. */
export interface Link {
  readonly isOpen: boolean;
  /** A promise when so much is unread that audio should wait: it resolves when this has left, or the socket is gone. */
  send(data: string | Uint8Array): Promise<void> | null;
  /** The same for bytes that are whole WebSocket messages already. Absent: there is no WebSocket behind it. */
  sendRaw?(bytes: Uint8Array): Promise<void> | null;
  close(code: number, reason: string): void;
}

/** Above this much unread data audio waits until the socket has taken what it was given. */
const HIGH_WATER_BYTES = 256 * 1024;
/** A peer that does not read does not read the close frame either. */
const CLOSE_PATIENCE_MS = 1_000;

/** @param stream what the socket writes to: without compression it writes each message whole and at once, so bytes may go between */
export function createLink(socket: WebSocket, stream: Duplex, maxUnreadBytes: number): Link {
  const isOpen = (): boolean => socket.readyState === socket.OPEN;
  function close(code: number, reason: string): void {
    if (!isOpen()) return;
    socket.close(code, reason);
    const impatience = setTimeout(() => socket.terminate(), CLOSE_PATIENCE_MS);
    impatience.unref();
    socket.once('close', () => clearTimeout(impatience));
  }
  // Pongs are written whether or not the peer reads, so pings fill the memory as well as anything.
  socket.on('ping', () => {
    if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
  });
  function guarded(write: (onLeft?: () => void) => void): Promise<void> | null {
    if (!isOpen()) return null;
    if (socket.bufferedAmount > maxUnreadBytes) {
      close(CLOSE_CODES.doesNotRead, 'the client does not read');
      return null;
    }
    if (socket.bufferedAmount < HIGH_WATER_BYTES) {
      write();
      return null;
    }
    // The callback comes when the data has left, with an error when the connection went meanwhile.
    return new Promise((resolve) => write(resolve));
  }
  return {
    get isOpen() {
      return isOpen();
    },
    close,
    send: (data) => guarded((onLeft) => socket.send(data, onLeft)),
    sendRaw: (bytes) => guarded((onLeft) => void stream.write(bytes, onLeft)),
  };
}
