import type { SessionParts } from '../session/parts.js';
import type { SessionState } from '../session/state.js';

/** The call's clock against the wall's: they run together with `realtime` pacing, and have nothing to do with each other else. */
export interface CallClock {
  /** The state with the time in it. */
  show(state: SessionState): SessionState;
  /** Null: it has not begun, or there is no time. */
  now(): number | null;
  /** Resolves when the call has come to this sample; the first call starts the clock. */
  until(callSample: number): Promise<void>;
  /** At once, when it is no time. */
  later(delayMs: number, act: () => void): void;
  /** In place of the reminder before it. */
  remind(delayMs: number, act: () => void): void;
  /** Whoever waits is let go. */
  stop(): void;
}

const TIMELESS: CallClock = {
  show: (state) => state,
  now: () => null,
  until: async () => undefined,
  later: (_delayMs, act) => act(),
  remind: () => undefined,
  stop: () => undefined,
};

export function createCallClock({ clock, duplex, pacing }: SessionParts): CallClock {
  if (duplex === undefined || pacing === 'fast') return TIMELESS;
  const { sampleRateHz } = duplex.opening.turns;
  let startMs: number | null = null;
  const cancels = new Set<() => void>();
  let forget = (): void => undefined;
  const now = (): number | null =>
    startMs === null ? null : Math.round(((clock.nowMs() - startMs) * sampleRateHz) / 1_000);
  const wait = (delayMs: number, act: () => void, onStop: () => void): (() => void) => {
    const cancel = clock.after(delayMs, () => {
      cancels.delete(stop);
      act();
    });
    const stop = (): void => {
      cancel();
      onStop();
    };
    cancels.add(stop);
    return () => {
      cancel();
      cancels.delete(stop);
    };
  };
  return {
    now,
    show: (state) => {
      const callNow = now();
      return callNow === null ? state : { ...state, callNow };
    },
    until: (callSample) => {
      startMs ??= clock.nowMs();
      const delayMs = startMs + (callSample * 1_000) / sampleRateHz - clock.nowMs();
      if (delayMs <= 0) return Promise.resolve();
      return new Promise((resolve) => void wait(delayMs, resolve, resolve));
    },
    later: (delayMs, act) => (delayMs <= 0 ? act() : void wait(delayMs, act, () => undefined)),
    remind: (delayMs, act) => {
      forget();
      forget = wait(delayMs, act, () => undefined);
    },
    stop: () => {
      for (const stop of cancels) stop();
      cancels.clear();
    },
  };
}
