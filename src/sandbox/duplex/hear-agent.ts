import type { RecordEvent } from '../../episodes/index.js';
import type { Aside } from '../../protocol/index.js';
import { agentPauses, agentTalks, customerStops, decide, type TurnDecision } from '../../user/index.js';
import { endEpisode } from '../session/ending.js';
import { askCustomer, timer } from '../session/floor.js';
import { wordsOnRecord } from '../session/speaking.js';
import type { HeardSaying, SessionEffect, SessionState, Transition } from '../session/state.js';
import { type BreakIn, type Duplex, type Hearing, msToSamples } from './duplex.js';
import { wordsBy, wordsSaid } from './words-said.js';

/**
 * A message of the agent's, heard on the call's clock: the customer listens along, may check in before it, murmur in it,
 * break into it, and at the end answers it. Everything is known beforehand, so time passes as quickly as it is worked out.
 */

type Playing = SessionState & { readonly duplex: Duplex };

/** The message begins where the agent was free to speak, later by the silence that it tells of. */
export function hearAgent(state: Playing, said: HeardSaying): Transition {
  const { duplex } = state;
  const { delivery } = said;
  if (delivery === undefined) throw new TypeError('a message without its talk cannot be heard');
  const silent = msToSamples(duplex, duplex.silentMs + delivery.silentMs);
  const from = duplex.bargeAt ?? state.callNow ?? duplex.freeAt + silent;
  const startSample = Math.max(from, duplex.turns.now);
  const { talk, yieldMs } = delivery;
  const hearing: Hearing = {
    ...{ said, talk, startSample, yieldSamples: msToSamples(duplex, yieldMs), begun: false },
  };
  const edges = talk.talks.flatMap((one) => [
    { at: startSample + one.startSample, talks: true },
    { at: startSample + one.endSample, talks: false },
  ]);
  const next: Playing = {
    ...state,
    duplex: {
      ...{ ...duplex, hearing, edges: [...duplex.edges, ...edges], silentMs: 0 },
      ...{ bargeAt: null, interjectedAt: null },
    },
  };
  return goOn(next);
}

export interface Step {
  readonly state: Playing;
  readonly effects: readonly SessionEffect[];
}

/** Once the clock has come to the message it is on the record. */
export function begin(state: Playing): Step {
  const { duplex, turn } = state;
  const { hearing, turns } = duplex;
  if (hearing === null || hearing.begun || turns.now < hearing.startSample) return { state, effects: [] };
  const { said, talk, startSample } = hearing;
  const { text, reasoning, audio, transcript, words } = said;
  const event: RecordEvent = {
    ...{ type: 'agent', turn, text, reasoning },
    ...(audio === null ? {} : { audio }),
    ...(transcript === null ? {} : { transcript }),
    ...wordsOnRecord(words),
    call: {
      ...{ startSample, samples: talk.samples, timing: talk.timing },
      talks: talk.talks.map((one) => ({ ...one })),
    },
  };
  return {
    state: { ...state, duplex: { ...duplex, hearing: { ...hearing, begun: true } } },
    effects: [{ type: 'record', event }],
  };
}

/** Goes on until the customer speaks or hangs up. */
export function goOn(before: Playing, earlier: readonly SessionEffect[] = []): Transition {
  let state = before;
  const effects = [...earlier];
  for (;;) {
    const { duplex } = state;
    const [edge, ...edges] = duplex.edges;
    const { turns, decision } = decided(duplex, edge?.at ?? Number.POSITIVE_INFINITY);
    const begun = begin({ ...state, duplex: { ...duplex, turns } });
    state = begun.state;
    effects.push(...begun.effects);
    if (decision === null) {
      if (edge === undefined) throw new RangeError('the customer never speaks again');
      const heard = edge.talks ? agentTalks(turns, edge.at) : agentPauses(turns, edge.at);
      state = { ...state, duplex: { ...state.duplex, turns: heard, edges } };
      continue;
    }
    if (decision.type === 'yield') {
      const cut = yieldTo(state, decision);
      state = cut.state;
      effects.push(...cut.effects);
      continue;
    }
    return speakUp(state, decision, effects);
  }
}

export function decided({ turns }: Duplex, until: number) {
  const last = Math.round((turns.rules.callMs * turns.sampleRateHz) / 1_000) + 1;
  const { state, decision } = decide(turns, Math.min(until, Math.max(last, turns.now)));
  return { turns: state, decision };
}

/** The customer has been talked down: the rest of its utterance stays unsaid. */
export function yieldTo(
  state: Playing,
  { at, because }: Extract<TurnDecision, { type: 'yield' }>,
  agentStart?: number,
): Step {
  const { duplex } = state;
  const { own, turns } = duplex;
  if (own === null)
    return { state: { ...state, duplex: { ...duplex, turns: customerStops(turns, at) } }, effects: [] };
  const samplesSaid = at - own.startSample;
  const whole = { talks: [{ startSample: 0, endSample: own.samples }], words: own.words };
  const saidText = wordsSaid(own.text, whole, samplesSaid);
  const event: RecordEvent = {
    ...{ type: 'customer_yielded', turn: own.turn, utterance: own.utterance, because },
    agentStartSample: agentStart ?? Math.max(own.startSample, turns.talk?.start ?? own.startSample),
    ...{ samplesSaid, samplesSent: own.samplesSent, saidText },
    words: wordsBy(own.text, whole),
  };
  const cut: Duplex = {
    ...{ ...duplex, turns: customerStops(turns, at), own: { ...own, samples: samplesSaid } },
    ...{ cutOff: own.isLine ? saidText : duplex.cutOff },
    ...{ freeAt: Math.max(at, duplex.edges.at(-1)?.at ?? 0) },
  };
  return { state: { ...state, duplex: cut }, effects: [{ type: 'record', event }] };
}

