import type { WebSocket } from 'ws';

/**
 * Drops connections whose other side is gone without a word: who has not answered the last ping when the next is due is
 * terminated. It runs on the real clock, apart from the episodes' own.
 */
export function startHeartbeat(sockets: ReadonlySet<WebSocket>, intervalMs: number): () => void {
  if (intervalMs === 0) return () => undefined;
  const unanswered = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const socket of sockets) {
      if (unanswered.has(socket)) {
        socket.terminate();
        continue;
      }
      unanswered.add(socket);
      socket.once('pong', () => unanswered.delete(socket));
      socket.ping();
    }
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
