import type { EpisodeTiming } from '../../episodes/index.js';
import type { Clock } from '../../shared/index.js';
import type { FloorHolder } from './turn-sequencer.js';

/** Adds up who kept an episode waiting. */
export interface Stopwatch {
  /** The time since the last charge goes to whoever held the floor. */
  charge(holder: FloorHolder): void;
  spoke(workMs: number, audioMs: number): void;
  total(): Omit<EpisodeTiming, 'episode'>;
}

export function createStopwatch(clock: Clock): Stopwatch {
  const startMs = clock.nowMs();
  let lastMs = startMs;
  let speechMs = 0;
  let audioMs = 0;
  const held: Record<FloorHolder, number> = {
    ...{ customer: 0, delivery: 0, agent: 0, hearing: 0, review: 0, tool: 0, verdict: 0, nobody: 0 },
  };
  return {
    charge: (holder) => {
      const nowMs = clock.nowMs();
      held[holder] += nowMs - lastMs;
      lastMs = nowMs;
    },
    spoke: (workMs, clipMs) => {
      speechMs += workMs;
      audioMs += clipMs;
    },
    total: () => ({
      durationMs: clock.nowMs() - startMs,
      agentMs: held.agent,
      customerMs: Math.max(0, held.customer - speechMs),
      speechMs: speechMs + held.hearing,
      toolMs: held.tool,
      sendMs: held.delivery,
      audioMs,
    }),
  };
}
