import { PROTOCOL_VERSION } from '../../../protocol/index.js';
import type { HttpServer } from '../http-server.js';
import { addProcessMetrics } from './process-metrics.js';
import type { MetricRegistry } from './registry.js';

export interface ServerFacts {
  readonly server: HttpServer;
  readonly serverName: string;
  sessions(): number;
  episodes(): number;
  isReady(): boolean;
}

/** What is asked for at every scrape, not counted as it happens. The returned function stops measuring. */
export function addServerMetrics(registry: MetricRegistry, facts: ServerFacts): () => void {
  const { sockets, traffic } = facts.server;
  registry.reading(
    { name: 'parlor_build_info', help: 'Always 1; its labels say what runs.' },
    'gauge',
    () => 1,
    { server: facts.serverName, protocol: PROTOCOL_VERSION, node: process.version },
  );
  const gauge = (name: string, help: string, read: () => number): void =>
    registry.reading({ name: `parlor_${name}`, help }, 'gauge', read);
  gauge('ready', '1 while new episodes are taken, else 0.', () => (facts.isReady() ? 1 : 0));
  gauge('open_connections', 'WebSockets that are open.', () => sockets.size);
  gauge('open_tcp_connections', 'TCP connections that are open.', () => traffic.open);
  gauge('sessions', 'Sessions of /v1 that have a connection or wait to be resumed.', facts.sessions);
  gauge('running_episodes', 'Episodes between their start message and their closed record.', facts.episodes);
  gauge('unsent_bytes', 'Data waiting for agents to read it, all WebSockets together.', () => {
    let unsent = 0;
    for (const socket of sockets) unsent += socket.bufferedAmount;
    return unsent;
  });
  const bytes = (name: string, help: string, read: () => number): void =>
    registry.reading({ name: `parlor_${name}_bytes_total`, help }, 'counter', read);
  bytes('received', 'Bytes from clients, as TCP carries them.', () => traffic.receivedBytes);
  bytes('sent', 'Bytes to clients, as TCP carries them.', () => traffic.sentBytes);
  return addProcessMetrics(registry);
}
