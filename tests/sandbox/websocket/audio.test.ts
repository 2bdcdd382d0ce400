import { describe, expect, it } from 'vitest';
import { decodeMuLaw, decodeWav, resample } from '../../../src/audio/index.js';
import {
  decodeAudioFrame,
  encodeAudioFrame,
  pcm16FromBytes,
  pcm16ToBytes,
} from '../../../src/protocol/index.js';
import { createManualClock, sha256Hex } from '../../../src/shared/index.js';
import { customersOf } from '../helpers/fakes.js';
import { type RawClient, rawClient, rawEpisode, startMessage } from '../helpers/raw-client.js';
import { beginEpisode, eventsOf, testSandbox } from '../helpers/sandbox.js';

const EPISODE = 'cancel-lamp.speech.t0.s1';

/** What a client hears in text and in speech has the same source; the default format tells which samples that is. */
async function heardWith(audio: Record<string, unknown> | undefined) {
  const { sandbox } = await testSandbox();
  const client = await rawEpisode(sandbox.url, { mode: 'speech', ...(audio === undefined ? {} : { audio }) });
  const ready = await client.next('episode.ready');
  const binary = client.frames.filter((data) => data[0] === 0x50).map((data) => decodeAudioFrame(data));
  const base64 = client.events.flatMap((event) => (event.type === 'customer.audio' ? [event] : []));
  const end = client.events.find((event) => event.type === 'customer.end');
  const data = Buffer.concat([
    ...binary.map((frame) => frame.data),
    ...base64.map((event) => Buffer.from(event.data, 'base64')),
  ]);
  const offsets = [...binary, ...base64].map(({ sampleOffset }) => sampleOffset);
  return { ready, data, offsets, end: end?.type === 'customer.end' ? end : null };
}

describe('the negotiated format', () => {
  it.each([
    ['pcm16', 8_000, 'binary', 100],
    ['pcm16', 16_000, 'base64', 20],
    ['pcm16', 24_000, 'binary', 50],
    ['mulaw', 8_000, 'binary', 20],
    ['mulaw', 8_000, 'base64', 200],
  ] as const)(
    'carries %s at %i Hz, %s, in frames of %i ms (case 36: the rate is told, not guessed) [P-AUDIO-1] [P-AUDIO-3]',
    async (encoding, sampleRateHz, transport, frameMs) => {
      const original = pcm16FromBytes((await heardWith(undefined)).data);
      const audio = { encoding, sampleRateHz, transport, frameMs };
      const { ready, data, offsets, end } = await heardWith(audio);
      expect(ready).toMatchObject({ audio, pacing: 'fast' });
      const samples = encoding === 'mulaw' ? decodeMuLaw(data) : pcm16FromBytes(data);
      const wanted = resample(original, 16_000, sampleRateHz);
      expect(samples.length).toBe(wanted.length);
      expect(end).toMatchObject({ samples: samples.length, interrupted: false });
      expect(end?.durationMs).toBeCloseTo((samples.length * 1_000) / sampleRateHz, 6);
      const step = (sampleRateHz * frameMs) / 1_000;
      expect(offsets).toEqual(offsets.map((_, index) => index * step));
      // µ-law keeps about five bits; PCM16 is exact.
      const worst = samples.reduce(
        (most, sample, at) => Math.max(most, Math.abs(sample - (wanted[at] ?? 0))),
        0,
      );
      expect(worst).toBeLessThanOrEqual(encoding === 'mulaw' ? 300 : 0);
    },
  );

  it('that nobody offers is refused [P-AUDIO-4]', async () => {
    const { sandbox } = await testSandbox();
    const client = await rawClient(sandbox.url);
    for (const audio of [{ sampleRateHz: 44_100 }, { encoding: 'mulaw', sampleRateHz: 16_000 }]) {
      client.send(startMessage({ mode: 'speech', audio }));
      expect((await client.next('error')).code).toBe('unavailable');
    }
  });

  it('stands in the record, whose clip stays as the voice made it', async () => {
    const { sandbox, records } = await testSandbox();
    await rawEpisode(sandbox.url, { mode: 'speech', audio: { encoding: 'mulaw', sampleRateHz: 8_000 } });
    const [header, customer] = eventsOf(records, EPISODE);
    expect(header).toMatchObject({
      wire: {
        ...{ encoding: 'mulaw', sampleRateHz: 8_000, transport: 'binary', frameMs: 100 },
        pacing: 'fast',
      },
    });
    expect(customer).toMatchObject({ audio: { sampleRateHz: 16_000 } });
  });
});

