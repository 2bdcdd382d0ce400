import { moveWords } from '../../speech/index.js';
import { settleLine, speakOver } from '../duplex/customer-speech.js';
import type { Duplex } from '../duplex/duplex.js';
import { goOn, yieldTo } from '../duplex/hear-agent.js';
import { awaitAgent, listenAlong } from '../duplex/live-talk.js';
import { takeMessage } from './agent-messages.js';
import { audioRef, customerRecord } from './customer-record.js';
import { endEpisode, refuse, stale } from './ending.js';
import { askCustomer, handToAgent, stay, timer } from './floor.js';
import { wordsOnRecord } from './speaking.js';
import type { EventOf, SessionEffect, SessionState, Transition, Voicing } from './state.js';
import { isCurrent, passFloor } from './turn-sequencer.js';

/** The customer's side of a turn: its line, its delivery, and being broken in upon. */

export function takeLine(state: SessionState, event: EventOf<'line'>): Transition {
  if (!isCurrent(state.floor, 'customer', event.generation)) return stay(state);
  const { line, spoken, growing } = event;
  if (line.text === '' && line.end === undefined)
    return endEpisode(state, 'customer_failed', { detail: 'the customer said nothing and did not hang up' });
  const next: SessionState = {
    ...state,
    floor: passFloor(state.floor, 'delivery'),
    utterances: state.utterances + 1,
    ...{ sound: null, interruption: null },
    pendingEnd: line.end === undefined ? null : 'customer_stop',
  };
  const { turn, utterances: utterance } = state;
  if (growing !== undefined) return sendWhileMade(next, { line, growing, turn, utterance });
  const over = speakLineOver(next, event, utterance);
  // At the speed of speech sending alone takes as long as the sound.
  const speakingMs =
    state.pacing === 'realtime' ? (spoken?.durationMs ?? 0) + waitMs(over?.state ?? state) : 0;
  const record: SessionEffect = {
    type: 'record',
    event: {
      ...customerRecord({ line, spoken, turn, utterance }),
      ...(over === null ? {} : { call: over.call }),
    },
  };
  return {
    state: over?.state ?? next,
    effects: [
      ...(over?.before ?? []),
      record,
      ...(over?.effects ?? []),
      {
        ...{ type: 'deliver', generation: next.floor.generation, turn, utterance, line, spoken },
        ...(over === null ? {} : { callSample: over.call.startSample, samples: over.call.samples }),
      },
      timer(next, state.limits.agentTimeoutMs + speakingMs),
    ],
  };
}

/** The voice is not done with the line: what the record says of it comes with `voiced`, and so does the agent's time. */
function sendWhileMade(
  next: SessionState,
  said: Required<Pick<EventOf<'line'>, 'line' | 'growing'>> & Pick<Voicing, 'turn' | 'utterance'>,
): Transition {
  const { line, turn, utterance, growing } = said;
  const { generation } = next.floor;
  return {
    state: { ...next, voicing: { line, turn, utterance, held: [] } },
    effects: [
      { type: 'deliver', generation, turn, utterance, line, spoken: null, growing },
      timer(next, next.limits.feedbackTimeoutMs),
    ],
  };
}

/** With turn-taking: until the customer speaks, where that is later than now. */
function waitMs({ duplex, callNow }: SessionState): number {
  if (duplex === null || callNow === null) return 0;
  return Math.max(0, ((duplex.next.at - callNow) * 1_000) / duplex.turns.sampleRateHz);
}

/** With turn-taking: where on the call's clock it is said, and how far. */
function speakLineOver(before: SessionState, { line, spoken }: EventOf<'line'>, utterance: number) {
  const { turn } = before;
  if (before.duplex === null || spoken === null) return null;
  const settled = settleLine({ ...before, duplex: before.duplex }, line.end !== undefined);
  const { duplex } = settled.state;
  const { cause, at } = duplex.next;
  const over = speakOver(settled.state, {
    ...{ kind: cause, at, utterance, turn, text: line.text, isLine: cause !== 'check_in' },
    ...onCallClock(spoken, duplex.turns.sampleRateHz),
  });
  const { saidSamples: samples, effects } = over;
  return { state: over.state, before: settled.effects, effects, call: { startSample: at, samples, cause } };
}

