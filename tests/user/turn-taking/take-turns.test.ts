import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  agentPauses,
  agentTalks,
  customerSpeaks,
  nextDecision,
  openTurns,
  TURN_TAKING_PRESETS,
  type TurnState,
} from '../../../src/user/index.js';
import '../../helpers/property-seed.js';
import { type AgentScript, drive } from './drive.js';

/** One sample is one millisecond, so that the numbers can be read. */
const HZ = 1_000;
const open = (preset: keyof typeof TURN_TAKING_PRESETS, seed = 1, more = {}): TurnState =>
  openTurns({ ...TURN_TAKING_PRESETS[preset], ...more }, { sampleRateHz: HZ, seed });
const talks = (...pairs: readonly (readonly [number, number])[]): AgentScript => ({
  talks: pairs.map(([gap, length]) => ({ gap, length })),
  yieldSamples: 0,
});
const types = (call: { decisions: readonly { type: string; at: number }[] }) =>
  call.decisions.map(({ type, at }) => `${type} ${at}`);

describe('the customer’s turn-taking', () => {
  it('answers one second after the agent has fallen silent', () => {
    expect(types(drive(open('patient'), talks([500, 3_000]), [2_000]))[0]).toBe('answer 6500');
  });

  it('takes a pause of half a second for part of the talk, and one of a second for the end', () => {
    expect(types(drive(open('patient'), talks([0, 1_000], [400, 1_000]), [1_000]))[0]).toBe('answer 4400');
    expect(types(drive(open('patient'), talks([0, 1_000], [1_100, 1_000]), [1_000]))[0]).toBe('answer 3000');
  });

  it('checks in twice after five seconds of silence, then hangs up', () => {
    expect(types(drive(open('lively'), talks(), [1_000]))).toEqual([
      'check_in 6000',
      'check_in 12000',
      'hang_up 18000',
    ]);
    expect(drive(open('patient'), talks(), [1_000]).decisions.at(-1)).toMatchObject({ why: 'silence' });
  });

  it('stops a second after the agent has broken in, and finishes what takes less', () => {
    const barge = { ...talks([1_500, 4_000]), barges: true };
    expect(types(drive(open('patient'), barge, [6_000]))[0]).toBe('yield 2500');
    expect(types(drive(open('patient'), barge, [2_400]))[0]).toBe('answer 6500');
  });

  it('gives up an interruption after five seconds when the agent talks on', () => {
    const call = drive(
      open('lively', 1, { interruptChance: 1, backchannel: null }),
      { ...talks([0, 20_000]), yieldSamples: null },
      [8_000],
    );
    expect(types(call).slice(0, 2)).toEqual(['interrupt 10000', 'yield 15000']);
  });

  it('answers an agent that answered a short interruption at once', () => {
    let state = agentTalks(open('lively', 1, { backchannel: null }), 0);
    state = customerSpeaks(state, { kind: 'interruption', at: 2_000, samples: 100 });
    state = agentPauses(state, 2_000);
    state = agentPauses(agentTalks(state, 2_300), 3_000);
    expect(nextDecision(state)).toMatchObject({ type: 'answer', at: 4_000 });
  });

  it('hangs up on an agent that talks down four utterances in a row', () => {
    const always = {
      ...talks(...Array.from({ length: 9 }, () => [100, 8_000] as const)),
      barges: true,
      waits: true,
    };
    const { decisions } = drive(open('patient'), always, [6_000]);
    expect(decisions.at(-1)).toMatchObject({ type: 'hang_up', why: 'talked_over' });
    expect(decisions.filter(({ type }) => type === 'yield')).toHaveLength(4);
  });

  it('hangs up on a talk without a pause, and on a call without an end', () => {
    const endless = drive(open('patient'), talks([0, 900_000]), [1_000]);
    expect(endless.decisions.at(-1)).toEqual({ type: 'hang_up', at: 181_000, why: 'monologue' });
    const polite = { ...talks(...Array.from({ length: 900 }, () => [0, 2_000] as const)), waits: true };
    const long = drive(open('patient'), polite, [1_000]);
    expect(long.decisions.at(-1)).toEqual({ type: 'hang_up', at: 1_200_000, why: 'too_long' });
  });

  it('says backchannels three to twelve seconds apart while the agent talks', () => {
    const { customer } = drive(open('attentive', 7), talks([0, 60_000]), [1_000]);
    const heard = customer.filter(({ kind }) => kind === 'backchannel');
    expect(heard.length).toBeGreaterThan(4);
    heard.forEach(({ start }, place) => {
      const before = place === 0 ? 1_000 : (heard[place - 1]?.end ?? 0);
      expect(start - before).toBeGreaterThanOrEqual(3_000);
      expect(start - before).toBeLessThanOrEqual(12_000);
    });
  });

  it('never breaks in twice in a row, nor more often than the rules allow', () => {
    const script = { ...talks(...Array.from({ length: 12 }, () => [200, 9_000] as const)), waits: true };
    const { decisions } = drive(open('lively', 3, { interruptChance: 1 }), script, [1_500]);
    const turns = decisions
      .map(({ type }) => type)
      .filter((type) => type === 'interrupt' || type === 'answer');
    expect(turns.slice(0, 6)).toEqual(['interrupt', 'answer', 'interrupt', 'answer', 'interrupt', 'answer']);
    expect(turns.filter((type) => type === 'interrupt')).toHaveLength(3);
  });
});