describe('the stream’s clock', () => {
  it('goes on from utterance to utterance, with a start and an end each (case 34) [P-AUDIO-2] [P-AUDIO-5]', async () => {
    const { sandbox } = await testSandbox();
    const client = await rawEpisode(sandbox.url, { mode: 'speech' });
    client.send({ type: 'agent.message', text: 'Hello' });
    await client.next('customer.end');
    let expected = 0;
    let inside: number | null = null;
    for (const data of client.frames) {
      if (data[0] === 0x50) {
        const frame = decodeAudioFrame(data);
        expect([frame.utterance, frame.sampleOffset]).toEqual([inside, expected]);
        expected += frame.data.length / 2;
        continue;
      }
      const event = JSON.parse(data.toString()) as Record<string, unknown>;
      if (event.type === 'customer.start') {
        expect(inside).toBeNull();
        inside = event.utterance as number;
        expect(event.sampleOffset).toBe(expected);
      } else if (event.type === 'customer.end') {
        expect(event.utterance).toBe(inside);
        inside = null;
      }
    }
    expect(expected).toBeGreaterThan(0);
  });

  it('and the record agree when twenty calls run at once (case 35)', async () => {
    const { sandbox, records } = await testSandbox();
    await Promise.all(
      Array.from({ length: 20 }, async (_, seed) => {
        const client = await rawEpisode(sandbox.url, { mode: 'speech', seed });
        const sent = client.frames.filter((data) => data[0] === 0x50);
        const [, customer] = eventsOf(records, `cancel-lamp.speech.t0.s${seed}`);
        const samples = sent.reduce((sum, data) => sum + (data.length - 16) / 2, 0);
        expect(customer?.type === 'customer' && customer.audio?.samples).toBe(samples);
      }),
    );
  });
});

/** Lets everything that is under way between the two sides arrive. */
async function settle(client: RawClient): Promise<void> {
  for (let count = 0; count < 3; count += 1)
    await new Promise<void>((resolve) => {
      client.socket.once('pong', () => resolve());
      client.socket.ping();
    });
}

const framesOf = (client: RawClient): number => client.frames.filter((data) => data[0] === 0x50).length;

/** Says 2.5 seconds. */
const longWinded = customersOf({ open: async () => ({ text: 'a'.repeat(400) }) });

describe('realtime pacing', () => {
  it('sends each frame at its own time from the start, and a stall moves none of the others [P-PACE-2] [P-PACE-3]', async () => {
    const clock = createManualClock();
    const { sandbox } = await testSandbox({ clock, customers: longWinded });
    const client = await rawClient(sandbox.url);
    client.send(startMessage({ mode: 'speech', pacing: 'realtime' }));
    await client.next('customer.start');
    await settle(client);
    expect(framesOf(client)).toBe(1);
    for (let frame = 2; frame <= 5; frame += 1) {
      clock.advance(95);
      await settle(client);
      expect(framesOf(client)).toBe(frame - 1);
      clock.advance(5);
      await settle(client);
      expect(framesOf(client)).toBe(frame);
    }
    // The process stood still for half a second: what was due goes out at once, the next one at its own time.
    clock.advance(499);
    await settle(client);
    expect(framesOf(client)).toBe(9);
    clock.advance(1);
    await settle(client);
    expect(framesOf(client)).toBe(10);
    const total = client.events.length;
    clock.advance(60_000);
    const end = await client.next('customer.end');
    expect(client.events.length).toBe(total + 1);
    expect(framesOf(client)).toBe(Math.ceil(end.samples / 1_600));
  });

  it('ends the utterance when its last sample has been heard', async () => {
    const clock = createManualClock();
    const { sandbox } = await testSandbox({ clock, customers: longWinded });
    const client = await rawClient(sandbox.url);
    client.send(startMessage({ mode: 'speech', pacing: 'realtime', audio: { frameMs: 200 } }));
    await client.next('customer.start');
    for (let ms = 0; !client.events.some(({ type }) => type === 'customer.end'); ms += 5) {
      await settle(client);
      const last = client.frames.findLast((data) => data[0] === 0x50);
      const heard = last === undefined ? 0 : decodeAudioFrame(last).sampleOffset / 16;
      expect(heard).toBeLessThanOrEqual(ms + 1);
      clock.advance(5);
      if (ms > 5_000) throw new Error('it does not end');
    }
    const end = await client.next('customer.end');
    expect(clock.nowMs()).toBeGreaterThanOrEqual(end.durationMs);
  });
});

