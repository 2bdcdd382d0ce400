import { customerStops } from '../../user/index.js';
import { refuse, stale } from './ending.js';
import type { AskOptions, SessionEffect, SessionState, Transition } from './state.js';
import { type FloorHolder, passFloor } from './turn-sequencer.js';

/** Passing the floor with the timer that goes with it, and turning away who does not have it. */

export const stay = (state: SessionState): Transition => ({ state, effects: [] });

export function timer(state: SessionState, delayMs: number): SessionEffect {
  return { type: 'timer', generation: state.floor.generation, delayMs };
}

export function askCustomer(
  state: SessionState,
  agentText: string | null,
  options: AskOptions = {},
): SessionEffect[] {
  const { generation } = state.floor;
  return [{ type: 'ask', generation, agentText, ...options }, timer(state, state.limits.feedbackTimeoutMs)];
}

export function handToAgent(state: SessionState): Transition {
  const next = { ...state, floor: passFloor(state.floor, 'agent') };
  const { transferGraceMs, agentTimeoutMs } = state.limits;
  return { state: next, effects: [timer(next, state.transferred ? transferGraceMs : agentTimeoutMs)] };
}

const WAITING_FOR: Readonly<Record<FloorHolder, string>> = {
  customer: 'the customer is answering; wait for customer.end',
  delivery: 'the customer is speaking; wait for customer.end, or send interrupt',
  hearing: 'your speech is being listened to; wait for customer.end',
  review: 'your last action is being looked at; wait for its answer',
  tool: 'a tool call is running; wait for its tool.result',
  agent: '',
  verdict: '',
  nobody: '',
};

/**
 * An agent that was silent and speaks while the customer asks whether it is there: the question is broken off, and the
 * agent has its turn.
 */
export function endCheckIn(state: SessionState): {
  readonly state: SessionState;
  readonly effects: SessionEffect[];
} {
  const { duplex, callNow, floor } = state;
  if (duplex === null || duplex.aside === null || duplex.hearing !== null || callNow === null)
    return { state, effects: [] };
  const turns = customerStops(duplex.turns, Math.max(callNow, duplex.turns.now));
  return {
    state: {
      ...{ ...state, floor: passFloor(floor, 'agent') },
      duplex: { ...duplex, turns, aside: null, freeAt: turns.now },
    },
    effects: [{ type: 'hush' }],
  };
}

/** Why an action of the agent cannot be taken now, or null. */
export function turnAway(state: SessionState, turn: number | undefined): Transition | null {
  if (turn !== undefined && turn !== state.openTurn)
    return stale(state, `the message answers turn ${turn}; the open turn is ${state.openTurn}`);
  return state.floor.holder === 'agent'
    ? null
    : refuse(state, 'not_your_turn', WAITING_FOR[state.floor.holder]);
}
