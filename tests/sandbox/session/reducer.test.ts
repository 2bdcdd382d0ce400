import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../../src/episodes/index.js';
import type { Outcome } from '../../../src/retail/index.js';
import { DEFAULT_LIMITS } from '../../../src/sandbox/options.js';
import { openingState, reduceSession } from '../../../src/sandbox/session/reducer.js';
import type { SessionEffect, SessionEvent, SessionState } from '../../../src/sandbox/session/state.js';

const LIMITS = { ...DEFAULT_LIMITS, maxTurns: 4, maxErrors: 3 };
const generation = fc.integer({ min: 1, max: 14 });
const call = fc.record({
  ...{ callId: fc.constantFrom('a', 'b', 'c', 'd'), name: fc.constantFrom('think', 'act') },
  arguments: fc.constant({}),
  fault: fc.option(fc.constant('not understood'), { nil: undefined, freq: 5 }),
});
const outcome: Outcome = {
  ...{ rule: 'tau2', success: false, reward: 0, unscored: [], difference: [], unsaid: [] },
  scores: { database: 0, writes: 0, communicate: null, actions: null, assertions: null },
};

/** Events with any generation, so most of them are stale; `current` ones are given the right one when they are played. */
const event: fc.Arbitrary<SessionEvent & { current?: boolean }> = fc
  .tuple(
    fc.oneof(
      fc.record({
        type: fc.constant('line' as const),
        generation,
        line: fc.record({
          text: fc.constantFrom('', 'Hello', 'Bye'),
          end: fc.option(fc.constantFrom('stop' as const, 'transfer' as const), { nil: undefined, freq: 4 }),
        }),
        spoken: fc.constant(null),
      }),
      fc.record({ type: fc.constant('delivered' as const), generation, sound: fc.constant(null) }),
      fc.record({
        ...{ type: fc.constant('message' as const), text: fc.constant('Hi'), speech: fc.constant(null) },
        ...{ reasoning: fc.constant(null), turn: fc.option(fc.nat(5), { nil: undefined }) },
      }),
      fc.record({
        ...{ type: fc.constant('calls' as const), batched: fc.boolean(), wire: fc.boolean() },
        calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      }),
      fc.record({
        ...{ type: fc.constant('interrupt' as const), utterance: fc.nat(3) },
        heardSamples: fc.option(fc.nat(9), { nil: undefined }),
      }),
      fc.record({
        ...{ type: fc.constant('result' as const), generation },
        ...{ ok: fc.boolean(), content: fc.constant(''), transferred: fc.boolean() },
      }),
      fc.record({ type: fc.constant('timeout' as const), generation }),
      fc.record({
        ...{ type: fc.constant('failed' as const), generation, detail: fc.constant('why') },
        reason: fc.constantFrom('customer_failed' as const, 'platform_failed' as const),
      }),
      fc.constantFrom<SessionEvent>(
        { type: 'stop', reason: 'done' },
        { type: 'disconnected' },
        { type: 'shutdown' },
        { type: 'refused', code: 'bad_json', message: 'no' },
        { type: 'verified', outcome },
      ),
    ),
    fc.boolean(),
  )
  .map(([made, current]) => ({ ...made, current }));

interface Played {
  readonly states: SessionState[];
  readonly effects: SessionEffect[];
}

function play(events: readonly (SessionEvent & { current?: boolean })[]): Played {
  let state = openingState('e', LIMITS);
  const states = [state];
  const effects: SessionEffect[] = [];
  for (const { current, ...next } of [{ type: 'begin' } as const, ...events] as typeof events) {
    const timed = 'generation' in next && current === true;
    const played = timed ? { ...next, generation: state.floor.generation } : next;
    const transition = reduceSession(state, played as SessionEvent);
    state = transition.state;
    states.push(state);
    effects.push(...transition.effects);
  }
  return { states, effects };
}

const recordsOf = (effects: readonly SessionEffect[]): RecordEvent[] =>
  effects.flatMap((effect) => (effect.type === 'record' ? [effect.event] : []));

describe('the rules of a session', () => {
  it('hold whatever happens in whatever order [P-TURN-3]', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const { states, effects } = play(events);
        const records = recordsOf(effects);
        const types = records.map(({ type }) => type);
        for (const [index, state] of states.entries()) {
          expect(state.turn).toBeLessThanOrEqual(LIMITS.maxTurns);
          expect(state.errors).toBeLessThanOrEqual(LIMITS.maxErrors);
          expect(state.floor.generation).toBeGreaterThanOrEqual(states[index - 1]?.floor.generation ?? 0);
        }
        // One end, one verdict, one closing; and nothing but the verdict after the end.
        const count = (type: SessionEffect['type']) =>
          effects.filter((effect) => effect.type === type).length;
        const ends = types.filter((type) => type === 'end').length;
        expect(ends).toBeLessThanOrEqual(1);
        expect(count('verify')).toBe(ends);
        expect(count('finish')).toBeLessThanOrEqual(ends);
        const rest = ends === 0 ? [] : types.slice(types.indexOf('end') + 1);
        expect(rest.join()).toMatch(/^(outcome)?$/);
        // A turn is one action: they are numbered without a gap, and a call's result has the call's number.
        const actions = records.filter(({ type }) => type === 'agent' || type === 'tool_call');
        expect(actions.map((action) => 'turn' in action && action.turn)).toEqual(
          actions.map((_, index) => index + 1),
        );
        const last = states.at(-1);
        expect(actions.length).toBe(last?.turn);
      }),
      { numRuns: 500 },
    );
  });

  it('bring every episode to an end: a timer always runs until it is over', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const { states, effects } = play(events);
        const last = states.at(-1);
        const timers = effects.flatMap((effect) => (effect.type === 'timer' ? [effect] : []));
        const over = last?.floor.holder === 'verdict' || last?.floor.holder === 'nobody';
        expect(timers.at(-1)?.delayMs === null).toBe(over);
        if (!over) expect(timers.at(-1)?.generation).toBe(last?.floor.generation);
      }),
      { numRuns: 500 },
    );
  });

  it('drop an answer of an earlier generation', () => {
    const state = openingState('e', LIMITS);
    const late = { type: 'line', generation: 0, line: { text: 'Late' }, spoken: null } as const;
    expect(reduceSession(state, late)).toEqual({ state, effects: [] });
  });

  it('keep the end the customer decided when the agent goes during the last words', () => {
    const line = { type: 'line', generation: 1, line: { text: 'Bye', end: 'stop' }, spoken: null } as const;
    const { states } = play([line, { type: 'disconnected' }]);
    expect(states.at(-1)?.end).toBe('customer_stop');
  });

  it('name a transfer by the customer’s word alone a customer’s stop', () => {
    const line = { type: 'line', generation: 1, line: { text: '', end: 'transfer' }, spoken: null } as const;
    const { states } = play([line, { type: 'delivered', generation: 2, sound: null }]);
    expect(states.at(-1)?.end).toBe('customer_stop');
  });
});
