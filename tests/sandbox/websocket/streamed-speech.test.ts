import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decodeAudioFrame } from '../../../src/protocol/index.js';
import type { SandboxOptions } from '../../../src/sandbox/index.js';
import { createSpeaker, createVoiceEngines, type Speaker, type Voice } from '../../../src/speech/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { startHeldServer } from '../../speech/helpers/held-speech-server.js';
import { toneVoice } from '../../speech/helpers/speech-server.js';
import { customersOf } from '../helpers/fakes.js';
import { type RawClient, rawClient, startMessage } from '../helpers/raw-client.js';
import { eventsOf, testSandbox, typesOf } from '../helpers/sandbox.js';

const EPISODE = 'cancel-lamp.speech.t0.s1';
const OPENING = 'Good morning, I would like to return the grey keyboard of my last order, please.';
const customers = customersOf({
  open: async () => ({ text: OPENING }),
  reply: async () => ({ text: 'Thank you very much for your help, and have a nice day.', end: 'stop' }),
});

async function speakerAt(baseUrl: string): Promise<Speaker> {
  const voice: Voice = {
    ...{ ...toneVoice, id: 'served', engine: 'speech-server', engineVoice: 'low' },
    server: { baseUrl, model: 'tones', format: 'pcm' },
  };
  const voicesDir = temporaryFolder();
  writeFileSync(join(voicesDir, 'served.json'), JSON.stringify(voice));
  const engine = createVoiceEngines({ voicesDir, searchPath: '', readKey: () => undefined });
  const speaker = await createSpeaker({ engine, voicesDir });
  onTestFinished(() => speaker.close());
  return speaker;
}

/** A sandbox whose voice is a server that holds back half of every line. */
async function heldSandbox(options: Partial<SandboxOptions> = {}) {
  const server = await startHeldServer();
  const speaker = await speakerAt(server.baseUrl);
  return { server, ...(await testSandbox({ speaker, customers, streamSpeech: true, ...options })) };
}

const framesOf = (client: RawClient) =>
  client.frames.filter((data) => data[0] === 0x50).map((data) => decodeAudioFrame(data));

/** Waits until so many frames of sound have come. */
async function hear(client: RawClient, count: number): Promise<void> {
  while (framesOf(client).length < count) await client.more();
}

async function begin(url: string, parts: Record<string, unknown> = {}): Promise<RawClient> {
  const client = await rawClient(url);
  client.send(startMessage({ mode: 'speech', ...parts }));
  return client;
}

/** What an episode leaves behind, with all that went over the wire but for what has the server's port and secrets in it. */
async function playThrough(streamSpeech: boolean, parts: Record<string, unknown>) {
  const { server, sandbox, records, nextEnd } = await heldSandbox({ streamSpeech });
  const client = await begin(sandbox.url, parts);
  for (const act of [() => client.send({ type: 'agent.message', text: 'Done.' }), () => undefined]) {
    const line = await server.line();
    // With streaming, what is there comes before the rest is made.
    if (streamSpeech && parts.audio === undefined) await hear(client, framesOf(client).length + 1);
    line.goOn();
    await client.next('customer.end');
    act();
  }
  await nextEnd();
  const ended = await client.next('episode.end');
  const isOwn = (data: Buffer): boolean =>
    data[0] !== 0x50 && /"(hello|episode.ready)"/.test(data.toString());
  const wire = client.frames.filter((data) => !isOwn(data)).map((data) => data.toString('latin1'));
  return { wire, ended, events: eventsOf(records, EPISODE), audio: [...records.audio.keys()] };
}