function onCallClock({ clip, words }: Spoken, toHz: number) {
  const ratio = toHz / clip.sampleRateHz;
  const samples = Math.round(clip.samples.length * ratio);
  return { samples, ...(words === undefined ? {} : { words: moveWords(words, { ratio }) }) };
}

/** Said beside the lines, in the middle of the agent's message or before it. */
export function takeAside(state: SessionState, event: EventOf<'aside'>): Transition {
  const { duplex } = state;
  if (!isCurrent(state.floor, 'customer', event.generation) || duplex === null) return stay(state);
  const { kind, at, text, spoken } = event;
  const turn = duplex.hearing?.begun === false ? state.turn - 1 : state.turn;
  const utterance = state.utterances;
  const over = speakOver(
    {
      ...{ ...state, duplex, utterances: utterance + 1, sound: null, interruption: null },
      floor: passFloor(state.floor, 'delivery'),
    },
    {
      ...{ kind: kind === 'interruption' ? 'interjection' : kind, at, utterance, turn, text, isLine: false },
      ...onCallClock(spoken, duplex.turns.sampleRateHz),
    },
  );
  const { saidSamples: samples } = over;
  const record: SessionEffect = {
    type: 'record',
    event: {
      ...{ type: 'aside', turn, utterance, kind, text, spoken: spoken.spoken, audio: audioRef(spoken) },
      ...{ startSample: at, samples },
      ...wordsOnRecord(spoken.words),
    },
  };
  const { generation } = over.state.floor;
  return {
    state: over.state,
    effects: [
      record,
      ...over.effects,
      {
        ...{ type: 'deliver', generation, turn, utterance, line: { text }, spoken },
        ...{ aside: kind, callSample: at, samples },
      },
      timer(over.state, state.limits.agentTimeoutMs),
    ],
  };
}

type Spoken = NonNullable<EventOf<'line'>['spoken']>;

export function takeDelivered(state: SessionState, event: EventOf<'delivered'>): Transition {
  if (!isCurrent(state.floor, 'delivery', event.generation)) return stay(state);
  const { duplex } = state;
  if (duplex !== null && duplex.aside !== null)
    return takeAsideSaid({ ...state, duplex: { ...duplex, aside: null } });
  const cut = cutShort(state, event.sound);
  const next = { ...cut.state, sound: event.sound, openTurn: state.turn };
  const effects = [...recordInterruption(next), ...cut.effects];
  if (next.pendingEnd !== null) return endEpisode(next, next.pendingEnd, { effects });
  if (next.turn >= next.limits.maxTurns) return endEpisode(next, 'turn_limit', { effects });
  const handed = handToAgent(next);
  return { state: handed.state, effects: [...effects, ...handed.effects, ...awaitAgent(handed.state)] };
}

/** What was said beside the lines has been said: the agent goes on, or is waited for. */
function takeAsideSaid(state: SessionState & { readonly duplex: Duplex }): Transition {
  if (state.duplex.hearing !== null) return goOn({ ...state, floor: passFloor(state.floor, 'customer') });
  const { held } = state.duplex;
  const handed = handToAgent({ ...state, duplex: { ...state.duplex, held: null } });
  const next = held === null ? null : takeMessage(handed.state, held);
  if (next !== null) return { ...next, effects: [...handed.effects, ...next.effects] };
  const { talk, rules } = state.duplex.turns;
  const talksOn =
    talk?.pausedAt === null ? [timer(handed.state, state.limits.agentTimeoutMs + rules.monologueMs)] : [];
  return { state: handed.state, effects: [...handed.effects, ...talksOn, ...awaitAgent(handed.state)] };
}

