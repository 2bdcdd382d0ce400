import { once } from 'node:events';
import type { Sandbox } from '../../sandbox/index.js';
import type { Clock } from '../../shared/index.js';
import type { Interrupts } from '../running/interrupts.js';
import type { ServeLog } from './serve-log.js';

export interface LeaveOptions {
  /** How long running episodes may still go on; 0: not at all. */
  readonly drainMs: number;
  readonly clock: Clock;
  readonly log: ServeLog;
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : once(signal, 'abort');
}

/**
 * Serves until the first interrupt. Then no new episode is taken, readiness says so, and what runs may come to its end: at
 * most so long, or until the second interrupt. What still runs ends as `shutdown`.
 */
export async function serveUntilInterrupted(
  sandbox: Sandbox,
  { stop, abort }: Interrupts,
  { drainMs, clock, log }: LeaveOptions,
): Promise<void> {
  await aborted(stop);
  if (drainMs > 0) {
    log({
      ...{ level: 'info', event: 'draining', fields: { drainMs } },
      message: `draining: running episodes have ${drainMs / 1000} s; interrupt again to end them now`,
    });
    let cancel = (): void => undefined;
    const patience = new Promise<void>((resolve) => {
      cancel = clock.after(drainMs, resolve);
    });
    await Promise.race([sandbox.drain(), patience, aborted(abort)]);
    cancel();
  }
  log({ level: 'info', event: 'closing', message: 'closing; running episodes end as shutdown' });
  await sandbox.close();
}
