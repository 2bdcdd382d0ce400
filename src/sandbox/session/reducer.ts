import { concludeEpisode, endEpisode, refuse } from './ending.js';
import type { SessionEffect, SessionEvent, SessionLimits, SessionState, Transition } from './state.js';
import { FIRST_FLOOR, type FloorHolder, isCurrent, passFloor } from './turn-sequencer.js';

/**
 * The rules of an episode as a pure function: (state, event) → (state, effects). The customer opens (turn 0); then the
 * agent acts, a message or a tool call, and gets its feedback: that is one turn. Nothing here waits, sends or reads a
 * clock; `runner.ts` does. After a successful transfer the agent may say one more message, which nobody answers.
 */
export function reduceSession(state: SessionState, event: SessionEvent): Transition {
  switch (event.type) {
    case 'begin':
      return { state, effects: askCustomer(state, null) };
    case 'line':
      return takeLine(state, event);
    case 'delivered':
      return isCurrent(state.floor, 'delivery', event.generation) ? afterDelivery(state) : stay(state);
    case 'message':
      return takeMessage(state, event);
    case 'call':
      return takeCall(state, event);
    case 'result':
      return takeResult(state, event);
    case 'stop':
      return mayAct(state) ? endEpisode(state, 'agent_stop') : refuseNow(state);
    case 'refused':
      return refuse(state, event.code, event.message);
    case 'timeout':
      return event.generation === state.floor.generation ? timedOut(state) : stay(state);
    case 'failed':
      return event.generation === state.floor.generation
        ? endEpisode(state, event.reason, { detail: event.detail })
        : stay(state);
    case 'disconnected':
      return endEpisode(state, state.pendingEnd ?? 'agent_disconnected');
    case 'shutdown':
      return endEpisode(state, state.pendingEnd ?? 'shutdown');
    case 'verified':
      return concludeEpisode(state, event.outcome);
  }
}

export function openingState(episode: string, limits: SessionLimits): SessionState {
  return {
    ...{ episode, limits, floor: FIRST_FLOOR, turn: 0, utterances: 0, errors: 0 },
    ...{ callIds: new Set(), transferred: false, pendingEnd: null, end: null },
  };
}

const stay = (state: SessionState): Transition => ({ state, effects: [] });

const mayAct = (state: SessionState): boolean => state.floor.holder === 'agent';

function timer(state: SessionState, delayMs: number): SessionEffect {
  return { type: 'timer', generation: state.floor.generation, delayMs };
}

function askCustomer(state: SessionState, agentText: string | null): SessionEffect[] {
  const { generation } = state.floor;
  return [{ type: 'ask', generation, agentText }, timer(state, state.limits.feedbackTimeoutMs)];
}

function handToAgent(state: SessionState): Transition {
  const next = { ...state, floor: passFloor(state.floor, 'agent') };
  const { transferGraceMs, agentTimeoutMs } = state.limits;
  return { state: next, effects: [timer(next, state.transferred ? transferGraceMs : agentTimeoutMs)] };
}

const WAITING_FOR: Readonly<Record<FloorHolder, string>> = {
  customer: 'the customer is answering; wait for customer.end',
  delivery: 'the customer is speaking; wait for customer.end',
  tool: 'a tool call is running; wait for its tool.result',
  agent: '',
  verdict: '',
  nobody: '',
};

function refuseNow(state: SessionState): Transition {
  return refuse(state, 'not_your_turn', WAITING_FOR[state.floor.holder]);
}

function takeLine(state: SessionState, event: Extract<SessionEvent, { type: 'line' }>): Transition {
  if (!isCurrent(state.floor, 'customer', event.generation)) return stay(state);
  const { line, spoken } = event;
  if (line.text === '' && line.end === undefined)
    return endEpisode(state, 'customer_failed', { detail: 'the customer said nothing and did not hang up' });
  const next: SessionState = {
    ...state,
    floor: passFloor(state.floor, 'delivery'),
    utterances: state.utterances + 1,
    pendingEnd: line.end === undefined ? null : 'customer_stop',
  };
  const utterance = state.utterances;
  return {
    state: next,
    effects: [
      {
        type: 'record',
        event: {
          ...{
            type: 'customer',
            turn: state.turn,
            utterance,
            text: line.text,
            spoken: spoken?.spoken ?? null,
          },
          audio: spoken === null ? null : audioRef(spoken),
          end: line.end ?? null,
        },
      },
      { type: 'deliver', generation: next.floor.generation, turn: state.turn, utterance, line, spoken },
      timer(next, state.limits.agentTimeoutMs),
    ],
  };
}

