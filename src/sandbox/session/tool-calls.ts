import { MAX_CALL_MS } from '../../protocol/index.js';
import { canonicalJson, type JsonValue } from '../../shared/index.js';
import { askReview } from './ask-review.js';
import { callsCancelled, endEpisode, refuse } from './ending.js';
import { handToAgent, stay, timer, turnAway } from './floor.js';
import type {
  AgentCall,
  CallAnswer,
  EventOf,
  MadeCall,
  SessionEffect,
  SessionState,
  Transition,
} from './state.js';
import { isCurrent, passFloor } from './turn-sequencer.js';

/**
 * Tool calls end exactly once. The calls of one message run one after the other, each a turn of its own; a repeated id
 * gets the first answer again, and what was never made when the episode ends is cancelled.
 */
export function takeCalls(state: SessionState, event: EventOf<'calls'>): Transition {
  const repeated = event.calls.filter((call) => state.calls.get(call.callId)?.key === keyOf(call));
  const fresh = event.calls.filter((call) => !repeated.includes(call));
  const again = repeated.flatMap((call) => repeatAnswer(state, call, event.wire));
  if (fresh.length === 0) return { state, effects: again };
  const clash = fresh.find(
    (call, place) =>
      state.calls.has(call.callId) || fresh.findIndex(({ callId }) => callId === call.callId) !== place,
  );
  if (clash !== undefined) return refuseClash(state, clash, event.wire);
  const away = turnAway(state, event.turn);
  if (away !== null) return away;
  const queue = fresh.map((call, place): MadeCall => {
    const reasoning = place === 0 ? (event.reasoning ?? null) : null;
    return { ...call, wire: event.wire, batched: event.batched, batch: null, reasoning };
  });
  // The conversation is out of the agent's hands; the calls are not made.
  if (state.transferred) return endEpisode({ ...state, queue }, 'transfer', { effects: again });
  const calls = new Map(state.calls);
  for (const call of fresh) calls.set(call.callId, { key: keyOf(call), turn: state.turn, answer: null });
  const started = startNext({ ...state, queue, calls, duplex: silentFor(state, event.silentMs) });
  return { state: started.state, effects: [...again, ...started.effects] };
}

/** With turn-taking: silence that a call tells of is heard before the agent's next words. */
function silentFor({ duplex }: SessionState, silentMs = 0): SessionState['duplex'] {
  return duplex === null ? null : { ...duplex, silentMs: Math.min(MAX_CALL_MS, duplex.silentMs + silentMs) };
}

const keyOf = ({ name, arguments: args, rawArguments, fault }: AgentCall): string =>
  canonicalJson([name, fault === undefined ? args : (rawArguments ?? null)] as JsonValue);

/** Nothing when the call still runs: its one end is still to come. */
function repeatAnswer(state: SessionState, { callId }: AgentCall, wire: boolean): SessionEffect[] {
  const known = state.calls.get(callId);
  if (known === undefined || known.answer === null) return [];
  return [{ type: 'answer', callId, turn: known.turn, wire, answer: known.answer, repeated: true }];
}

function refuseClash(state: SessionState, { callId }: AgentCall, wire: boolean): Transition {
  const why = `callId ${JSON.stringify(callId)} was used for another call; each call needs its own`;
  if (wire) return refuse(state, 'bad_message', why);
  const answer: CallAnswer = { status: 'error', ok: false, content: `Error: ${why}` };
  return {
    state,
    effects: [{ type: 'answer', callId, turn: state.turn, wire, answer, repeated: false }],
  };
}

function startNext(state: SessionState): Transition {
  const [call] = state.queue;
  return (call === undefined ? null : askReview(state, { call })) ?? makeNext(state);
}

/** Makes the first call of the queue, whatever a judge may think of it. */
export function makeNext(state: SessionState): Transition {
  const [first, ...queue] = state.queue;
  if (first === undefined) return handToAgent(state);
  const turn = state.turn + 1;
  const batch = first.batched ? (first.batch ?? turn) : null;
  const call = { ...first, batch };
  const { callId, name, arguments: args, rawArguments, reasoning } = call;
  const next: SessionState = {
    ...{ ...state, turn, running: call },
    queue: queue.map((one) => ({ ...one, batch })),
    floor: passFloor(state.floor, 'tool'),
    calls: new Map(state.calls).set(callId, { key: keyOf(call), turn, answer: null }),
  };
  const record: SessionEffect = {
    type: 'record',
    event: {
      ...{ type: 'tool_call', turn, callId, name, arguments: { ...args } },
      ...(rawArguments === undefined ? {} : { rawArguments }),
      ...(batch === null ? {} : { batch }),
      reasoning,
    },
  };
  if (call.fault !== undefined) {
    const content = `Error: ${call.fault}`;
    const ended = endCall(next, { status: 'error', ok: false, content }, [record]);
    return ended;
  }
  return {
    state: next,
    effects: [
      record,
      { type: 'call', generation: next.floor.generation, call },
      timer(next, state.limits.feedbackTimeoutMs),
    ],
  };
}

export function takeResult(state: SessionState, event: EventOf<'result'>): Transition {
  if (!isCurrent(state.floor, 'tool', event.generation)) return stay(state);
  const { ok, content } = event;
  const transferred = state.transferred || event.transferred;
  return endCall({ ...state, transferred }, { status: ok ? 'result' : 'error', ok, content }, []);
}

function endCall(before: SessionState, answer: CallAnswer, earlier: readonly SessionEffect[]): Transition {
  const { running, turn, limits, pendingEnd } = before;
  if (running === null) return stay(before);
  const { callId, wire } = running;
  const { ok, content } = answer;
  const state: SessionState = {
    ...{ ...before, running: null, pendingEnd: null },
    errors: before.errors + (ok ? 0 : 1),
    openTurn: wire ? turn : before.openTurn,
    calls: new Map(before.calls).set(callId, { key: keyOf(running), turn, answer }),
    // The tool is done: from here an end need not wait.
    floor: passFloor(before.floor, 'agent'),
  };
  const effects: SessionEffect[] = [
    ...earlier,
    { type: 'record', event: { type: 'tool_result', turn, callId, ok, content } },
    { type: 'answer', callId, turn, wire, answer, repeated: false },
  ];
  if (pendingEnd !== null) return endEpisode(state, pendingEnd, { effects });
  if (state.errors >= limits.maxErrors) return endEpisode(state, 'error_limit', { effects });
  if (turn >= limits.maxTurns) return endEpisode(state, 'turn_limit', { effects });
  // After a hand-over nothing more is done; the agent may still say its closing words.
  const cancelled = state.transferred
    ? callsCancelled(state, 'the customer was handed over to a person')
    : [];
  const next = startNext(state.transferred ? { ...state, queue: [] } : state);
  return { state: next.state, effects: [...effects, ...cancelled, ...next.effects] };
}
