import type { Socket } from 'node:net';

/** Bytes on the wire, as TCP carries them: with TLS the encrypted ones. */
export interface Traffic {
  readonly open: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  watch(socket: Socket): void;
}

export function createTraffic(): Traffic {
  const open = new Set<Socket>();
  let received = 0;
  let sent = 0;
  const sumOpen = (read: (socket: Socket) => number): number => {
    let sum = 0;
    for (const socket of open) sum += read(socket);
    return sum;
  };
  return {
    get open() {
      return open.size;
    },
    get receivedBytes() {
      return received + sumOpen(({ bytesRead }) => bytesRead);
    },
    get sentBytes() {
      return sent + sumOpen(({ bytesWritten }) => bytesWritten);
    },
    watch: (socket) => {
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
        received += socket.bytesRead;
        sent += socket.bytesWritten;
      });
    },
  };
}
