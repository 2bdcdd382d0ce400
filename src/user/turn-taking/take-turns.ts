import { drawBackchannel, drawInterruption } from './draws.js';
import { type TurnDecision, type TurnState, toSamples, type UtteranceKind } from './turn-state.js';

/**
 * Who speaks when, as pure functions on one clock. The caller tells what is heard (`agentTalks`, `agentPauses`) and what
 * the customer says (`customerSpeaks`, `customerStops`), in order of time, and asks in between what the customer decides up to
 * there (`decide`). A decision changes nothing by itself: what becomes of it is told like everything else.
 */
export function agentTalks(before: TurnState, at: number): TurnState {
  const state = passTime(before, at);
  const { talk } = state;
  if (talk !== null) {
    // After the customer's words a quick answer may begin within the pause of the talk that they broke into.
    const isAnswer = talk.pausedAt !== null && state.own === null && !state.owesAnswer;
    return {
      ...{ ...state, talk: { ...talk, pausedAt: null } },
      ...(isAnswer ? { owesAnswer: true, checkIns: 0 } : {}),
    };
  }
  const talks = state.talks + 1;
  const backchannel = drawBackchannel(state, { talk: talks, nth: 0 });
  return {
    ...{ ...state, talks, owesAnswer: true, checkIns: 0 },
    talk: {
      ...{ start: at, pausedAt: null, checks: 0, backchannels: 0 },
      nextCheck: at + toSamples(state, state.rules.interruptCheckMs),
      nextBackchannel: backchannel === null ? null : at + backchannel,
    },
  };
}

export function agentPauses(before: TurnState, at: number): TurnState {
  const state = passTime(before, at);
  const { talk } = state;
  return talk === null || talk.pausedAt !== null ? state : { ...state, talk: { ...talk, pausedAt: at } };
}

export function customerSpeaks(
  before: TurnState,
  said: { readonly kind: UtteranceKind; readonly at: number; readonly samples: number },
): TurnState {
  const state = passTime(before, said.at);
  const own = { kind: said.kind, start: said.at, end: said.at + said.samples };
  const { talk } = state;
  if (said.kind === 'backchannel') return { ...state, own, talk: talk && afterBackchannel(state, own.end) };
  const isInterruption = said.kind === 'interruption';
  return {
    ...{ ...state, own, owesAnswer: false },
    lastWasInterruption: isInterruption || said.kind === 'interjection',
    checkIns: state.checkIns + (said.kind === 'check_in' ? 1 : 0),
    interruptions: state.interruptions + (isInterruption ? 1 : 0),
  };
}

function afterBackchannel(state: TurnState, end: number): TurnState['talk'] {
  const { talk, talks } = state;
  if (talk === null) return null;
  const nth = talk.backchannels + 1;
  const wait = drawBackchannel(state, { talk: talks, nth });
  return { ...talk, backchannels: nth, nextBackchannel: wait === null ? null : end + wait };
}

/** The customer has yielded: the rest of its utterance stays unsaid. */
export function customerStops(before: TurnState, at: number): TurnState {
  const state = passTime(before, at);
  if (state.own === null) return state;
  if (state.own.kind === 'backchannel') return { ...state, own: null };
  return { ...state, own: null, ownEnd: at, cutInRow: state.cutInRow + 1 };
}

/**
 * What the customer decides first, at `until` or earlier, if nothing happens meanwhile; null: nothing. `state` stands at
 * the decision, or at `until`.
 */
export function decide(
  before: TurnState,
  until: number,
): { readonly state: TurnState; readonly decision: TurnDecision | null } {
  let state = before;
  for (;;) {
    const next = firstOf(state);
    // Turned down: the customer thought about breaking in and let it be.
    if (next?.type === 'check' && next.at <= until) {
      state = checked(passTime(state, next.at));
      continue;
    }
    // The end of an utterance or of a talk may make room for something else.
    const change = nextChange(state);
    if (change !== null && change <= until && (next === null || change < next.at)) {
      state = passTime(state, change);
      continue;
    }
    if (next === null || next.type === 'check' || next.at > until)
      return { state: passTime(state, until), decision: null };
    return { state: passTime(state, next.at), decision: next };
  }
}

/** What the customer will decide, if nothing happens before; null: nothing, as things stand. */
export function nextDecision(state: TurnState): TurnDecision | null {
  return decide(state, toSamples(state, state.rules.callMs) + 1).decision;
}

