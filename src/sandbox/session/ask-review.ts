import { timer } from './floor.js';
import type { HeardSaying, MadeCall, Review, SessionState, Transition } from './state.js';
import { passFloor } from './turn-sequencer.js';

/** After this many in one turn the agent has its way. The number is TARL's (arXiv 2509.14480). */
const MOST_INTERVENTIONS = 2;

/** Nothing was looked at yet. */
export const FIRST_REVIEW: Review = { turn: 0, interventions: 0, said: null };

/** Interventions so far in the turn that the agent is about to take. */
export function interventionsOf({ review, turn }: SessionState): number {
  return review?.turn === turn ? review.interventions : 0;
}

/** Puts an action before the live judge; null: nobody looks on, or not any more in this turn, so it is taken at once. */
export function askReview(
  state: SessionState,
  action: { readonly said: HeardSaying } | { readonly call: MadeCall },
): Transition | null {
  const interventions = interventionsOf(state);
  if (state.review === null || interventions >= MOST_INTERVENTIONS || state.transferred) return null;
  const said = 'said' in action ? action.said : null;
  // Arguments that cannot be understood never reach a tool.
  if ('call' in action && action.call.fault !== undefined) return null;
  const floor = passFloor(state.floor, 'review');
  const next: SessionState = { ...state, floor, review: { turn: state.turn, interventions, said } };
  return {
    state: next,
    effects: [
      {
        type: 'review',
        generation: floor.generation,
        proposed:
          'said' in action
            ? { type: 'message', text: action.said.text }
            : { type: 'call', name: action.call.name, arguments: action.call.arguments },
      },
      timer(next, state.limits.feedbackTimeoutMs),
    ],
  };
}