describe('a line that is sent while the voice makes it', () => {
  it('is heard before it is finished: the server goes on only when the agent has its first frame', async () => {
    const { server, sandbox, records } = await heldSandbox();
    const client = await begin(sandbox.url);
    const line = await server.line();
    await hear(client, 1);
    expect(client.events.map(({ type }) => type)).toEqual(['hello', 'episode.ready', 'customer.start']);
    expect(typesOf(eventsOf(records, EPISODE))).toEqual(['episode']);
    line.goOn();
    const end = await client.next('customer.end');
    const [, customer] = eventsOf(records, EPISODE);
    expect(customer).toMatchObject({ type: 'customer', text: OPENING, audio: { samples: end.samples } });
  });

  it.each([
    ['as it is made', {}],
    ['at 8 kHz in µ-law', { audio: { encoding: 'mulaw', sampleRateHz: 8_000, frameMs: 20 } }],
    [
      'at 24 kHz as text, with silence after it',
      { audio: { sampleRateHz: 24_000, transport: 'base64' }, trailingSilenceMs: 333 },
    ],
  ])('leaves the same record, clips and frames as one that is whole before: %s', async (_, parts) => {
    const streamed = await playThrough(true, parts);
    const whole = await playThrough(false, parts);
    expect(typesOf(streamed.events)).toEqual(['episode', 'customer', 'agent', 'customer', 'end', 'outcome']);
    expect(JSON.stringify(streamed.events)).toBe(JSON.stringify(whole.events));
    expect(streamed.audio).toEqual(whole.audio);
    expect(streamed.audio).toHaveLength(2);
    expect(streamed.wire).toEqual(whole.wire);
  });

  it('can be interrupted: what was sent counts to the sample, and the record keeps the whole clip', async () => {
    const { server, sandbox, records } = await heldSandbox();
    const client = await begin(sandbox.url);
    const line = await server.line();
    await hear(client, 3);
    client.send({ type: 'interrupt', utterance: 0, heardSamples: 3200 });
    client.send({ type: 'agent.message', text: 'Wait.' });
    expect((await client.next('error')).code).toBe('not_your_turn');
    expect(typesOf(eventsOf(records, EPISODE))).toEqual(['episode']);
    line.goOn();
    const end = await client.next('customer.end');
    const sent = framesOf(client).reduce((sum, { data }) => sum + data.length / 2, 0);
    expect(end).toMatchObject({ interrupted: true, samples: sent, durationMs: sent / 16 });
    const events = eventsOf(records, EPISODE);
    expect(typesOf(events)).toEqual(['episode', 'customer', 'agent_error', 'interrupted']);
    expect(events[3]).toMatchObject({ samplesSent: sent, samplesHeard: 3200 });
    const audio = events[1]?.type === 'customer' ? events[1].audio : null;
    expect(audio?.samples).toBeGreaterThan(sent);
    expect(records.audio.get(audio?.sha256 ?? '')).toHaveLength(44 + 2 * (audio?.samples ?? 0));
  });

  it('that the server breaks off ends the episode as the platform’s, without a retry, and says why', async () => {
    const { server, sandbox, records, nextEnd, logged } = await heldSandbox();
    const client = await begin(sandbox.url);
    const line = await server.line();
    await hear(client, 1);
    line.breakOff();
    expect(await nextEnd()).toMatchObject({ reason: 'platform_failed', owner: 'platform', recorded: true });
    await client.next('episode.end');
    expect(client.events.map(({ type }) => type)).not.toContain('customer.end');
    const events = eventsOf(records, EPISODE);
    expect(typesOf(events).slice(0, 2)).toEqual(['episode', 'end']);
    expect(events[1]).toMatchObject({
      detail: expect.stringMatching(/could not finish a line that it had begun.*cannot be taken back/),
    });
    expect(logged).toEqual([expect.stringMatching(/platform_failed: the voice could not finish/)]);
    expect(server.calls).toHaveLength(1);
  });

  it.each([
    ['goes on for too long', new Int16Array(24_000 * 60).fill(9_000)],
    ['stops in the middle', new Int16Array(0)],
  ])('that %s cannot be that line: the platform has failed', async (_, samples) => {
    const { server, sandbox, nextEnd, records } = await heldSandbox();
    const client = await begin(sandbox.url);
    const line = await server.line();
    await hear(client, 1);
    const isShort = samples.length === 0;
    if (isShort) line.breakOff();
    else line.say(samples);
    expect(await nextEnd()).toMatchObject({ reason: 'platform_failed' });
    expect(JSON.stringify(eventsOf(records, EPISODE))).toMatch(isShort ? /broke off/ : /nobody speaks/);
  });

  it('goes on over another connection, with the same frames again', async () => {
    const { server, sandbox } = await heldSandbox({ websocket: { graceMs: 30_000 } });
    const first = await begin(sandbox.url);
    const token = (await first.next('hello')).resumeToken;
    const line = await server.line();
    await hear(first, 4);
    first.socket.terminate();
    await first.closed;
    const second = await rawClient(sandbox.url);
    const [heard, ...again] = framesOf(first);
    second.send({ type: 'session.resume', token, lastSeq: heard?.seq });
    await hear(second, again.length);
    line.goOn();
    const end = await second.next('customer.end');
    const after = framesOf(second);
    expect(again.length).toBeGreaterThan(2);
    expect(after.slice(0, again.length)).toEqual(again);
    const samples = after.reduce((sum, { data }) => sum + data.length / 2, 0);
    expect(samples + (heard?.data.length ?? 0) / 2).toBe(end.samples);
  });

  it('is on the record of an agent that left meanwhile', async () => {
    const { server, sandbox, records, nextEnd } = await heldSandbox();
    const client = await begin(sandbox.url);
    const line = await server.line();
    await hear(client, 1);
    client.socket.terminate();
    await client.closed;
    line.goOn();
    expect(await nextEnd()).toMatchObject({ reason: 'agent_disconnected' });
    expect(typesOf(eventsOf(records, EPISODE))).toEqual(['episode', 'customer', 'end', 'outcome']);
  });

  it('is not waited for when the sandbox closes', async () => {
    const { server, sandbox, records, nextEnd } = await heldSandbox();
    const client = await begin(sandbox.url);
    await server.line();
    await hear(client, 1);
    await sandbox.close();
    expect(await nextEnd()).toMatchObject({ reason: 'shutdown' });
    expect(typesOf(eventsOf(records, EPISODE))).toEqual(['episode', 'end', 'outcome']);
  });

  it('goes out whole from the cache, and in turn-taking and text as ever', async () => {
    const { server, sandbox, records, nextEnd } = await heldSandbox({ turnTaking: true });
    const first = await begin(sandbox.url);
    (await server.line()).goOn();
    await first.next('customer.end');
    first.send({ type: 'agent.stop' });
    await first.next('episode.end');
    await nextEnd();
    for (const parts of [{ seed: 2 }, { seed: 3, turnTaking: 'patient' }, { seed: 4, mode: 'text' }]) {
      const client = await begin(sandbox.url, parts);
      await client.next('customer.end');
    }
    expect(server.calls).toHaveLength(1);
    expect(records.episodes.size).toBe(4);
  });

  it('shows in the metrics how soon it was heard', async () => {
    const { server, sandbox } = await heldSandbox();
    const client = await begin(sandbox.url);
    const line = await server.line();
    await hear(client, 1);
    const read = async (): Promise<string> =>
      (await fetch(`http://127.0.0.1:${sandbox.port}/metrics`)).text();
    const early = await read();
    expect(early).toContain('parlor_speech_first_audio_seconds_count 1');
    expect(early).not.toContain('parlor_speech_synthesis_seconds_count 1');
    line.goOn();
    await client.next('customer.end');
    expect(await read()).toContain('parlor_speech_synthesis_seconds_count 1');
  });
});
