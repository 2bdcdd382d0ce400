import type { Clock } from '../../shared/index.js';

/** Lets many streams keep time with one timer. */
export interface Pacer {
  /** Calls at or, by at most one tick, after this time. */
  at(dueMs: number, call: () => void): void;
}

/** Streams that are due within one tick go out together. */
const TICK_MS = 5;

/** A wheel of ticks: one timer runs for the next tick at which anybody is due, none while nobody waits. */
export function createPacer(clock: Clock): Pacer {
  const ticks = new Map<number, (() => void)[]>();
  let armed = Number.POSITIVE_INFINITY;
  let disarm = (): void => undefined;

  function arm(tick: number): void {
    if (tick >= armed) return;
    disarm();
    armed = tick;
    disarm = clock.after(Math.max(0, tick * TICK_MS - clock.nowMs()), fire);
  }
  function fire(): void {
    armed = Number.POSITIVE_INFINITY;
    disarm = () => undefined;
    // A timer may be early by a fraction of a millisecond.
    const now = Math.floor((clock.nowMs() + 1) / TICK_MS);
    const due = [...ticks.keys()].filter((tick) => tick <= now).sort((a, b) => a - b);
    const released = due.flatMap((tick) => ticks.get(tick) ?? []);
    for (const tick of due) ticks.delete(tick);
    if (ticks.size > 0) arm(Math.min(...ticks.keys()));
    for (const call of released) call();
  }
  return {
    at: (dueMs, call) => {
      if (dueMs <= clock.nowMs()) {
        call();
        return;
      }
      const tick = Math.ceil(dueMs / TICK_MS);
      const waiting = ticks.get(tick);
      if (waiting === undefined) ticks.set(tick, [call]);
      else waiting.push(call);
      arm(tick);
    },
  };
}
