import { pcmDurationMs } from '../../audio/index.js';
import { settleLine, speakOver } from '../duplex/customer-speech.js';
import { goOn } from '../duplex/hear-agent.js';
import { endEpisode, refuse, stale } from './ending.js';
import { askCustomer, handToAgent, stay, timer } from './floor.js';
import type { EventOf, SessionEffect, SessionState, Transition } from './state.js';
import { isCurrent, passFloor } from './turn-sequencer.js';

/** The customer's side of a turn: its line, its delivery, and being broken in upon. */

export function takeLine(state: SessionState, event: EventOf<'line'>): Transition {
  if (!isCurrent(state.floor, 'customer', event.generation)) return stay(state);
  const { line, spoken } = event;
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
  const over = speakLineOver(next, event, utterance);
  // At the speed of speech sending alone takes as long as the sound.
  const speakingMs = state.pacing === 'realtime' ? (spoken?.durationMs ?? 0) : 0;
  const record: SessionEffect = {
    type: 'record',
    event: {
      ...{ type: 'customer', turn, utterance, text: line.text, spoken: spoken?.spoken ?? null },
      audio: spoken === null ? null : audioRef(spoken),
      ...conditionsOf(spoken),
      end: line.end ?? null,
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

/** With turn-taking: where on the call's clock it is said, and how far. */
function speakLineOver(before: SessionState, { line, spoken }: EventOf<'line'>, utterance: number) {
  const { turn } = before;
  if (before.duplex === null || spoken === null) return null;
  const settled = settleLine({ ...before, duplex: before.duplex }, line.end !== undefined);
  const { duplex } = settled.state;
  const { cause, at } = duplex.next;
  const over = speakOver(settled.state, {
    ...{ kind: cause, at, utterance, turn, text: line.text, isLine: cause !== 'check_in' },
    samples: onCallClock(spoken.clip, duplex.turns.sampleRateHz),
  });
  const { saidSamples: samples, effects } = over;
  return { state: over.state, before: settled.effects, effects, call: { startSample: at, samples, cause } };
}

function onCallClock({ samples, sampleRateHz }: Spoken['clip'], toHz: number): number {
  return Math.round((samples.length * toHz) / sampleRateHz);
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
      ...{ kind, at, utterance, turn, text, isLine: false },
      samples: onCallClock(spoken.clip, duplex.turns.sampleRateHz),
    },
  );
  const { saidSamples: samples } = over;
  const record: SessionEffect = {
    type: 'record',
    event: {
      ...{ type: 'aside', turn, utterance, kind, text, spoken: spoken.spoken, audio: audioRef(spoken) },
      ...{ startSample: at, samples },
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

function audioRef({ sha256, durationMs, clip }: Pick<Spoken, 'sha256' | 'durationMs' | 'clip'>) {
  return { sha256, sampleRateHz: clip.sampleRateHz, samples: clip.samples.length, durationMs };
}

/** What the conditions of the line did, if they did anything. */
function conditionsOf(spoken: Spoken | null) {
  if (spoken?.clean === undefined) return {};
  const { clean, timeline: effects } = spoken;
  const durationMs = pcmDurationMs(clean.clip);
  return { clean: audioRef({ ...clean, durationMs }), ...(effects === undefined ? {} : { effects }) };
}

export function takeDelivered(state: SessionState, event: EventOf<'delivered'>): Transition {
  if (!isCurrent(state.floor, 'delivery', event.generation)) return stay(state);
  const { duplex } = state;
  if (duplex?.aside === true)
    return goOn({
      ...{ ...state, floor: passFloor(state.floor, 'customer') },
      duplex: { ...duplex, aside: false },
    });
  const next = { ...state, sound: event.sound, openTurn: state.turn };
  const effects = recordInterruption(next);
  if (next.pendingEnd !== null) return endEpisode(next, next.pendingEnd, { effects });
  if (next.turn >= next.limits.maxTurns) return endEpisode(next, 'turn_limit', { effects });
  const handed = handToAgent(next);
  return { state: handed.state, effects: [...effects, ...handed.effects] };
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
  if (sending) return { state: { ...state, interruption }, effects: [{ type: 'hush' }] };
  if (state.sound === null) return stale(state, 'the utterance was text and is over');
  const next = { ...state, interruption, duplex: bargeIn(state, interruption.heardSamples) };
  return { state: next, effects: recordInterruption(next) };
}

/** With turn-taking: the agent began to speak while the customer did; its message will say what. */
function bargeIn({ duplex }: SessionState, heardSamples: number | null): SessionState['duplex'] {
  const own = duplex?.own ?? null;
  if (duplex === null || own === null || heardSamples === null || heardSamples >= own.samples) return duplex;
  return { ...duplex, bargeAt: own.startSample + heardSamples };
}

export function askFirst(state: SessionState): Transition {
  return { state, effects: askCustomer(state, null) };
}