/** The agent breaks in or goes on, or is silent: the parts of the state that change by time alone. */
export function passTime(before: TurnState, at: number): TurnState {
  let state = before.now >= at ? before : { ...before, now: at };
  for (let change = nextChange(state); change !== null && change <= state.now; change = nextChange(state))
    state = applyChange(state, change);
  return state;
}

/** The end of the customer's utterance, or of a talk that has paused for long enough. */
function nextChange({ own, talk, rules, sampleRateHz }: TurnState): number | null {
  const ends = [
    ...(own === null ? [] : [own.end]),
    ...(talk === null || talk.pausedAt === null
      ? []
      : [talk.pausedAt + toSamples({ sampleRateHz }, rules.integrationMs)]),
  ];
  return ends.length === 0 ? null : Math.min(...ends);
}

function applyChange(state: TurnState, at: number): TurnState {
  const { own, talk } = state;
  if (own !== null && own.end === at) {
    const ended = { ...state, own: null };
    if (own.kind === 'backchannel') return ended;
    // Nobody listened: the agent talked on from before the first word to after the last.
    const ignored = talk !== null && talk.pausedAt === null && talk.start < own.start;
    return { ...ended, ownEnd: own.end, cutInRow: ignored ? state.cutInRow + 1 : 0 };
  }
  return { ...state, talk: null, agentEnd: talk?.pausedAt ?? state.agentEnd };
}

type Candidate = TurnDecision | { readonly type: 'check'; readonly at: number };

/** What comes first as things stand. Of two at one sample the earlier in this list: hanging up, then breaking in. */
function firstOf(state: TurnState): Candidate | null {
  const candidates = [...hangUps(state), ...(state.own === null ? speaking(state) : yielding(state))];
  let first: Candidate | null = null;
  for (const one of candidates) {
    const at = Math.max(one.at, state.now);
    if (first === null || at < first.at) first = { ...one, at };
  }
  return first;
}

function hangUps({ rules, sampleRateHz, talk, now, cutInRow, own }: TurnState): TurnDecision[] {
  const ms = (value: number): number => toSamples({ sampleRateHz }, value);
  return [
    { type: 'hang_up', at: ms(rules.callMs), why: 'too_long' },
    ...(own === null && cutInRow >= rules.mostCutInRow
      ? ([{ type: 'hang_up', at: now, why: 'talked_over' }] as const)
      : []),
    ...(talk !== null && talk.pausedAt === null
      ? ([{ type: 'hang_up', at: talk.start + ms(rules.monologueMs), why: 'monologue' }] as const)
      : []),
  ];
}

function speaking(state: TurnState): Candidate[] {
  const { rules, talk, agentEnd, ownEnd, owesAnswer, checkIns } = state;
  if (talk !== null) {
    const { pausedAt, nextCheck, nextBackchannel, checks } = talk;
    // Breaking in is for who hears the agent talk; in a pause the customer waits.
    const mayInterrupt =
      pausedAt === null && state.interruptions < rules.mostInterruptions && !state.lastWasInterruption;
    const check: Candidate[] = !mayInterrupt
      ? []
      : [{ type: drawInterruption(state, checks) ? 'interrupt' : 'check', at: nextCheck }];
    return [
      ...check,
      ...(nextBackchannel === null ? [] : [{ type: 'backchannel', at: nextBackchannel } as const]),
    ];
  }
  if (owesAnswer) return [{ type: 'answer', at: agentEnd + toSamples(state, rules.waitForOtherMs) }];
  const at = Math.max(ownEnd, agentEnd) + toSamples(state, rules.waitAfterSelfMs);
  return [checkIns < rules.mostCheckIns ? { type: 'check_in', at } : { type: 'hang_up', at, why: 'silence' }];
}

function yielding(state: TurnState): TurnDecision[] {
  const { own, talk, rules } = state;
  if (own === null || own.kind === 'backchannel' || talk === null || talk.pausedAt !== null) return [];
  const isOurs = talk.start < own.start;
  const limitMs = isOurs ? rules.yieldWhenInterruptingMs : rules.yieldWhenInterruptedMs;
  const at = Math.max(own.start, talk.start) + toSamples(state, limitMs);
  const because = isOurs ? 'interrupting' : 'interrupted';
  return at < own.end ? [{ type: 'yield', at, because }] : [];
}

function checked(state: TurnState): TurnState {
  const { talk } = state;
  if (talk === null) return state;
  const nextCheck = talk.nextCheck + toSamples(state, state.rules.interruptCheckMs);
  return { ...state, talk: { ...talk, nextCheck, checks: talk.checks + 1 } };
}
