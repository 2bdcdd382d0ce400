import { END_OWNERS, type EndReason, type ErrorCode } from '../../protocol/index.js';
import type { Outcome } from '../../retail/index.js';
import type { CallAnswer, SessionEffect, SessionState, Transition } from './state.js';
import { isOver, passFloor } from './turn-sequencer.js';

/** Ends that leave the sub-scores and the reward to the verifier; all others give reward 0. */
const ORDERLY: readonly EndReason[] = ['customer_stop', 'transfer', 'agent_stop'];

/**
 * Ends the episode: records it and asks for the verdict. While a tool runs the end waits for its result, because the
 * call may have changed the world and the record must say so. After a hand-over the agent cannot fail any more.
 */
export function endEpisode(
  state: SessionState,
  wanted: EndReason,
  extra: { readonly effects?: readonly SessionEffect[]; readonly detail?: string } = {},
): Transition {
  const effects = extra.effects ?? [];
  if (isOver(state.floor)) return { state, effects };
  const reason = state.transferred && END_OWNERS[wanted] === 'agent' ? 'transfer' : wanted;
  if (state.floor.holder === 'tool' && reason !== 'platform_failed')
    return { state: { ...state, pendingEnd: state.pendingEnd ?? reason }, effects };
  const floor = passFloor(state.floor, 'verdict');
  return {
    state: { ...state, ...{ floor, end: reason, pendingEnd: null, running: null, queue: [] } },
    effects: [
      ...effects,
      ...callsCancelled(state, 'the episode is over'),
      { type: 'timer', generation: floor.generation, delayMs: null },
      {
        type: 'record',
        event: {
          type: 'end',
          turn: state.turn,
          reason,
          owner: END_OWNERS[reason],
          ...(extra.detail === undefined ? {} : { detail: extra.detail }),
        },
      },
      { type: 'verify', endedInOrder: ORDERLY.includes(reason) },
    ],
  };
}

/** The ends of calls that get no answer: the running one, when nothing can come of it any more, and those behind it. */
export function callsCancelled(state: SessionState, why: string): SessionEffect[] {
  const { running, queue, turn } = state;
  const answer: CallAnswer = { status: 'cancelled', ok: false, content: `Error: cancelled: ${why}` };
  return [...(running === null ? [] : [running]), ...queue].flatMap((call): SessionEffect[] => {
    const { callId, name, arguments: args, wire } = call;
    return [
      {
        type: 'record',
        event:
          call === running
            ? { type: 'tool_result', turn, callId, ok: false, content: answer.content, status: 'cancelled' }
            : { type: 'tool_cancelled', turn, callId, name, arguments: { ...args } },
      },
      { type: 'answer', callId, turn, wire, answer, repeated: false },
    ];
  });
}

/** The verdict is in: record it, tell the agent the numbers, close. */
export function concludeEpisode(state: SessionState, outcome: Outcome | null): Transition {
  if (state.floor.holder !== 'verdict' || state.end === null) return { state, effects: [] };
  const { end: reason, turn, episode } = state;
  const effects: SessionEffect[] = [];
  if (outcome !== null) {
    const { unscored, difference, unsaid } = outcome;
    effects.push({
      type: 'record',
      event: {
        ...{ type: 'outcome', ...outcome },
        ...{ unscored: [...unscored], difference: [...difference], unsaid: [...unsaid] },
      },
    });
  }
  const owner = END_OWNERS[reason];
  // The agent hears of the end once the record is closed: who has `episode.end` can read the whole record.
  effects.push({
    type: 'finish',
    event: {
      ...{ type: 'episode.end', turn, episode, reason, owner },
      outcome: outcome === null ? null : publicOutcome(outcome),
    },
  });
  return { state: { ...state, floor: passFloor(state.floor, 'nobody') }, effects };
}

/** Only what is listed here may be seen by an agent: no difference, no expected strings. */
function publicOutcome(outcome: Outcome) {
  const { rule, success, reward, scores, unscored } = outcome;
  return { rule, success, reward, scores: { ...scores }, unscored: [...unscored] };
}

/** Tells the agent that a message was not taken and counts it. */
export function refuse(state: SessionState, code: ErrorCode, message: string): Transition {
  if (isOver(state.floor)) return { state, effects: [] };
  const next = { ...state, errors: state.errors + 1 };
  const effects: SessionEffect[] = [
    { type: 'record', event: { type: 'agent_error', turn: state.turn, code, message } },
    { type: 'send', event: { type: 'error', code, message } },
  ];
  const ended = next.errors >= state.limits.maxErrors;
  return {
    ...(ended ? endEpisode(next, 'error_limit', { effects }) : { state: next, effects }),
    refused: true,
  };
}

/** Tells the agent that a message came too late. That happens to the best; it is not counted. */
export function stale(state: SessionState, message: string): Transition {
  return {
    state,
    effects: [{ type: 'send', event: { type: 'error', code: 'stale_turn', message } }],
    refused: true,
  };
}
