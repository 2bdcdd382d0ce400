/** Time comes in as an argument. `nowMs` is monotonic within a process; timers fire on it. */
export interface Clock {
  nowMs(): number;
  /** Calls back once after delayMs; the returned function cancels and is safe to call twice. */
  after(delayMs: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

export interface ManualClock extends Clock {
  /** Moves time forward and fires what is due, in order. */
  advance(durationMs: number): void;
}

/** A clock for tests and virtual time: it stands still until told to move. */
export function createManualClock(startMs = 0): ManualClock {
  let nowMs = startMs;
  let nextId = 0;
  const timers = new Map<number, { dueMs: number; callback: () => void }>();
  return {
    nowMs: () => nowMs,
    after: (delayMs, callback) => {
      const id = nextId++;
      timers.set(id, { dueMs: nowMs + delayMs, callback });
      return () => void timers.delete(id);
    },
    advance: (durationMs) => {
      const endMs = nowMs + durationMs;
      for (;;) {
        const due = [...timers.entries()]
          .filter(([, timer]) => timer.dueMs <= endMs)
          .sort(([idA, a], [idB, b]) => a.dueMs - b.dueMs || idA - idB)[0];
        if (due === undefined) break;
        timers.delete(due[0]);
        nowMs = due[1].dueMs;
        due[1].callback();
      }
      nowMs = endMs;
    },
  };
}