describe('an interruption', () => {
  it('stops the customer; the record keeps what was sent and heard [P-INT-1] [P-INT-2]', async () => {
    const clock = createManualClock();
    const { sandbox, records } = await testSandbox({ clock, customers: longWinded });
    const client = await rawClient(sandbox.url);
    client.send(startMessage({ mode: 'speech', pacing: 'realtime' }));
    await client.next('customer.start');
    await settle(client);
    clock.advance(100);
    await settle(client);
    client.send({ type: 'interrupt', utterance: 1 });
    expect((await client.next('error')).code).toBe('bad_message');
    client.send({ type: 'interrupt', utterance: 0, heardSamples: 1_700 });
    expect(await client.next('customer.end')).toMatchObject({
      ...{ interrupted: true, samples: 3_200, durationMs: 200, final: false },
    });
    client.send({ type: 'agent.message', text: 'Sorry to break in', turn: 0 });
    const next = await client.next('customer.start');
    expect(next).toMatchObject({ utterance: 1, sampleOffset: 3_200 });
    expect(eventsOf(records, EPISODE).slice(1, 5)).toMatchObject([
      { type: 'customer' },
      { type: 'agent_error' },
      { type: 'interrupted', samplesSent: 3_200, samplesHeard: 1_700, sampleRateHz: 16_000, utterance: 0 },
      { type: 'agent' },
    ]);
  });

  it('after the last frame is noted once, and later ones are stale [P-INT-3]', async () => {
    const { sandbox, records } = await testSandbox({ limits: { maxErrors: 1 } });
    const client = await rawEpisode(sandbox.url, { mode: 'speech' });
    client.send({ type: 'interrupt', utterance: 0, heardSamples: 10 });
    client.send({ type: 'interrupt', utterance: 0, heardSamples: 20 });
    expect((await client.next('error')).code).toBe('stale_turn');
    client.send({ type: 'agent.message', text: 'Yes?' });
    await client.next('customer.end');
    client.send({ type: 'interrupt', utterance: 0 });
    expect((await client.next('error')).code).toBe('stale_turn');
    const heard = eventsOf(records, EPISODE).flatMap((event) =>
      event.type === 'interrupted' ? [event.samplesHeard] : [],
    );
    expect(heard).toEqual([10]);
  });
});

const speechFrame = (speech: number, sampleOffset: number, samples: Int16Array) =>
  encodeAudioFrame({
    ...{ kind: 'agent', seq: 0, utterance: speech, sampleOffset },
    data: pcm16ToBytes(samples),
  });
const openSpeech = (speech: number) => ({
  ...{ type: 'agent.speech.start', speech, audio: { encoding: 'pcm16', sampleRateHz: 24_000 } },
});