const scripts = fc.record({
  talks: fc.array(fc.record({ gap: fc.nat(15_000), length: fc.integer({ min: 1, max: 40_000 }) }), {
    maxLength: 12,
  }),
  yieldSamples: fc.option(fc.nat(3_000)),
  barges: fc.boolean(),
});
const calls = fc.record({
  preset: fc.constantFrom('patient' as const, 'attentive' as const, 'lively' as const),
  seed: fc.nat(1_000),
  chance: fc.constantFrom(0, 0.15, 1),
  script: scripts,
  lengths: fc.array(fc.integer({ min: 1, max: 12_000 }), { minLength: 1, maxLength: 5 }),
});
const play = ({
  preset,
  seed,
  chance,
  script,
  lengths,
}: typeof calls extends fc.Arbitrary<infer T> ? T : never) =>
  drive(open(preset, seed, chance === 0.15 ? {} : { interruptChance: chance }), script, lengths);

/** The agent's talks with pauses of less than half a second filled: what counts as one. */
function merged(stretches: readonly { start: number; end: number }[]) {
  const talksHeard: { start: number; end: number }[] = [];
  for (const stretch of stretches) {
    const last = talksHeard.at(-1);
    if (last !== undefined && stretch.start - last.end < 500) last.end = stretch.end;
    else talksHeard.push({ ...stretch });
  }
  return talksHeard;
}

describe('any call', () => {
  it('ends, at the latest after twenty minutes', () => {
    fc.assert(fc.property(calls, (call) => play(call).endedAt <= 1_200_000));
  });

  it('is the same again with the same seed', () => {
    fc.assert(
      fc.property(calls, (call) => {
        expect(play(call)).toEqual(play(call));
      }),
    );
  });

  it('has both talk at once no longer than the rules allow', () => {
    fc.assert(
      fc.property(calls, (call) => {
        const { customer, agent } = play(call);
        for (const said of customer) {
          if (said.kind === 'backchannel') continue;
          for (const talk of merged(agent)) {
            const both = Math.min(said.end, talk.end) - Math.max(said.start, talk.start);
            expect(both).toBeLessThanOrEqual(talk.start < said.start ? 5_000 : 1_000);
          }
        }
      }),
    );
  });

  it('has the customer say one thing at a time, and decide in order of time', () => {
    fc.assert(
      fc.property(calls, (call) => {
        const { customer, decisions } = play(call);
        customer.forEach((said, place) => {
          expect(said.start).toBeGreaterThanOrEqual(customer[place - 1]?.end ?? 0);
        });
        decisions.forEach(({ at }, place) => {
          expect(at).toBeGreaterThanOrEqual(decisions[place - 1]?.at ?? 0);
        });
      }),
    );
  });

  it('has patient customers speak only where the agent is silent, unless it breaks in', () => {
    fc.assert(
      fc.property(calls, (call) => {
        const { customer, agent } = play({ ...call, preset: 'patient', chance: 0 });
        for (const said of customer)
          for (const talk of agent) expect(said.start > talk.start && said.start < talk.end).toBe(false);
      }),
    );
  });
});
