import { agentPauses, agentTalks, nextDecision } from '../../user/index.js';
import { refuse } from '../session/ending.js';
import { stay, timer } from '../session/floor.js';
import type { EventOf, SessionEffect, SessionState, Transition } from '../session/state.js';
import { isOver, passFloor } from '../session/turn-sequencer.js';
import type { Duplex } from './duplex.js';
import { decided, murmur, speakUp, yieldTo } from './hear-agent.js';

/**
 * The agent's turn by the wall clock: the customer notices when nothing comes, and listens to a voice that is still being
 * uploaded. It may murmur into it and break in; what was said is known, and answered, when the message comes.
 */

type Playing = SessionState & { readonly duplex: Duplex };

export function takeVoice(state: SessionState, { at, talks, lost }: EventOf<'voice'>): Transition {
  const { duplex, floor } = state;
  if (duplex === null || duplex.hearing !== null || isOver(floor)) return stay(state);
  const before = lost === true ? duplex.edges.filter((edge) => edge.at <= at) : duplex.edges;
  const edges = [...before, { at, talks }].sort((one, other) => one.at - other.at);
  const next: Playing = { ...state, duplex: { ...duplex, edges } };
  if (floor.holder !== 'agent') return stay(next);
  // Who talks is not silent; how long one may talk the customer decides.
  const talkMs = talks ? duplex.turns.rules.monologueMs : 0;
  const heard = listenAlong(next);
  if (heard.state.floor.generation !== floor.generation) return heard;
  return { ...heard, effects: [timer(next, next.limits.agentTimeoutMs + talkMs), ...heard.effects] };
}

/** Takes what the call has come to: what is heard, and what the customer makes of it. */
export function listenAlong(before: Playing): Transition {
  let state = before;
  const effects: SessionEffect[] = [];
  const now = state.callNow ?? state.duplex.turns.now;
  for (;;) {
    const [edge, ...edges] = state.duplex.edges;
    const due = edge !== undefined && edge.at <= now ? edge : null;
    const { turns, decision } = decided(state.duplex, due?.at ?? now);
    state = { ...state, duplex: { ...state.duplex, turns } };
    if (decision === null || decision.type === 'answer') {
      // Nobody knows yet what there is to answer: the message will say.
      if (due === null) return { state, effects: [...effects, ...awaitAgent(state)] };
      const heard = due.talks ? agentTalks(turns, due.at) : agentPauses(turns, due.at);
      state = { ...state, duplex: { ...state.duplex, turns: heard, edges } };
      continue;
    }
    if (decision.type === 'yield') {
      const cut = yieldTo(state, decision);
      state = cut.state;
      effects.push(...cut.effects);
      continue;
    }
    const { type, at } = decision;
    if (type === 'hang_up') return speakUp(state, decision, effects);
    if (type === 'interrupt') state = { ...state, duplex: { ...state.duplex, interjectedAt: at } };
    const kind = type === 'interrupt' ? 'interruption' : type;
    return murmur({ ...state, floor: passFloor(state.floor, 'customer') }, { kind, at }, effects);
  }
}

/** Sees to it that the customer decides when it is time, if nothing happens before. */
export function awaitAgent({ duplex, callNow, floor }: SessionState): SessionEffect[] {
  if (duplex === null || callNow === null) return [];
  const { turns, edges } = duplex;
  const decision = nextDecision(turns);
  const times = [
    ...(decision === null || decision.type === 'answer' ? [] : [decision.at]),
    ...edges.slice(0, 1).map(({ at }) => at),
  ];
  if (times.length === 0) return [];
  const delayMs = ((Math.min(...times) - callNow) * 1_000) / turns.sampleRateHz;
  return [{ type: 'silence', generation: floor.generation, delayMs: Math.max(0, Math.ceil(delayMs)) + 1 }];
}

/** A message that comes while the customer says something beside its lines, other than asking for it, is taken after it. */
export function holdMessage(state: SessionState, event: EventOf<'message'>): Transition | null {
  const { duplex, callNow } = state;
  if (duplex === null || callNow === null || duplex.hearing !== null) return null;
  if (duplex.aside === null || duplex.aside === 'check_in') return null;
  if (duplex.held !== null)
    return refuse(state, 'not_your_turn', 'your last message is being listened to; wait for customer.end');
  return stay({ ...state, duplex: { ...duplex, held: { ...event, toldAt: callNow } } });
}
