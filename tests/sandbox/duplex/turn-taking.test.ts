import { describe, expect, it } from 'vitest';
import type { AgentVoice } from '../../../src/agents/index.js';
import type { RecordEvent } from '../../../src/episodes/index.js';
import { readFixtures } from '../../helpers/audio-fixtures.js';
import { customersOf } from '../helpers/fakes.js';
import { rawClient } from '../helpers/raw-client.js';
import { beginEpisode, eventsOf, testSandbox } from '../helpers/sandbox.js';

/** The fake voice: 100 samples a letter, at 16 kHz. */
const seconds = (count: number): string => 'x'.repeat(160 * count);
const SECOND = 16_000;
const SENTENCE = 'I will now read you the terms of this service. ';

type EventOf<T extends RecordEvent['type']> = Extract<RecordEvent, { type: T }>;
const ofType = <T extends RecordEvent['type']>(events: readonly RecordEvent[], type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

/** A sandbox whose customer says the given lines in turn, and what it heard before each. */
async function talkingTo(lines: readonly string[], options: Parameters<typeof testSandbox>[0] = {}) {
  const heard: string[] = [];
  const cut: string[] = [];
  let said = 0;
  const next = () => lines[Math.min(said++, lines.length - 1)] ?? '';
  const customers = {
    name: 'lines/1',
    create: () => ({
      name: 'lines/1',
      open: async () => ({ text: next() }),
      reply: async (text: string) => {
        heard.push(text);
        return /bye/.test(text) ? { text: 'Goodbye.', end: 'stop' as const } : { text: next() };
      },
      cutOff: (text: string) => void cut.push(text),
    }),
  };
  return { ...(await testSandbox({ turnTaking: true, customers, ...options })), heard, cut };
}

const silence = (ms: number): AgentVoice => ({ samples: new Int16Array(16 * ms), sampleRateHz: 16_000 });

describe('turn-taking', () => {
  it('is offered where the server says so, granted to who asks, and nothing to anybody else [P-TT-1]', async () => {
    const { sandbox, records } = await talkingTo(['Hello.']);
    const asked = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'patient' });
    expect(asked.hello.capabilities).toContain('turn_taking');
    expect(asked.ready.turnTaking).toBe('patient');
    const plain = await beginEpisode(sandbox, { mode: 'speech', seed: 2 });
    await plain.say({ text: 'Yes?', silentMs: 9_000, yieldMs: 9_000 });
    expect(plain.ready).not.toHaveProperty('turnTaking');
    const [header, ...events] = eventsOf(records, plain.ready.episode);
    expect(header).not.toHaveProperty('turnTaking');
    expect(events.map(({ type }) => type)).toEqual(['customer', 'agent', 'customer']);
    for (const event of events) expect(event).not.toHaveProperty('call');

    const without = await testSandbox();
    const refused = beginEpisode(without.sandbox, { mode: 'speech', turnTaking: 'patient' });
    await expect(refused).rejects.toMatchObject({ wireCode: 'unavailable' });
  });

  it('puts both sides on one clock, with silence that is told of [P-TT-2] [P-TT-3]', async () => {
    const { sandbox, records } = await talkingTo([seconds(2), seconds(1)]);
    const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'patient' });
    await client.say({ text: 'One moment please.', silentMs: 700 });
    await client.say('Thank you.');
    const events = eventsOf(records, client.ready.episode);
    const [opening, first, second] = ofType(events, 'customer');
    const [agent, last] = ofType(events, 'agent');
    expect(opening?.call).toEqual({ startSample: 0, samples: 2 * SECOND, cause: 'answer' });
    expect(agent?.call).toMatchObject({ startSample: 2.7 * SECOND, timing: 'estimate' });
    // A second after the agent has finished.
    expect(first?.call?.startSample).toBe(3.7 * SECOND + (agent?.call?.samples ?? 0));
    expect(last?.call?.startSample).toBe((first?.call?.startSample ?? 0) + SECOND);
    expect(second?.call?.cause).toBe('answer');
  });

  it('times an agent’s own voice by what is heard in it [P-TT-3]', async () => {
    const { sandbox, records } = await talkingTo([seconds(1)]);
    const clip = readFixtures().find(({ file }) => file === 'exchange.wav')?.clip;
    if (clip === undefined) throw new Error('no fixture');
    const quiet = 8_000;
    const samples = new Int16Array(clip.samples.length + 2 * quiet);
    samples.set(clip.samples, quiet);
    const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'patient' });
    await client.say({ text: 'I want to exchange it.', voice: { samples, sampleRateHz: clip.sampleRateHz } });
    const events = eventsOf(records, client.ready.episode);
    const call = ofType(events, 'agent')[0]?.call;
    expect(call).toMatchObject({ timing: 'voice', samples: samples.length, startSample: SECOND });
    const first = call?.talks[0]?.startSample ?? 0;
    const end = call?.talks.at(-1)?.endSample ?? 0;
    expect(first).toBeGreaterThan(quiet * 0.8);
    expect(first).toBeLessThan(quiet * 1.7);
    // The customer waits for a second of silence, of which the clip's own end is part.
    expect(ofType(events, 'customer')[1]?.call?.startSample).toBe(SECOND + end + SECOND);
  });

  it('breaks in, and answers only what it has heard [P-TT-4] [P-TT-5]', async () => {
    const { sandbox, records, heard } = await talkingTo(['Hello.', 'Wait.', 'Go on.']);
    const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'lively', seed: 3 });
    const text = SENTENCE.repeat(12).trim();
    const step = await client.say(text);
    const events = eventsOf(records, client.ready.episode);
    const [broke] = ofType(events, 'customer_interrupted');
    expect(broke).toMatchObject({ cause: 'interruption', words: 'share', turn: 1 });
    expect(text.startsWith(broke?.heardText ?? '?')).toBe(true);
    expect(broke?.heardText.length).toBeLessThan(text.length);
    expect(heard).toEqual([broke?.heardText]);
    expect(step).toMatchObject({ customer: { brokeIn: { text: broke?.heardText } } });
    const call = ofType(events, 'agent')[0]?.call;
    expect(broke?.heardSamples).toBe((broke?.atSample ?? 0) - (call?.startSample ?? 0));
    expect(ofType(events, 'customer')[1]?.call).toMatchObject({
      startSample: broke?.atSample,
      cause: 'interruption',
    });
    // What was murmured meanwhile came as sound, and took no turn.
    const murmurs = ofType(events, 'aside');
    expect(step.kind === 'customer' && step.customer.asides?.length).toBe(murmurs.length || undefined);
  });

  it('murmurs while the agent talks, with sound and a place on the clock [P-TT-4]', async () => {
    const { sandbox, records } = await talkingTo(['Hello.', 'Fine.']);
    const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'attentive' });
    const step = await client.say(SENTENCE.repeat(12).trim());
    if (step.kind !== 'customer') throw new Error('the call ended');
    const asides = ofType(eventsOf(records, client.ready.episode), 'aside');
    expect(asides.length).toBeGreaterThan(2);
    expect(step.customer.brokeIn).toBeUndefined();
    expect(step.customer.asides?.map(({ audio }) => audio?.samples.length)).toEqual(
      asides.map(({ samples }) => samples),
    );
  });

  it('does not break in to say goodbye [P-TT-5]', async () => {
    const { sandbox, records, heard } = await talkingTo(['Hello.', 'Wait.', 'Go on.']);
    const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'lively', seed: 3 });
    const text = `bye ${SENTENCE.repeat(12)}`.trim();
    const step = await client.say(text);
    expect(step.kind).toBe('end');
    expect(heard[0]?.length).toBeLessThan(text.length);
    const events = eventsOf(records, client.ready.episode);
    expect(ofType(events, 'customer_interrupted')).toEqual([]);
    const call = ofType(events, 'agent')[0]?.call;
    const end = (call?.startSample ?? 0) + (call?.samples ?? 0);
    expect(ofType(events, 'customer')[1]?.call).toMatchObject({ startSample: end + SECOND, cause: 'answer' });
  });

  it('yields to an agent that breaks in: what was said, and what was sent, to the sample [P-TT-6]', async () => {
    const { sandbox, records, cut, heard } = await talkingTo([`Hello ${seconds(1)} ${seconds(6)}`, 'Yes?']);
    const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'patient' });
    client.interrupt(2 * SECOND);
    await client.say({ text: SENTENCE.trim() });
    const events = eventsOf(records, client.ready.episode);
    const opening = ofType(events, 'customer')[0]?.call;
    expect(ofType(events, 'customer_yielded')).toEqual([
      {
        ...{ type: 'customer_yielded', turn: 0, utterance: 0, because: 'interrupted' },
        ...{ agentStartSample: 2 * SECOND, samplesSaid: 3 * SECOND, samplesSent: opening?.samples },
        saidText: `Hello ${seconds(1)}`,
        words: 'share',
      },
    ]);
    expect(cut).toEqual([`Hello ${seconds(1)}`]);
    expect(heard).toEqual([SENTENCE.trim()]);
    expect(ofType(events, 'agent')[0]?.call?.startSample).toBe(2 * SECOND);
  });

  it('does not yield to a short word of the agent’s [P-TT-6]', async () => {
    const { sandbox, records } = await talkingTo([seconds(7), 'Yes?']);
    const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'patient' });
    client.interrupt(2 * SECOND);
    await client.say('Ok.');
    const events = eventsOf(records, client.ready.episode);
    expect(ofType(events, 'customer_yielded')).toEqual([]);
    expect(ofType(events, 'customer')[1]?.call?.startSample).toBeGreaterThanOrEqual(7 * SECOND);
  });

  it('asks a silent agent twice whether it is there, then hangs up [P-TT-7]', async () => {
    const { sandbox, records, summaries } = await talkingTo([seconds(1)]);
    const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'patient' });
    // The agent says that it said something; nobody heard it.
    const steps = [];
    for (let round = 0; round < 3; round += 1)
      steps.push(await client.say({ text: 'Of course.', voice: silence(300) }));
    expect(steps.map(({ kind }) => kind)).toEqual(['customer', 'customer', 'end']);
    const events = eventsOf(records, client.ready.episode);
    expect(ofType(events, 'customer').map(({ call }) => call?.cause)).toEqual([
      'answer',
      'check_in',
      'check_in',
    ]);
    expect(ofType(events, 'customer')[1]?.call?.startSample).toBe(6 * SECOND);
    expect(ofType(events, 'end')[0]).toMatchObject({ reason: 'customer_gave_up', owner: 'agent' });
    expect(ofType(events, 'end')[0]?.detail).toContain('silent');
    expect(summaries[0]).toMatchObject({ reason: 'customer_gave_up', outcome: { reward: 0 } });
  });

  it('checks in during a silence that is told of, before the message and beside the line [P-TT-7]', async () => {
    const { sandbox, records } = await talkingTo([seconds(1), 'Fine.']);
    const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'patient' });
    await client.say({ text: 'Here I am.', silentMs: 8_000 });
    const events = eventsOf(records, client.ready.episode);
    expect(events.map(({ type }) => type)).toEqual(['episode', 'customer', 'aside', 'agent', 'customer']);
    expect(ofType(events, 'aside')[0]).toMatchObject({ kind: 'check_in', turn: 0, startSample: 6 * SECOND });
    const gone = await client.say({ text: 'Here I am again.', silentMs: 60_000 });
    expect(gone).toMatchObject({ kind: 'end', end: { reason: 'customer_gave_up' } });
  });

  it('gives up after five seconds of talking over an agent that talks on [P-TT-8]', async () => {
    const { sandbox, records } = await talkingTo(['Hello.', seconds(7), 'Go on.']);
    const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'lively', seed: 3 });
    const text = SENTENCE.repeat(14).trim();
    const step = await client.say({ text, yieldMs: 600_000 });
    if (step.kind !== 'customer') throw new Error('the call ended');
    const events = eventsOf(records, client.ready.episode);
    const [broke] = ofType(events, 'customer_interrupted');
    const [gaveUp] = ofType(events, 'customer_yielded');
    expect(gaveUp).toMatchObject({
      because: 'interrupting',
      samplesSaid: 5 * SECOND,
      samplesSent: 5 * SECOND,
    });
    expect(step.customer.interrupted).toBe(true);
    expect(step.customer.audio?.samples.length).toBe(5 * SECOND);
    // All of it was heard in the end; the reply followed from less.
    expect(broke?.heardText).toBe(text);
    expect(broke?.answeredText.length).toBeLessThan(text.length);
  });

  it('ends calls with agents that never let it speak, or never stop [P-TT-8]', async () => {
    const { sandbox, records } = await talkingTo([seconds(6)]);
    const rude = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'patient' });
    let step = null;
    for (let round = 0; round < 9 && rude.end === null; round += 1) {
      rude.interrupt(SECOND);
      step = await rude.say(SENTENCE.repeat(2));
    }
    expect(step).toMatchObject({ kind: 'end', end: { reason: 'customer_gave_up', owner: 'agent' } });
    expect(ofType(eventsOf(records, rude.ready.episode), 'customer_yielded')).toHaveLength(4);

    const endless = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'lively', seed: 5 });
    const end = await endless.say({ text: SENTENCE.repeat(120), yieldMs: 600_000 });
    const events = eventsOf(records, endless.ready.episode);
    const over =
      end.kind === 'end' ? end : await endless.say({ text: SENTENCE.repeat(120), yieldMs: 600_000 });
    expect(over).toMatchObject({ kind: 'end', end: { reason: 'customer_gave_up' } });
    expect(ofType(events, 'end')[0]?.detail).toBeDefined();
  });

  it('counts a communicated fact only when it was heard [P-TT-5]', async () => {
    const heardBy = async (text: string): Promise<number | null | undefined> => {
      const { sandbox, nextEnd } = await talkingTo(['Hello.', 'Wait.', 'Goodbye.']);
      const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'lively', seed: 3 });
      await client.say(text);
      await client.stop();
      return (await nextEnd()).outcome?.scores.communicate;
    };
    expect(await heardBy(`SECRET-AMOUNT 12.50. ${SENTENCE.repeat(12)}`)).toBe(1);
    expect(await heardBy(`${SENTENCE.repeat(12)} SECRET-AMOUNT 12.50.`)).toBe(0);
  });

  it('plays the same call again with the same seed [P-TT-9]', async () => {
    const play = async () => {
      const { sandbox, records } = await talkingTo(['Hello.', 'Wait a moment.', 'Go on.', 'I see.']);
      const client = await beginEpisode(sandbox, { mode: 'speech', turnTaking: 'lively', seed: 11 });
      for (const silentMs of [0, 6_000, 100]) await client.say({ text: SENTENCE.repeat(8), silentMs });
      return JSON.stringify(eventsOf(records, client.ready.episode));
    };
    expect(await play()).toBe(await play());
  });
});

describe('silence after utterances', () => {
  it('is sent, counted and not kept [P-AUDIO-6]', async () => {
    const { sandbox, records } = await testSandbox({ customers: customersOf({}) });
    const client = await rawClient(sandbox.url);
    client.send({
      ...{ type: 'episode.start', task: 'cancel-lamp', mode: 'speech', seed: 1, trailingSilenceMs: 800 },
    });
    const { episode } = await client.next('episode.ready');
    const end = await client.next('customer.end');
    const [opening] = ofType(eventsOf(records, episode), 'customer');
    expect(end.samples).toBe((opening?.audio?.samples ?? 0) + 12_800);
    expect(end).toMatchObject({ interrupted: false, durationMs: Math.round(end.samples / 16) });
    client.send({ type: 'agent.message', text: 'Yes?' });
    await client.next('customer.start');
    expect((await client.next('customer.start')).sampleOffset).toBe(end.samples);
  });
});
