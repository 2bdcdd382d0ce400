import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { DEFAULT_AUDIO } from '../../../src/protocol/index.js';
import { type SoundTerms, sendSound } from '../../../src/sandbox/websocket/audio-sender.js';
import type { Link } from '../../../src/sandbox/websocket/link.js';
import { Outbox } from '../../../src/sandbox/websocket/outbox.js';
import type { Clock } from '../../../src/shared/index.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function usedBytes(): number {
  for (let round = 0; round < 3; round += 1) collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** A link that takes everything and keeps nothing. */
function openOutbox(): { outbox: Outbox; sent: () => number } {
  let count = 0;
  const take = (): null => {
    count += 1;
    return null;
  };
  const link: Link = { isOpen: true, send: take, sendRaw: take, close: () => undefined };
  const outbox = new Outbox(1_000_000);
  outbox.attach(link, 0);
  return { outbox, sent: () => count };
}

const still: Clock = { nowMs: () => 0, after: () => () => undefined };
const FRAMES = 50_000;
const SAMPLES_PER_FRAME = 20;
const sound = {
  ...{ samples: new Int16Array(FRAMES * SAMPLES_PER_FRAME), sampleRateHz: 1_000 },
  ...{ utterance: 1, sampleOffset: 0 },
};
const terms: SoundTerms = {
  format: { ...DEFAULT_AUDIO, sampleRateHz: 1_000, frameMs: SAMPLES_PER_FRAME },
  ...{ pacing: 'realtime', trailingSilenceMs: 0 },
};

// With something left behind for each frame, a thousand calls in real time fill the heap by megabytes a second, and the
// collector's pauses make frames late.
it('a frame leaves nothing behind while its utterance is still being said', async () => {
  const { outbox, sent } = openOutbox();
  const controller = new AbortController();
  let before = 0;
  let after = 0;
  const pacer = {
    at: (_dueMs: number, call: () => void): void => {
      if (sent() === 1_000) before = usedBytes();
      if (sent() === FRAMES - 1) after = usedBytes();
      call();
    },
  };
  const result = await sendSound({ ...sound, signal: controller.signal }, terms, {
    outbox,
    timing: { clock: still, pacer },
  });
  expect(result.samples).toBe(FRAMES * SAMPLES_PER_FRAME);
  expect(sent()).toBe(FRAMES);
  expect(before).toBeGreaterThan(0);
  expect((after - before) / FRAMES).toBeLessThan(10);
});

it('an abort lets go whoever waits for a frame’s time, and whoever waits for room', async () => {
  for (const window of [undefined, 1]) {
    const { outbox, sent } = openOutbox();
    outbox.setWindow(window);
    const controller = new AbortController();
    const pacer = { at: (_dueMs: number, call: () => void) => (window === undefined ? undefined : call()) };
    const sending = sendSound({ ...sound, signal: controller.signal }, terms, {
      outbox,
      timing: { clock: still, pacer },
    });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect((await sending).samples).toBe(sent() * SAMPLES_PER_FRAME);
    expect(sent()).toBe(window ?? 0);
  }
});