function audioRef(spoken: NonNullable<Extract<SessionEvent, { type: 'line' }>['spoken']>) {
  const { sha256, durationMs, clip } = spoken;
  return { sha256, sampleRateHz: clip.sampleRateHz, samples: clip.samples.length, durationMs };
}

function afterDelivery(state: SessionState): Transition {
  if (state.pendingEnd !== null) return endEpisode(state, state.pendingEnd);
  return state.turn >= state.limits.maxTurns ? endEpisode(state, 'turn_limit') : handToAgent(state);
}

function takeMessage(state: SessionState, event: Extract<SessionEvent, { type: 'message' }>): Transition {
  if (!mayAct(state)) return refuseNow(state);
  const turn = state.turn + 1;
  const record: SessionEffect = {
    type: 'record',
    event: { type: 'agent', turn, text: event.text, reasoning: event.reasoning ?? null },
  };
  if (state.transferred) return endEpisode({ ...state, turn }, 'transfer', { effects: [record] });
  const next = { ...state, turn, floor: passFloor(state.floor, 'customer') };
  return { state: next, effects: [record, ...askCustomer(next, event.text)] };
}

function takeCall(state: SessionState, event: Extract<SessionEvent, { type: 'call' }>): Transition {
  if (!mayAct(state)) return refuseNow(state);
  // The conversation is out of the agent's hands; the call is not made.
  if (state.transferred) return endEpisode(state, 'transfer');
  const { callId, name, arguments: args, reasoning } = event;
  if (state.callIds.has(callId))
    return refuse(
      state,
      'bad_message',
      `callId ${JSON.stringify(callId)} was used before; each call needs its own`,
    );
  const turn = state.turn + 1;
  const next = {
    ...state,
    turn,
    floor: passFloor(state.floor, 'tool'),
    callIds: new Set([...state.callIds, callId]),
  };
  return {
    state: next,
    effects: [
      {
        type: 'record',
        event: {
          type: 'tool_call',
          turn,
          callId,
          name,
          arguments: { ...args },
          reasoning: reasoning ?? null,
        },
      },
      { type: 'call', generation: next.floor.generation, callId, name, arguments: args },
      timer(next, state.limits.feedbackTimeoutMs),
    ],
  };
}

function takeResult(state: SessionState, event: Extract<SessionEvent, { type: 'result' }>): Transition {
  if (!isCurrent(state.floor, 'tool', event.generation)) return stay(state);
  const { callId, ok, content } = event;
  const { turn, limits } = state;
  const effects: SessionEffect[] = [
    { type: 'record', event: { type: 'tool_result', turn, callId, ok, content } },
    { type: 'send', event: { type: 'tool.result', turn, callId, ok, content } },
  ];
  const errors = state.errors + (ok ? 0 : 1);
  const transferred = state.transferred || event.transferred;
  const pending = state.pendingEnd;
  // The tool is done: from here an end need not wait.
  const { state: next, effects: timers } = handToAgent({ ...state, errors, transferred, pendingEnd: null });
  if (pending !== null) return endEpisode(next, pending, { effects });
  if (errors >= limits.maxErrors) return endEpisode(next, 'error_limit', { effects });
  if (turn >= limits.maxTurns) return endEpisode(next, 'turn_limit', { effects });
  return { state: next, effects: [...effects, ...timers] };
}

function timedOut(state: SessionState): Transition {
  switch (state.floor.holder) {
    case 'agent':
      return endEpisode(state, 'agent_timeout');
    case 'delivery':
      return endEpisode(state, state.pendingEnd ?? 'agent_timeout');
    case 'customer':
      return endEpisode(state, 'customer_failed', { detail: 'the customer gave no line in time' });
    case 'tool':
      return endEpisode(state, 'platform_failed', { detail: 'a tool gave no result in time' });
    default:
      return stay(state);
  }
}
