import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AudioFormat, DEFAULT_AUDIO } from '../../../src/protocol/index.js';
import { sendGrowingSound } from '../../../src/sandbox/websocket/audio-sender.js';
import { GrowingSound } from '../../../src/sandbox/websocket/growing-sound.js';
import type { Link } from '../../../src/sandbox/websocket/link.js';
import { Outbox } from '../../../src/sandbox/websocket/outbox.js';
import { cutFrame, framesFrom, makeSound } from '../../../src/sandbox/websocket/sound.js';
import type { Clock } from '../../../src/shared/index.js';
import { createClipGrowth } from '../../../src/speech/growing-clip.js';

const RATE_HZ = 16_000;
const samples = Int16Array.from({ length: 5_000 }, (_, at) => Math.round(9_000 * Math.sin(at / 7)));
const clip = { samples, sampleRateHz: RATE_HZ };
const still: Clock = { nowMs: () => 0, after: () => () => undefined };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function openGrowth() {
  const growth = createClipGrowth();
  growth.add(samples.subarray(0, 100), RATE_HZ);
  return { growth, growing: await growth.begun };
}

/** An outbox whose link keeps what it gets. */
function openOutbox() {
  const sent: Uint8Array[] = [];
  const take = (data: string | Uint8Array): null => {
    sent.push(Buffer.from(data as Uint8Array));
    return null;
  };
  const link: Link = { isOpen: true, send: take, close: () => undefined };
  const outbox = new Outbox(1_000_000);
  outbox.attach(link, 0);
  return { outbox, sent, link };
}

const formats: readonly AudioFormat[] = [
  DEFAULT_AUDIO,
  { ...DEFAULT_AUDIO, sampleRateHz: 24_000, frameMs: 20 },
  { ...DEFAULT_AUDIO, encoding: 'mulaw', sampleRateHz: 8_000, frameMs: 50, transport: 'base64' },
];

describe('a sound that grows', () => {
  it('is in the end what is made of the whole clip, and no frame of it changes on the way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 8 }),
        fc.constantFrom(...formats),
        fc.constantFrom(0, 70),
        async (cuts, format, trailingSilenceMs) => {
          const { growth, growing } = await openGrowth();
          const parts = { utterance: 0, sampleOffset: 9, format, trailingSilenceMs };
          const sound = new GrowingSound(growing, parts);
          const early: (string | Uint8Array)[] = [];
          const look = (): void => {
            for (let ready = framesFrom(sound, early.length * sound.samplesPerFrame); ready > 0; ready -= 1)
              early.push(cutFrame(sound, early.length * sound.samplesPerFrame, early.length));
          };
          let at = 100;
          for (const cut of cuts) {
            growth.add(samples.subarray(at, at + cut), RATE_HZ);
            at = Math.min(samples.length, at + cut);
            look();
          }
          growth.finish(clip);
          await sound.ended;
          look();
          const whole = makeSound(clip, parts);
          expect(Buffer.from(sound.data).equals(whole.data)).toBe(true);
          expect(sound).toMatchObject({ samples: whole.samples, wholeSamples: whole.wholeSamples });
          const frames = early.map((_, place) => cutFrame(whole, place * whole.samplesPerFrame, place));
          expect(early).toEqual(frames);
          expect(early).toHaveLength(Math.ceil(whole.samples / whole.samplesPerFrame));
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each(['fast', 'realtime'] as const)('goes out as it comes, whole frames first: %s', async (pacing) => {
    const { growth, growing } = await openGrowth();
    const { outbox, sent } = openOutbox();
    const signal = new AbortController().signal;
    const timing = { clock: still, pacer: { at: (_dueMs: number, call: () => void) => call() } };
    const terms = { format: { ...DEFAULT_AUDIO, frameMs: 100 }, pacing, trailingSilenceMs: 0 };
    const sending = sendGrowingSound({ clip: growing, utterance: 0, sampleOffset: 0, signal }, terms, {
      outbox,
      timing,
    });
    await turn();
    expect(sent).toHaveLength(0);
    growth.add(samples.subarray(100, 3_300), RATE_HZ);
    await turn();
    expect(sent).toHaveLength(2);
    growth.finish(clip);
    expect(await sending).toEqual({ samples: 5_000, sampleRateHz: RATE_HZ, wholeSamples: 5_000 });
    expect(sent).toHaveLength(4);
  });

  it.each(['interrupted', 'the client is gone'])(
    'stops when nobody wants more, and waits for its length: %s',
    async (why) => {
      const { growth, growing } = await openGrowth();
      const { outbox, sent } = openOutbox();
      const controller = new AbortController();
      const timing = { clock: still, pacer: { at: (_dueMs: number, call: () => void) => call() } };
      const terms = { format: DEFAULT_AUDIO, pacing: 'fast' as const, trailingSilenceMs: 0 };
      const audio = { clip: growing, utterance: 0, sampleOffset: 0, signal: controller.signal };
      const sending = sendGrowingSound(audio, terms, { outbox, timing });
      growth.add(samples.subarray(100, 1_700), RATE_HZ);
      await turn();
      if (why === 'interrupted') controller.abort();
      else outbox.close();
      growth.add(samples.subarray(1_700, 4_000), RATE_HZ);
      await turn();
      expect(sent).toHaveLength(1);
      growth.finish(clip);
      expect(await sending).toEqual({ samples: 1_600, sampleRateHz: RATE_HZ, wholeSamples: 5_000 });
    },
  );

  it('that breaks off ends the sending, without a short frame', async () => {
    const { growth, growing } = await openGrowth();
    const { outbox, sent } = openOutbox();
    const signal = new AbortController().signal;
    const timing = { clock: still, pacer: { at: (_dueMs: number, call: () => void) => call() } };
    const terms = { format: DEFAULT_AUDIO, pacing: 'fast' as const, trailingSilenceMs: 0 };
    const sending = sendGrowingSound({ clip: growing, utterance: 0, sampleOffset: 0, signal }, terms, {
      outbox,
      timing,
    });
    growth.add(samples.subarray(100, 2_000), RATE_HZ);
    await turn();
    growth.fail(new Error('the line is dead'));
    expect((await sending).samples).toBe(1_600);
    expect(sent).toHaveLength(1);
  });
});
