import type { SessionParts } from '../session/parts.js';
import type { SessionState } from '../session/state.js';

/** The call's clock against the wall's: they run together with `realtime` pacing, and have nothing to do with each other else. */
export interface CallClock {
  /** The state with the time in it. */
  show(state: SessionState): SessionState;
  /** Resolves when the call has come to this sample; the first call starts the clock. */
  until(callSample: number): Promise<void>;
  /** At once, when it is no time. */
  later(delayMs: number, act: () => void): void;
  /** Whoever waits is let go. */
  stop(): void;
}

const TIMELESS: CallClock = {
  show: (state) => state,
  until: async () => undefined,
  later: (_delayMs, act) => act(),
  stop: () => undefined,
};

export function createCallClock({ clock, duplex, pacing }: SessionParts): CallClock {
  if (duplex === undefined || pacing === 'fast') return TIMELESS;
  const { sampleRateHz } = duplex.opening.turns;
  let startMs: number | null = null;
  const cancels = new Set<() => void>();
  const wait = (delayMs: number, act: () => void, onStop: () => void): void => {
    const cancel = clock.after(delayMs, () => {
      cancels.delete(stop);
      act();
    });
    const stop = (): void => {
      cancel();
      onStop();
    };
    cancels.add(stop);
  };
  return {
    show: (state) =>
      startMs === null
        ? state
        : { ...state, callNow: Math.round(((clock.nowMs() - startMs) * sampleRateHz) / 1_000) },
    until: (callSample) => {
      startMs ??= clock.nowMs();
      const delayMs = startMs + (callSample * 1_000) / sampleRateHz - clock.nowMs();
      if (delayMs <= 0) return Promise.resolve();
      return new Promise((resolve) => wait(delayMs, resolve, resolve));
    },
    later: (delayMs, act) => (delayMs <= 0 ? act() : wait(delayMs, act, () => undefined)),
    stop: () => {
      for (const stop of cancels) stop();
      cancels.clear();
    },
  };
}
