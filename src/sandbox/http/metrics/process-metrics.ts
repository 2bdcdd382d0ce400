import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MetricRegistry } from './registry.js';

/** What this process uses. The returned function stops measuring. */
export function addProcessMetrics(registry: MetricRegistry): () => void {
  const memory = (name: string, help: string, read: (usage: NodeJS.MemoryUsage) => number): void =>
    registry.reading({ name, help }, 'gauge', () => read(process.memoryUsage()));
  memory('process_resident_memory_bytes', 'Memory of the process in RAM.', ({ rss }) => rss);
  memory('nodejs_heap_used_bytes', 'JavaScript objects.', ({ heapUsed }) => heapUsed);
  memory(
    'nodejs_external_memory_bytes',
    'Memory outside the heap: buffers, audio.',
    ({ external }) => external,
  );
  registry.reading(
    { name: 'process_cpu_seconds_total', help: 'Processor time, in user and kernel mode.' },
    'counter',
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  );
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  registry.reading(
    {
      name: 'nodejs_eventloop_lag_p99_seconds',
      help: 'How late the event loop is, 99th percentile since the last scrape.',
    },
    'gauge',
    () => {
      const lateness = delay.percentile(99) / 1e9;
      delay.reset();
      return Number.isFinite(lateness) ? lateness : 0;
    },
  );
  return () => delay.disable();
}