const WHY = {
  silence: 'the agent was silent, and the customer had asked twice whether it was there',
  talked_over: 'the agent talked down one utterance of the customer after the other',
  monologue: 'the agent talked without a pause',
  too_long: 'the call had lasted too long',
} as const;

export function speakUp(
  state: Playing,
  decision: Exclude<TurnDecision, { type: 'yield' }>,
  effects: readonly SessionEffect[],
): Transition {
  const { duplex } = state;
  const { at } = decision;
  switch (decision.type) {
    case 'hang_up': {
      const seconds = Math.round(at / duplex.turns.sampleRateHz);
      return endEpisode(state, 'customer_gave_up', {
        effects,
        detail: `after ${seconds} s of the call: ${WHY[decision.why]}`,
      });
    }
    case 'backchannel':
      return murmur(state, { kind: 'backchannel', at }, effects);
    case 'check_in': {
      // Before the message it is beside the line; after one that held no sound it is the answer.
      if (duplex.edges.length > 0) return murmur(state, { kind: 'check_in', at }, effects);
      const next: Playing = {
        ...state,
        duplex: { ...duplex, next: { cause: 'check_in', at, breakIn: null } },
      };
      const { generation } = next.floor;
      return {
        state: next,
        effects: [
          ...effects,
          { type: 'ask', generation, agentText: '', phrase: 'check_in', at },
          timer(next, next.limits.feedbackTimeoutMs),
        ],
      };
    }
    case 'answer':
    case 'interrupt':
      return answer(state, { at, cause: decision.type === 'answer' ? 'answer' : 'interruption' }, effects);
  }
}

export function murmur(
  state: Playing,
  aside: { readonly kind: Aside; readonly at: number },
  effects: readonly SessionEffect[],
): Transition {
  const { generation } = state.floor;
  return {
    state: { ...state, duplex: { ...state.duplex, aside: aside.kind } },
    effects: [
      ...effects,
      { type: 'aside', generation, ...aside },
      timer(state, state.limits.feedbackTimeoutMs),
    ],
  };
}

/** The customer speaks to what it has heard; of an agent that has not finished the rest stays unheard. */
function answer(
  state: Playing,
  { at, cause }: { readonly at: number; readonly cause: 'answer' | 'interruption' },
  effects: readonly SessionEffect[],
): Transition {
  const { duplex } = state;
  const { hearing, unanswered, cutOff } = duplex;
  const answered =
    hearing === null ? '' : wordsSaid(hearing.said.text, hearing.talk, at - hearing.startSample);
  const text = [unanswered, answered].filter((part) => part !== '').join(' ');
  const breakIn = hearing === null ? null : breakInto(state, hearing, { at, cause });
  const asked: Playing = {
    ...state,
    duplex: { ...duplex, hearing: null, next: { cause, at, breakIn }, unanswered: '', cutOff: null },
  };
  return {
    state: asked,
    effects: [...effects, ...askCustomer(asked, text, { at, ...(cutOff === null ? {} : { cutOff }) })],
  };
}

/** What becomes of the message when the customer speaks into it; null: it was over. */
function breakInto(
  { duplex, turn }: Playing,
  { said, talk, startSample, yieldSamples }: Hearing,
  { at, cause }: { readonly at: number; readonly cause: 'answer' | 'interruption' },
): BreakIn | null {
  const agentEnd = duplex.edges.at(-1)?.at ?? at;
  if (agentEnd <= at) return null;
  const agentStopSample = Math.min(agentEnd, at + yieldSamples);
  const heardTo = (sample: number): string => wordsSaid(said.text, talk, sample - startSample);
  const [answeredText, heardText] = [heardTo(at), heardTo(agentStopSample)];
  const edges = duplex.edges.filter((edge) => edge.at < agentStopSample);
  const talksOn = edges.at(-1)?.talks ?? duplex.turns.talk?.pausedAt === null;
  return {
    event: {
      ...{ type: 'customer_interrupted', turn, cause: cause === 'answer' ? 'pause' : 'interruption' },
      ...{ atSample: at, agentStopSample, heardSamples: agentStopSample - startSample },
      ...{ answeredText, heardText, words: wordsBy(said.text, talk) },
    },
    after: {
      edges: talksOn ? [...edges, { at: agentStopSample, talks: false }] : edges,
      unanswered: heardText.slice(answeredText.length).trim(),
      freeAt: agentStopSample,
    },
    agentEnd,
  };
}
