import type { Clock } from '../../shared/index.js';
import type { AgentCall, CallAnswer } from './state.js';

/**
 * Calls that come from beside the agent's transport (MCP over HTTP): each waits for the agent's floor, is made, and gets
 * its one answer. Those that wait are bounded in number and time.
 */
export interface CallDesk {
  /** Never rejects: what cannot be made is answered as `cancelled` or `error`. */
  ask(call: AgentCall): Promise<CallAnswer>;
  /** The next call, once the floor is free for one. */
  next(): AgentCall | null;
  readonly isEmpty: boolean;
  answered(callId: string, answer: CallAnswer): void;
  /** Cancels whatever is left. */
  close(): void;
}

const MOST_WAITING = 64;

const cancelled = (why: string): CallAnswer => ({
  ...{ status: 'cancelled', ok: false, content: `Error: cancelled: ${why}` },
});

interface Asked {
  readonly call: AgentCall;
  readonly settle: (answer: CallAnswer) => void;
}

export function createCallDesk(clock: Clock, patienceMs: number): CallDesk {
  const waiting: Asked[] = [];
  const made = new Map<string, Asked[]>();
  let closed = false;
  return {
    get isEmpty() {
      return waiting.length === 0;
    },
    ask: (call) => {
      if (closed) return Promise.resolve(cancelled('the episode is over'));
      if (waiting.length >= MOST_WAITING)
        return Promise.resolve(cancelled(`${MOST_WAITING} calls are waiting already`));
      return new Promise((resolve) => {
        const stop = clock.after(patienceMs, () => {
          const place = waiting.indexOf(asked);
          if (place >= 0) waiting.splice(place, 1);
          if (place >= 0)
            resolve(cancelled('it was not your turn for too long; wait until the customer has spoken'));
        });
        const asked: Asked = {
          call,
          settle: (answer) => {
            stop();
            resolve(answer);
          },
        };
        waiting.push(asked);
      });
    },
    next: () => {
      const asked = waiting.shift();
      if (asked === undefined) return null;
      const { callId } = asked.call;
      made.set(callId, [...(made.get(callId) ?? []), asked]);
      return asked.call;
    },
    answered: (callId, answer) => {
      for (const { settle } of made.get(callId) ?? []) settle(answer);
      made.delete(callId);
    },
    close: () => {
      closed = true;
      for (const { settle } of [...waiting.splice(0), ...[...made.values()].flat()])
        settle(cancelled('the episode is over'));
      made.clear();
    },
  };
}
