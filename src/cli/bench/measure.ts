import type { Clock } from '../../shared/index.js';

/** What is read before and after: a clock, or the processor's time. */
export type Stopwatch = Pick<Clock, 'nowMs'>;

/** Time of one call of an operation: median over batches, so that a pause of the machine moves nothing. */
export interface Timing {
  readonly name: string;
  /** Microseconds for one operation. */
  readonly microseconds: number;
  /** How many operations were timed in all. */
  readonly operations: number;
}

const BATCHES = 15;
const WARM_UP_MS = 100;

/**
 * Times `operation`, called with a running number. Warms up first, then sizes batches so that all of them together take about
 * `budgetMs` of wall time.
 */
export function measure(
  name: string,
  operation: (index: number) => void,
  options: { clock: Stopwatch; budgetMs?: number },
): Timing {
  const { clock, budgetMs = 400 } = options;
  let index = 0;
  const warmUpStart = clock.nowMs();
  do {
    operation(index++);
  } while (clock.nowMs() - warmUpStart < WARM_UP_MS && index < 100_000);
  const perOperationMs = (clock.nowMs() - warmUpStart) / index;
  const batchSize = Math.max(1, Math.floor(budgetMs / BATCHES / Math.max(perOperationMs, 1e-6)));
  const batches: number[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const startMs = clock.nowMs();
    for (let i = 0; i < batchSize; i += 1) operation(index++);
    batches.push((clock.nowMs() - startMs) / batchSize);
  }
  return { name, microseconds: median(batches) * 1000, operations: BATCHES * batchSize };
}

/**
 * Times `operation` on each item once, so that nothing it keeps of an item can help it. The first tenth warms up and is not counted;
 * the rest is timed in batches.
 */
export function measureEach<T>(
  name: string,
  items: readonly T[],
  options: { clock: Stopwatch; operation: (item: T) => void },
): Timing {
  const { clock, operation } = options;
  const warmUp = Math.floor(items.length / 10);
  for (const item of items.slice(0, warmUp)) operation(item);
  const batchSize = Math.ceil((items.length - warmUp) / BATCHES);
  const batches: number[] = [];
  for (let start = warmUp; start < items.length; start += batchSize) {
    const batch = items.slice(start, start + batchSize);
    const startMs = clock.nowMs();
    for (const item of batch) operation(item);
    batches.push((clock.nowMs() - startMs) / batch.length);
  }
  return { name, microseconds: median(batches) * 1000, operations: items.length - warmUp };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle];
  if (upper === undefined || lower === undefined) throw new RangeError('median needs at least one value');
  return (upper + lower) / 2;
}
