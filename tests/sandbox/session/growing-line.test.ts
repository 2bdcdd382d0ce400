import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/retail/index.js';
import { DEFAULT_LIMITS } from '../../../src/sandbox/options.js';
import { openingState, reduceSession } from '../../../src/sandbox/session/reducer.js';
import type { SessionEffect, SessionEvent, SessionState } from '../../../src/sandbox/session/state.js';
import type { GrowingLine, SpokenLine } from '../../../src/speech/index.js';

const LIMITS = { ...DEFAULT_LIMITS, maxErrors: 3 };
const clip = { samples: new Int16Array(1600), sampleRateHz: 16_000 };
const spoken: SpokenLine = {
  ...{ written: 'Hello.', spoken: 'Hello.', clip, sha256: 'a'.repeat(64), durationMs: 100, voiceId: 'v' },
};
const growing: GrowingLine = {
  growing: { sampleRateHz: 16_000, follow: () => new Promise(() => undefined) },
  whole: new Promise(() => undefined),
};
const outcome: Outcome = {
  ...{ rule: 'tau2', success: false, reward: 0, unscored: [], difference: [], unsaid: [] },
  scores: { database: 0, writes: 0, communicate: null, actions: null, assertions: null },
};
const sound = { samples: 800, sampleRateHz: 16_000, wholeSamples: 1600 };
const begin = { type: 'line', generation: 1, line: { text: 'Hello.' } } as const;
const lineWhole: SessionEvent = { ...begin, spoken };
const lineGrowing: SessionEvent = { ...begin, spoken: null, growing };
const voiced: SessionEvent = { type: 'voiced', spoken };
const delivered: SessionEvent = { type: 'delivered', generation: 2, sound };

interface Played {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
}

function play(events: readonly SessionEvent[], from: Partial<SessionState> = {}): Played {
  let state: SessionState = { ...openingState('e', LIMITS), ...from };
  const effects: SessionEffect[] = [];
  const queue = [...events];
  for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
    const next = reduceSession(state, event);
    state = next.state;
    effects.push(...next.effects);
    if (next.effects.some(({ type }) => type === 'verify')) queue.unshift({ type: 'verified', outcome });
  }
  return { state, effects };
}

const kept = ({ effects }: Played): string[] =>
  effects.flatMap((effect) => (['record', 'finish'].includes(effect.type) ? [JSON.stringify(effect)] : []));
const sent = ({ effects }: Played): string[] =>
  effects.flatMap((effect) => (effect.type === 'send' ? [JSON.stringify(effect)] : []));
const recorded = ({ effects }: Played): string[] =>
  effects.flatMap((effect) =>
    effect.type === 'record' ? [effect.event.type] : effect.type === 'finish' ? ['finish'] : [],
  );
const timers = ({ effects }: Played): (number | null)[] =>
  effects.flatMap((effect) => (effect.type === 'timer' ? [effect.delayMs] : []));

/** What may happen while a line is sent. */
const meanwhile = fc.array(
  fc.constantFrom<SessionEvent>(
    { type: 'interrupt', utterance: 0, heardSamples: 400 },
    { type: 'interrupt', utterance: 3 },
    { type: 'refused', code: 'bad_json', message: 'no' },
    { type: 'message', text: 'Hi', speech: null, reasoning: null },
    { type: 'calls', batched: false, wire: true, calls: [{ callId: 'a', name: 'think', arguments: {} }] },
    { type: 'stop', reason: 'done' },
    { type: 'silence', generation: 2 },
    { type: 'timeout', generation: 1 },
    { type: 'disconnected' },
  ),
  { maxLength: 6 },
);

describe('a line that is sent while it is made', () => {
  it('leaves the record of one that was whole before, whenever it becomes whole and whatever happens meanwhile', () => {
    fc.assert(
      fc.property(meanwhile, fc.nat(6), fc.boolean(), (events, place, hangsUp) => {
        const whole = play([
          hangsUp ? { ...lineWhole, line: { text: 'Hello.', end: 'stop' } } : lineWhole,
          ...events,
          delivered,
        ]);
        const at = Math.min(place, events.length);
        const streamed = play([
          hangsUp ? { ...lineGrowing, line: { text: 'Hello.', end: 'stop' } } : lineGrowing,
          ...[...events.slice(0, at), voiced, ...events.slice(at)],
          delivered,
        ]);
        expect(kept(streamed)).toEqual(kept(whole));
        expect(sent(streamed)).toEqual(sent(whole));
        expect(streamed.state.floor).toEqual(whole.state.floor);
        expect(streamed.state.voicing).toBeNull();
      }),
    );
  });

  it('keeps everything back until then, the end of the episode too', () => {
    const waiting = play([
      lineGrowing,
      { type: 'refused', code: 'bad_json', message: 'no' },
      { type: 'disconnected' },
    ]);
    expect(recorded(waiting)).toEqual([]);
    expect(recorded(play([voiced], waiting.state))).toEqual([
      'customer',
      'agent_error',
      'end',
      'outcome',
      'finish',
    ]);
  });

  it('gives the voice its time, and then the agent', () => {
    expect(timers(play([lineGrowing]))).toEqual([LIMITS.feedbackTimeoutMs]);
    expect(timers(play([lineGrowing, voiced])).at(-1)).toBe(LIMITS.agentTimeoutMs);
    expect(timers(play([lineGrowing, voiced], { pacing: 'realtime' })).at(-1)).toBe(
      LIMITS.agentTimeoutMs + 100,
    );
  });

  it.each([
    [
      'a voice that fails',
      { type: 'voice_failed', detail: 'it broke off' },
      'platform_failed',
      'it broke off',
    ],
    [
      'a voice that is too slow',
      { type: 'timeout', generation: 2 },
      'platform_failed',
      'the voice did not finish its line in time',
    ],
    ['a sandbox that closes', { type: 'shutdown' }, 'shutdown', undefined],
  ] satisfies [string, SessionEvent, string, string | undefined][])(
    'ends with %s, as the platform’s',
    (_, event, reason, detail) => {
      const ended = play([
        lineGrowing,
        { type: 'refused', code: 'bad_json', message: 'no' },
        event,
        voiced,
        delivered,
      ]);
      expect(recorded(ended)).toEqual(['agent_error', 'end', 'outcome', 'finish']);
      const end = ended.effects.find((effect) => effect.type === 'record' && effect.event.type === 'end');
      expect(end).toMatchObject({ event: { reason, owner: 'platform' } });
      expect(end?.type === 'record' && 'detail' in end.event ? end.event.detail : undefined).toBe(detail);
    },
  );

  it('whose agent has left, and that is never whole, lets the episode end all the same', () => {
    const ended = play([
      lineGrowing,
      { type: 'disconnected' },
      { type: 'voice_failed', detail: 'it broke off' },
    ]);
    expect(recorded(ended)).toEqual(['end', 'outcome', 'finish']);
    expect(ended.state.end).toBe('agent_disconnected');
  });
});
