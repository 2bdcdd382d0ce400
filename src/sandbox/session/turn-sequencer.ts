/**
 * Who may act. The floor passes from holder to holder and its generation counts the passes, so that an answer which
 * was asked for in an earlier generation (a slow customer, a timer that fired late) is known to be stale and dropped.
 */
export type FloorHolder =
  /** The customer composes its line, and in speech mode the voice speaks it. */
  | 'customer'
  /** The line is on its way to the agent. */
  | 'delivery'
  | 'agent'
  /** The agent's speech is kept and transcribed. */
  | 'hearing'
  /** A live judge looks at what the agent is about to do. */
  | 'review'
  /** A tool call runs. */
  | 'tool'
  /** The episode is over and is being verified. */
  | 'verdict'
  | 'nobody';

export interface Floor {
  readonly holder: FloorHolder;
  readonly generation: number;
}

export const FIRST_FLOOR: Floor = { holder: 'customer', generation: 1 };

export function passFloor(floor: Floor, holder: FloorHolder): Floor {
  return { holder, generation: floor.generation + 1 };
}

/** Is this the answer to what was asked last, from the one who was asked? */
export function isCurrent(floor: Floor, holder: FloorHolder, generation: number): boolean {
  return floor.holder === holder && floor.generation === generation;
}

export function isOver(floor: Floor): boolean {
  return floor.holder === 'verdict' || floor.holder === 'nobody';
}
