import type { WebSocket } from 'ws';
import { CLOSE_CODES } from '../../protocol/index.js';

/**
 * Drops connections whose other side is gone without a word: who has not answered the last ping when the next is due is
 * told so, and cut off when the one after that is due. It runs on the real clock, apart from the episodes' own.
 */
export function startHeartbeat(sockets: ReadonlySet<WebSocket>, intervalMs: number): () => void {
  if (intervalMs === 0) return () => undefined;
  const unanswered = new WeakSet<WebSocket>();
  const beat = (): void => {
    for (const socket of sockets) {
      if (unanswered.has(socket)) {
        // Who only lost its way home may still hear why; who is dead is not waited for.
        if (socket.readyState === socket.OPEN)
          socket.close(CLOSE_CODES.heartbeatLost, 'a ping was not answered');
        else socket.terminate();
        continue;
      }
      unanswered.add(socket);
      socket.once('pong', () => unanswered.delete(socket));
      socket.ping();
    }
  };
  // A busy process is late itself: answers that lie unread are read before anybody is called dead.
  const timer = setInterval(() => setImmediate(beat), intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