export function takeSilence(state: SessionState, event: EventOf<'silence'>): Transition {
  const { duplex } = state;
  if (!isCurrent(state.floor, 'agent', event.generation) || duplex === null || state.running !== null)
    return stay(state);
  return listenAlong({ ...state, duplex });
}

/** With the wall clock an agent that breaks in keeps the rest of the utterance from being sent. */
function cutShort(state: SessionState, sound: EventOf<'delivered'>['sound']) {
  const { duplex, interruption } = state;
  const own = duplex?.own ?? null;
  if (
    duplex === null ||
    own === null ||
    sound === null ||
    interruption === null ||
    sound.samples >= own.samples
  )
    return { state, effects: [] };
  const at = own.startSample + sound.samples;
  const agentStartSample = Math.min(at, own.startSample + (interruption.heardSamples ?? sound.samples));
  const sent = { ...duplex, bargeAt: null, own: { ...own, samplesSent: sound.samples } };
  const cut = yieldTo(
    { ...state, duplex: sent },
    { type: 'yield', at, because: 'interrupted' },
    agentStartSample,
  );
  return { state: { ...cut.state, duplex: { ...cut.state.duplex, freeAt: at } }, effects: cut.effects };
}

function recordInterruption({ turn, utterances, sound, interruption }: SessionState): SessionEffect[] {
  if (interruption === null || sound === null) return [];
  const { samples: samplesSent, sampleRateHz } = sound;
  return [
    {
      type: 'record',
      event: {
        ...{ type: 'interrupted', turn, utterance: utterances - 1, samplesSent, sampleRateHz },
        samplesHeard: interruption.heardSamples,
      },
    },
  ];
}

/**
 * While the utterance is sent, the rest of it is kept back. After that (with `fast` pacing the whole is sent long before
 * it is played) it is only noted how much was heard.
 */
export function takeInterrupt(state: SessionState, event: EventOf<'interrupt'>): Transition {
  const last = state.utterances - 1;
  if (event.utterance > last)
    return refuse(
      state,
      'bad_message',
      `utterance ${event.utterance} has not begun; the last one is ${last}`,
    );
  const interruption = { heardSamples: event.heardSamples ?? null };
  const sending = state.floor.holder === 'delivery';
  const played = state.floor.holder === 'agent';
  if (event.utterance < last || state.interruption !== null || !(sending || played))
    return stale(state, `utterance ${event.utterance} is over; there is nothing to interrupt`);
  if (sending) return interruptSending({ ...state, interruption });
  if (state.sound === null) return stale(state, 'the utterance was text and is over');
  const next = { ...state, interruption, duplex: bargeIn(state, interruption.heardSamples) };
  return { state: next, effects: recordInterruption(next) };
}

/** With turn-taking the customer talks on for a moment; in virtual time the rest is sent all the same, and never said. */
function interruptSending(state: SessionState): Transition {
  const { duplex, pacing } = state;
  if (duplex === null) return { state, effects: [{ type: 'hush' }] };
  const barged = { ...state, duplex: bargeIn(state, state.interruption?.heardSamples ?? null) };
  const { yieldWhenInterruptedMs: afterMs } = duplex.turns.rules;
  return { state: barged, effects: pacing === 'fast' ? [] : [{ type: 'hush', afterMs }] };
}

/** With turn-taking: the agent began to speak while the customer did; its message will say what. */
function bargeIn({ duplex, utterances }: SessionState, heardSamples: number | null): SessionState['duplex'] {
  const own = duplex?.own ?? null;
  if (duplex === null || own === null || own.utterance !== utterances - 1) return duplex;
  if (heardSamples === null || heardSamples >= own.samples) return duplex;
  return { ...duplex, bargeAt: own.startSample + heardSamples };
}

export function askFirst(state: SessionState): Transition {
  return { state, effects: askCustomer(state, null) };
}
