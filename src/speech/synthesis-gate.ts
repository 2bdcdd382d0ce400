import pLimit from 'p-limit';
import { type Clock, ParlorError } from '../shared/index.js';
import {
  SpeechClosedError,
  SpeechServerError,
  SynthesisQueueFullError,
  SynthesisTimeoutError,
} from './errors.js';
import type { Clip } from './synthesizer.js';

interface SynthesisGateOptions {
  /** Lines that are made at once. */
  readonly maxConcurrent?: number;
  readonly maxQueued?: number;
  /** Tries in all. */
  readonly attempts?: number;
  /** Before the second try, doubled each time; a server's own wish is heeded if it is longer. */
  readonly retryDelayMs?: number;
  /** From the first try's start; no further try starts after it. */
  readonly deadlineMs?: number;
  readonly clock: Clock;
}

/** One for all engines outside this process: programs and servers are asked by a few at a time, and again if that may help. */
export interface SynthesisGate {
  run(make: () => Promise<Clip>): Promise<Clip>;
  /** What waits is refused; what runs goes on. */
  close(): void;
}

export function createSynthesisGate(options: SynthesisGateOptions): SynthesisGate {
  const { maxConcurrent = 4, maxQueued = 1000, attempts = 4, clock } = options;
  const { retryDelayMs = 500, deadlineMs = 180_000 } = options;
  const limit = pLimit(maxConcurrent);
  let closed = false;

  const wait = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      clock.after(delayMs, resolve);
    });

  async function tryAgain(make: () => Promise<Clip>): Promise<Clip> {
    const startMs = clock.nowMs();
    for (let attempt = 1; ; attempt += 1) {
      if (closed) throw new SpeechClosedError();
      try {
        return await make();
      } catch (error) {
        if (!(error instanceof ParlorError) || !error.retryable || attempt >= attempts) throw error;
        const wish = error instanceof SpeechServerError ? error.retryAfterMs : 0;
        const delayMs = Math.max(wish, retryDelayMs * 2 ** (attempt - 1));
        if (clock.nowMs() + delayMs - startMs > deadlineMs)
          throw error instanceof SpeechServerError ? error : new SynthesisTimeoutError(deadlineMs);
        await wait(delayMs);
      }
    }
  }

  return {
    async run(make) {
      if (closed) throw new SpeechClosedError();
      if (limit.pendingCount >= maxQueued) throw new SynthesisQueueFullError(maxQueued);
      return limit(() => tryAgain(make));
    },
    close() {
      closed = true;
    },
  };
}
