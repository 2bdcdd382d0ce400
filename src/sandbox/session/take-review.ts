import { speak } from './agent-messages.js';
import { interventionsOf } from './ask-review.js';
import { handToAgent, stay } from './floor.js';
import type { CallAnswer, EventOf, SessionEffect, SessionState, Transition } from './state.js';
import { makeNext } from './tool-calls.js';
import { isCurrent } from './turn-sequencer.js';

/** The live judge has spoken: the action is taken, or goes back to the agent. */
export function takeReviewed(state: SessionState, event: EventOf<'reviewed'>): Transition {
  if (!isCurrent(state.floor, 'review', event.generation) || state.review === null) return stay(state);
  if (event.objection !== null) return intervene(state, event.objection);
  return state.review.said === null ? makeNext(state) : speak(state, state.review.said);
}

/**
 * Nothing was done: no turn, no error. Calls that waited behind the one in question go back with it, and their ids are
 * free again.
 */
function intervene(state: SessionState, message: string): Transition {
  const said = state.review?.said ?? null;
  const count = interventionsOf(state) + 1;
  const [call, ...behind] = state.queue;
  const calls = new Map(state.calls);
  for (const { callId } of state.queue) calls.delete(callId);
  const handed = handToAgent({
    ...{ ...state, calls, queue: [] },
    review: { turn: state.turn, interventions: count, said: null },
  });
  const turn = state.turn + 1;
  const wired = state.queue.filter(({ wire }) => wire).map(({ callId }) => callId);
  const record: SessionEffect = {
    type: 'record',
    event: {
      ...{ type: 'intervention', turn, count, message, text: said?.text ?? null },
      call:
        call === undefined
          ? null
          : { callId: call.callId, name: call.name, arguments: { ...call.arguments } },
      behind: behind.map(({ callId }) => callId),
      reasoning: said?.reasoning ?? call?.reasoning ?? null,
    },
  };
  const send: SessionEffect = {
    type: 'send',
    event: { type: 'intervention', turn, count, message, callIds: wired },
  };
  return {
    state: handed.state,
    effects: [
      record,
      ...(said !== null || wired.length > 0 ? [send] : []),
      ...answersBeside(state, message),
      ...handed.effects,
    ],
  };
}

/** Calls from beside the transport get the intervention as their answer. */
function answersBeside({ queue, turn }: SessionState, message: string): SessionEffect[] {
  const answer: CallAnswer = {
    ...{ status: 'cancelled', ok: false, content: `Error: not done, a judge broke in: ${message}` },
  };
  return queue.flatMap(({ callId, wire }): SessionEffect[] =>
    wire ? [] : [{ type: 'answer', callId, turn, wire, answer, repeated: false }],
  );
}
