import type { Pacing } from '../../protocol/index.js';
import { holdMessage, takeVoice } from '../duplex/live-talk.js';
import { takeHeard, takeMessage, takeStop } from './agent-messages.js';
import {
  askFirst,
  takeAside,
  takeDelivered,
  takeInterrupt,
  takeLine,
  takeSilence,
} from './customer-turns.js';
import { concludeEpisode, endEpisode, refuse } from './ending.js';
import { endCheckIn, stay } from './floor.js';
import { abandonLine, holdBack, takeVoiced } from './growing-line.js';
import type { SessionEvent, SessionLimits, SessionState, Transition } from './state.js';
import { takeReviewed } from './take-review.js';
import { takeCalls, takeResult } from './tool-calls.js';
import { FIRST_FLOOR, isOver } from './turn-sequencer.js';

/**
 * The rules of an episode as a pure function: (state, event) → (state, effects). The customer opens (turn 0); then the
 * agent acts, a message or a tool call, and gets its feedback: that is one turn. Nothing here waits, sends or reads a
 * clock; `runner.ts` does. After a successful transfer the agent may say one more message, which nobody answers.
 */
export function reduceSession(state: SessionState, event: SessionEvent): Transition {
  return holdBack(reduce(state, event));
}

function reduce(state: SessionState, event: SessionEvent): Transition {
  switch (event.type) {
    case 'begin':
      return askFirst(state);
    case 'line':
      return takeLine(state, event);
    case 'aside':
      return takeAside(state, event);
    case 'voiced':
      return takeVoiced(state, event);
    case 'voice_failed':
      return abandonLine(state, 'platform_failed', event.detail);
    case 'delivered':
      return takeDelivered(state, event);
    case 'message':
      return isOver(state.floor)
        ? stay(state)
        : (holdMessage(state, event) ?? afterCheckIn(state, (free) => takeMessage(free, event)));
    case 'heard':
      return takeHeard(state, event);
    case 'calls':
      return afterCheckIn(state, (free) => takeCalls(free, event));
    case 'result':
      return takeResult(state, event);
    case 'reviewed':
      return takeReviewed(state, event);
    case 'interrupt':
      return isOver(state.floor) ? stay(state) : takeInterrupt(state, event);
    case 'stop':
      return isOver(state.floor) ? stay(state) : takeStop(state, event);
    case 'refused':
      return refuse(state, event.code, event.message);
    case 'timeout':
      return event.generation === state.floor.generation ? timedOut(state) : stay(state);
    case 'silence':
      return takeSilence(state, event);
    case 'voice':
      return takeVoice(state, event);
    case 'failed':
      return event.generation === state.floor.generation
        ? endEpisode(state, event.reason, { detail: event.detail })
        : stay(state);
    case 'disconnected':
      return endEpisode(state, state.pendingEnd ?? 'agent_disconnected');
    case 'shutdown':
      if (state.voicing !== null) return abandonLine(state, 'shutdown');
      return endEpisode(state, state.pendingEnd ?? 'shutdown');
    case 'verified':
      return concludeEpisode(state, event.outcome);
  }
}

export function openingState(episode: string, limits: SessionLimits, pacing: Pacing = 'fast'): SessionState {
  return {
    ...{ episode, limits, pacing, floor: FIRST_FLOOR, turn: 0, openTurn: 0, utterances: 0, errors: 0 },
    ...{ sound: null, interruption: null, calls: new Map(), running: null, queue: [] },
    ...{
      callNow: null,
      duplex: null,
      review: null,
      voicing: null,
      transferred: false,
      pendingEnd: null,
      end: null,
    },
  };
}

function timedOut(state: SessionState): Transition {
  switch (state.floor.holder) {
    case 'agent':
      return endEpisode(state, 'agent_timeout');
    case 'delivery':
      if (state.voicing !== null)
        return abandonLine(state, 'platform_failed', 'the voice did not finish its line in time');
      return endEpisode(state, state.pendingEnd ?? 'agent_timeout');
    case 'customer':
      return endEpisode(state, 'customer_failed', { detail: 'the customer gave no line in time' });
    case 'hearing':
      return endEpisode(state, 'platform_failed', {
        detail: "the agent's speech was not understood in time",
      });
    case 'review':
      // A judge that is too slow has nothing to say.
      return takeReviewed(state, { type: 'reviewed', generation: state.floor.generation, objection: null });
    case 'tool':
      return endEpisode(state, 'platform_failed', { detail: 'a tool gave no result in time' });
    default:
      return stay(state);
  }
}

/** With turn-taking and the wall clock: an agent may act while the customer asks whether it is there. */
function afterCheckIn(before: SessionState, act: (state: SessionState) => Transition): Transition {
  const { state, effects } = endCheckIn(before);
  if (effects.length === 0) return act(before);
  const acted = act(state);
  return { ...acted, effects: [...effects, ...acted.effects] };
}