describe('the agent’s own voice', () => {
  const words = Int16Array.from({ length: 4_800 }, (_, at) => (at % 100) * 100);

  it('is kept beside the record, byte for byte, with its transcript [P-SPEECH-1]', async () => {
    const { sandbox, records } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    client.send(openSpeech(3));
    client.sendRaw(Buffer.from(speechFrame(3, 0, words.subarray(0, 2_400))));
    const rest = Buffer.from(pcm16ToBytes(words.subarray(2_400))).toString('base64');
    client.send({ type: 'agent.speech.audio', speech: 3, data: rest });
    client.send({ type: 'agent.speech.end', speech: 3, samples: 4_800, transcript: 'Hullo' });
    client.send({ type: 'agent.message', text: 'Hello', speech: 3, reasoning: 'greet' });
    expect((await client.next('customer.end')).turn).toBe(1);
    const said = eventsOf(records, 'cancel-lamp.text.t0.s1').find((event) => event.type === 'agent');
    expect(said).toMatchObject({ text: 'Hello', transcript: 'Hullo', reasoning: 'greet' });
    const audio = said?.type === 'agent' ? said.audio : undefined;
    expect(audio).toMatchObject({ samples: 4_800, sampleRateHz: 24_000, durationMs: 200 });
    const wav = records.audio.get(audio?.sha256 ?? '');
    expect(wav === undefined ? null : sha256Hex(wav)).toBe(audio?.sha256);
    expect(wav === undefined ? null : decodeWav(wav).samples).toEqual(words);
    client.send({ type: 'agent.message', text: 'Again', speech: 3 });
    expect((await client.next('error')).code).toBe('bad_message');
  });

  it('alone needs a transcriber; its words are what the customer hears [P-SPEECH-2]', async () => {
    const upload = async (client: RawClient) => {
      client.send(openSpeech(0));
      client.sendRaw(Buffer.from(speechFrame(0, 0, words)));
      client.send({ type: 'agent.speech.end', speech: 0, samples: 4_800 });
      client.send({ type: 'agent.message', speech: 0 });
    };
    const deaf = await rawEpisode((await testSandbox()).sandbox.url);
    await upload(deaf);
    expect((await deaf.next('error')).code).toBe('unavailable');
    deaf.send({ type: 'agent.message', text: 'Hello', speech: 0 });
    await deaf.next('customer.end');
    const { sandbox } = await testSandbox({
      transcriber: {
        name: 'fake',
        transcribe: async ({ samples, sampleRateHz }) => `heard ${samples.length} at ${sampleRateHz}`,
      },
    });
    const hearing = await rawEpisode(sandbox.url);
    expect((await hearing.next('hello')).capabilities).toContain('transcription');
    await hearing.next('customer.text');
    await upload(hearing);
    expect((await hearing.next('customer.text')).text).toBe('You said: heard 4800 at 24000');
  });

  it('as endless silence neither speaks nor keeps the customer waiting (case 32) [P-SPEECH-3] [P-SPEECH-4]', async () => {
    const { sandbox, records } = await testSandbox({ websocket: { graceMs: 0, maxSpeechMs: 10_000 } });
    const client = await rawEpisode(sandbox.url);
    client.send(openSpeech(0));
    client.send({ type: 'agent.message', text: 'Are you there?' });
    // 60 seconds of silence, 50 packets a second.
    for (let packet = 0; packet < 3_000; packet += 1)
      client.sendRaw(Buffer.from(speechFrame(0, packet * 480, new Int16Array(480))));
    expect((await client.next('customer.end')).turn).toBe(1);
    expect((await client.next('error')).code).toBe('too_large');
    client.send({ type: 'agent.message', text: 'bye' });
    expect(await client.next('episode.end')).toMatchObject({ reason: 'customer_stop' });
    const errors = eventsOf(records, 'cancel-lamp.text.t0.s1').filter(({ type }) => type === 'agent_error');
    expect(errors).toHaveLength(1);
  });

  it('is refused with a reason where it does not fit', async () => {
    const { sandbox } = await testSandbox({ limits: { maxErrors: 100 } });
    const client = await rawEpisode(sandbox.url);
    const faults: (() => void)[] = [
      () => client.send({ type: 'agent.speech.end', speech: 0, samples: 1 }),
      () => client.sendRaw(Buffer.from(speechFrame(0, 0, words))),
      () => client.send({ ...openSpeech(0), audio: { encoding: 'mulaw', sampleRateHz: 24_000 } }),
      () => {
        client.send(openSpeech(0));
        client.send(openSpeech(1));
      },
      () => client.sendRaw(Buffer.from(speechFrame(0, 7, words))),
      () => {
        client.send(openSpeech(1));
        client.send({ type: 'agent.speech.audio', speech: 1, data: 'AAAA' });
      },
      () => {
        client.send(openSpeech(2));
        client.send({ type: 'agent.speech.end', speech: 2, samples: 0 });
      },
      () => {
        client.send(openSpeech(3));
        client.sendRaw(Buffer.from(speechFrame(3, 0, words)));
        const late = [['late', 0, words.length + 1]];
        client.send({ type: 'agent.speech.end', speech: 3, samples: words.length, words: late });
      },
      () => client.send({ type: 'agent.message', speech: 9, text: 'x' }),
      () => client.send({ type: 'agent.message' }),
      () =>
        client.sendRaw(
          Buffer.from(
            encodeAudioFrame({
              ...{ kind: 'customer', seq: 1, utterance: 0, sampleOffset: 0 },
              data: new Uint8Array(2),
            }),
          ),
        ),
    ];
    for (const fault of faults) {
      fault();
      expect((await client.next('error')).code).toBe('bad_message');
    }
  });
});

it('the TypeScript client hears what the binary frames carry', async () => {
  const { sandbox } = await testSandbox();
  const episode = await beginEpisode(sandbox, { mode: 'speech' });
  const { data } = await heardWith(undefined);
  expect(episode.opening.audio?.samples).toEqual(pcm16FromBytes(data));
});
