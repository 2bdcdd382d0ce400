import type { Terminal } from '../terminal.js';

/** What Ctrl-C means during a run: once, finish what is under way; twice, break off. */
export interface Interrupts {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
  /** Gives Ctrl-C back its usual meaning. */
  release(): void;
}

export function watchInterrupts(
  terminal: Terminal,
  handlers: { onFirst: () => void; onSecond: () => void },
): Interrupts {
  const stop = new AbortController();
  const abort = new AbortController();
  const release = terminal.onInterrupt?.(() => {
    if (!stop.signal.aborted) {
      stop.abort();
      handlers.onFirst();
    } else if (!abort.signal.aborted) {
      handlers.onSecond();
      abort.abort();
    }
  });
  return { stop: stop.signal, abort: abort.signal, release: () => release?.() };
}
