import { describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../../src/episodes/index.js';
import { encodeAudioFrame, pcm16ToBytes } from '../../../src/protocol/index.js';
import { createManualClock } from '../../../src/shared/index.js';
import { readFixtures } from '../../helpers/audio-fixtures.js';
import { rawClient } from '../helpers/raw-client.js';
import { eventsOf, testSandbox } from '../helpers/sandbox.js';

const SECOND = 16_000;
const STEP_MS = 100;
const STEP = (SECOND * STEP_MS) / 1_000;
const WORDS = 'I will now read you the terms of this service. ';
const ofType = <T extends RecordEvent['type']>(events: readonly RecordEvent[], type: T) =>
  events.filter((event): event is Extract<RecordEvent, { type: T }> => event.type === type);

/** Somebody who talks without a pause of half a second, at 16 kHz. */
function monologue(seconds: number): Int16Array {
  const clip = readFixtures().find(({ file }) => file === 'exchange.wav')?.clip;
  if (clip?.sampleRateHz !== SECOND) throw new Error('no fixture at 16 kHz');
  return Int16Array.from(
    { length: seconds * SECOND },
    (_, at) => clip.samples[at % clip.samples.length] ?? 0,
  );
}

/** A call at the speed of speech, on a clock that the test moves, after the opening. */
async function callAt(options: {
  readonly turnTaking: string;
  readonly seed?: number;
  readonly line?: string;
}) {
  const clock = createManualClock();
  const heard: string[] = [];
  const { sandbox, records } = await testSandbox({
    ...{ clock, turnTaking: true, websocket: { graceMs: 0, idleTimeoutMs: 0, handshakeTimeoutMs: 0 } },
    customers: {
      name: 'lines/1',
      create: () => ({
        name: 'lines/1',
        open: async () => ({ text: 'Hello.' }),
        reply: async (text: string) => {
          heard.push(text);
          return { text: options.line ?? 'Go on.' };
        },
      }),
    },
  });
  const client = await rawClient(sandbox.url);
  client.send({
    ...{ type: 'episode.start', task: 'cancel-lamp', mode: 'speech', seed: options.seed ?? 1 },
    ...{ pacing: 'realtime', turnTaking: options.turnTaking },
  });
  const { episode } = await client.next('episode.ready');
  await client.next('customer.start');
  /** Moves the clock in small steps, each when everything before has arrived. */
  const pass = async (ms: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += STEP_MS) {
      clock.advance(STEP_MS);
      for (let round = 0; round < 20; round += 1) {
        await client.pong();
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  await pass(1_000);
  await client.next('customer.end');
  let sent = 0;
  const upload = {
    begin: (): void => {
      sent = 0;
      client.send({
        ...{ type: 'agent.speech.start', speech: 1 },
        audio: { encoding: 'pcm16', sampleRateHz: SECOND },
      });
    },
    frame: (samples: Int16Array): void => {
      const data = pcm16ToBytes(samples);
      const head = { kind: 'agent', seq: 0, utterance: 1 } as const;
      client.sendRaw(Buffer.from(encodeAudioFrame({ ...head, sampleOffset: sent, data })));
      sent += samples.length;
    },
    end: (): void => client.send({ type: 'agent.speech.end', speech: 1, samples: sent }),
  };
  /** Sends at the pace of speech, until the test has seen enough or all is said. Returns the samples that went out. */
  const stream = async (voice: Int16Array, enough: () => boolean = () => false): Promise<number> => {
    const from = sent;
    for (let at = 0; at < voice.length && !enough(); at += STEP) {
      upload.frame(voice.subarray(at, at + STEP));
      await client.pong();
      await pass(STEP_MS);
    }
    return sent - from;
  };
  const asides = (kind: string) =>
    client.events.filter((event) => event.type === 'customer.start' && event.aside === kind);
  return { client, pass, upload, stream, asides, heard, events: () => eventsOf(records, episode) };
}

describe('speech that is heard while it comes', () => {
  it('is murmured into before its message has come [P-TT-10]', async () => {
    const { client, pass, upload, stream, asides, heard, events } = await callAt({ turnTaking: 'attentive' });
    upload.begin();
    const samples = await stream(monologue(30), () => asides('backchannel').length === 2);
    expect(asides('backchannel')).toHaveLength(2);
    upload.end();
    client.send({ type: 'agent.message', speech: 1, text: WORDS });
    await pass(4_000);
    expect(heard).toEqual([WORDS.trim()]);
    const [agent] = ofType(events(), 'agent');
    const [opening, answer] = ofType(events(), 'customer');
    const murmurs = ofType(events(), 'aside');
    expect(agent?.audio?.samples).toBe(samples);
    expect(agent?.call).toMatchObject({ startSample: SECOND, samples, timing: 'voice' });
    for (const murmur of murmurs) {
      expect(murmur.startSample).toBeGreaterThan(SECOND);
      expect(murmur.startSample).toBeLessThan(SECOND + samples);
    }
    expect(ofType(events(), 'customer_interrupted')).toEqual([]);
    expect(opening?.call?.startSample).toBe(0);
    // A second after the agent's voice has ceased, not after the whole has been played once more.
    const voiceEnd = SECOND + (agent?.call?.talks.at(-1)?.endSample ?? 0);
    expect(answer?.call?.startSample).toBeGreaterThanOrEqual(voiceEnd + SECOND);
    expect(answer?.call?.startSample).toBeLessThanOrEqual(voiceEnd + 2 * SECOND);
  });

  it('is broken into, and what was heard is known to the sample when the message comes [P-TT-10] [P-TT-11]', async () => {
    const call = await callAt({ turnTaking: 'lively', seed: 3, line: 'I only want to cancel the lamp.' });
    const { client, pass, upload, stream, asides, heard, events } = call;
    upload.begin();
    const before = await stream(monologue(60), () => asides('interruption').length === 1);
    expect(before).toBeLessThan(60 * SECOND);
    // The agent needs half a second to notice, and what it sends until then is heard.
    const samples = before + (await stream(monologue(60).subarray(0, SECOND / 2)));
    upload.end();
    const text = WORDS.repeat(10).trim();
    client.send({ type: 'agent.message', speech: 1, text });
    await pass(3_000);
    const [interjection] = ofType(events(), 'aside').filter(({ kind }) => kind === 'interruption');
    const [broke] = ofType(events(), 'customer_interrupted');
    const [agent] = ofType(events(), 'agent');
    const answer = ofType(events(), 'customer')[1];
    expect(agent?.audio?.samples).toBe(samples);
    expect(agent?.call).toMatchObject({ startSample: SECOND, samples });
    expect(broke?.atSample).toBe(interjection?.startSample);
    const voiceEnd = agent?.call?.talks.at(-1)?.endSample ?? 0;
    expect(broke?.heardSamples).toBe(Math.min(voiceEnd, samples));
    expect(broke?.agentStopSample).toBe(SECOND + (broke?.heardSamples ?? 0));
    expect(heard).toEqual([broke?.heardText]);
    const told = await client.next('agent.interrupted');
    expect(told).toMatchObject({ callSample: broke?.atSample, heardSamples: broke?.heardSamples });
    expect(answer?.call?.cause).toBe('interruption');
    expect(answer?.call?.startSample).toBeGreaterThanOrEqual(
      (interjection?.startSample ?? 0) + (interjection?.samples ?? 0),
    );
  });

  it('is cut where the customer breaks in when it was sent ahead of time [P-TT-10] [P-TT-11]', async () => {
    const { client, pass, upload, asides, heard, events } = await callAt({ turnTaking: 'lively', seed: 3 });
    upload.begin();
    const voice = monologue(60);
    for (let at = 0; at < voice.length; at += SECOND) upload.frame(voice.subarray(at, at + SECOND));
    for (let gone = 0; gone < 60_000 && asides('interruption').length === 0; gone += 100) await pass(100);
    upload.end();
    const text = WORDS.repeat(20).trim();
    client.send({ type: 'agent.message', speech: 1, text });
    await pass(2_000);
    const [broke] = ofType(events(), 'customer_interrupted');
    const [agent] = ofType(events(), 'agent');
    expect(agent?.audio?.samples).toBe(voice.length);
    expect(broke?.heardSamples).toBeLessThan(voice.length);
    expect((broke?.agentStopSample ?? 0) - (broke?.atSample ?? 0)).toBeLessThanOrEqual(SECOND);
    expect(text.startsWith(heard[0] ?? '?')).toBe(true);
    expect(heard[0]?.length).toBeLessThan(text.length);
  });

  it('is heard to its end when it was sent ahead with its message, however late and with a pause before it [P-TT-10]', async () => {
    const { client, pass, upload, heard, events } = await callAt({ turnTaking: 'patient' });
    await pass(3_000);
    upload.begin();
    upload.frame(Int16Array.from([...new Int16Array(SECOND / 2), ...monologue(5)]));
    upload.end();
    client.send({ type: 'agent.message', speech: 1, text: WORDS });
    await pass(9_000);
    expect(ofType(events(), 'customer_interrupted')).toEqual([]);
    expect(heard).toEqual([WORDS.trim()]);
  });

  it('is silent where nothing comes, and silence in an upload is no voice [P-TT-10] [P-SPEECH-3]', async () => {
    const { client, pass, upload, stream, asides, events } = await callAt({ turnTaking: 'patient' });
    upload.begin();
    await stream(new Int16Array(6 * SECOND));
    expect(asides('check_in')).toHaveLength(1);
    await pass(500);
    const spoken = await stream(monologue(3));
    await pass(700);
    const more = await stream(monologue(2));
    upload.end();
    client.send({ type: 'agent.message', speech: 1, text: WORDS });
    await pass(3_000);
    const [agent] = ofType(events(), 'agent');
    expect(asides('check_in')).toHaveLength(1);
    // The gaps are in the clip as silence: it is what the customer heard.
    expect(agent?.call?.samples).toBe(6 * SECOND + 0.5 * SECOND + spoken + 0.7 * SECOND + more);
    expect(agent?.audio?.samples).toBe(agent?.call?.samples);
    const talks = agent?.call?.talks ?? [];
    expect(talks[0]?.startSample).toBeGreaterThanOrEqual(6.5 * SECOND);
    expect(ofType(events(), 'customer')).toHaveLength(2);
  });

  it('is forgotten with the upload: an agent that only makes a noise is asked whether it is there [P-TT-10]', async () => {
    const { client, pass, upload, stream, asides, events } = await callAt({ turnTaking: 'patient' });
    upload.begin();
    await stream(monologue(2));
    client.send({ type: 'agent.speech.end', speech: 1, samples: 1 });
    await client.next('error');
    client.send({ type: 'agent.message', text: WORDS });
    await pass(7_000);
    expect(asides('check_in')).toEqual([]);
    expect(ofType(events(), 'agent')[0]?.call?.timing).toBe('estimate');
    expect(ofType(events(), 'customer')).toHaveLength(2);
  });

  it('ends the call when it goes on for three minutes [P-TT-8] [P-TT-10]', async () => {
    const { client, upload, stream } = await callAt({ turnTaking: 'patient' });
    upload.begin();
    const isOver = () => client.events.some(({ type }) => type === 'episode.end');
    const samples = await stream(monologue(200), isOver);
    expect(await client.next('episode.end')).toMatchObject({ reason: 'customer_gave_up' });
    expect(samples / SECOND).toBeLessThan(190);
  }, 120_000);
});
