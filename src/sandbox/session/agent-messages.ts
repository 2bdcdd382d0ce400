import { hearAgent } from '../duplex/hear-agent.js';
import { hearLive } from '../duplex/live-message.js';
import { askReview } from './ask-review.js';
import { endEpisode } from './ending.js';
import { askCustomer, stay, timer, turnAway } from './floor.js';
import { wordsOnRecord } from './speaking.js';
import type { EventOf, HeardSaying, SessionEffect, SessionState, Transition } from './state.js';
import { isCurrent, passFloor } from './turn-sequencer.js';

/** What the agent says, and how it hangs up. */

export function takeMessage(state: SessionState, event: EventOf<'message'>): Transition {
  const away = turnAway(state, event.turn);
  if (away !== null) return away;
  const { text, speech, reasoning, silentMs, yieldMs, heardFrom } = event;
  const toldAt = event.toldAt ?? state.callNow ?? undefined;
  if (text !== null && speech === null && state.duplex === null)
    return say(state, { text, reasoning, audio: null, transcript: null });
  const next = { ...state, floor: passFloor(state.floor, 'hearing') };
  const { generation } = next.floor;
  return {
    state: next,
    effects: [
      { type: 'listen', generation, said: { text, speech, reasoning, silentMs, yieldMs, heardFrom, toldAt } },
      timer(next, state.limits.feedbackTimeoutMs),
    ],
  };
}

export function takeHeard(state: SessionState, event: EventOf<'heard'>): Transition {
  return isCurrent(state.floor, 'hearing', event.generation) ? say(state, event.said) : stay(state);
}

function say(state: SessionState, said: HeardSaying): Transition {
  return askReview(state, { said }) ?? speak(state, said);
}

/** Says it, whatever a judge may think of it. */
export function speak(state: SessionState, said: HeardSaying): Transition {
  const { text, reasoning, audio, transcript, words } = said;
  const turn = state.turn + 1;
  const { duplex } = state;
  if (duplex !== null && !state.transferred) {
    const hear = said.delivery?.live === undefined ? hearAgent : hearLive;
    return hear({ ...state, duplex, turn, floor: passFloor(state.floor, 'customer') }, said);
  }
  const record: SessionEffect = {
    type: 'record',
    event: {
      ...{ type: 'agent', turn, text, reasoning },
      ...(audio === null ? {} : { audio }),
      ...(transcript === null ? {} : { transcript }),
      ...wordsOnRecord(words),
    },
  };
  if (state.transferred) return endEpisode({ ...state, turn }, 'transfer', { effects: [record] });
  const next = { ...state, turn, floor: passFloor(state.floor, 'customer') };
  return { state: next, effects: [record, ...askCustomer(next, text)] };
}

const STOPS = {
  done: 'agent_stop',
  context_limit: 'context_limit',
  failed: 'agent_failed',
  unavailable: 'agent_unavailable',
} as const;

export function takeStop(state: SessionState, { turn, reason, detail }: EventOf<'stop'>): Transition {
  const away = turnAway(state, turn);
  if (away !== null) return away;
  return endEpisode(state, STOPS[reason], detail === undefined ? {} : { detail });
}
