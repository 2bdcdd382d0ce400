import { expect, it } from 'vitest';
import type { AudioFormat } from '../../../src/protocol/index.js';
import type { Link } from '../../../src/sandbox/websocket/link.js';
import { Outbox } from '../../../src/sandbox/websocket/outbox.js';
import { makeSound } from '../../../src/sandbox/websocket/sound.js';

const format: AudioFormat = { encoding: 'pcm16', sampleRateHz: 16_000, transport: 'binary', frameMs: 20 };
const FRAMES = 250;

interface Written {
  readonly raw: Buffer[];
  readonly texts: string[];
}

function recordingLink(): { readonly link: Link; readonly written: Written } {
  const written: Written = { raw: [], texts: [] };
  const link: Link = {
    ...{ isOpen: true, close: () => undefined },
    send: (data) => {
      written.texts.push(String(data));
      return null;
    },
    sendRaw: (bytes) => {
      written.raw.push(Buffer.from(bytes));
      return null;
    },
  };
  return { link, written };
}

/** An outbox that has sent five seconds of sound, all of it unacknowledged, between two events. */
function sentOutbox(): { readonly outbox: Outbox; readonly written: Written } {
  const outbox = new Outbox(1_000_000);
  const { link, written } = recordingLink();
  outbox.attach(link, 0);
  const samples = Int16Array.from({ length: FRAMES * 320 - 100 }, (_, at) => at % 1000);
  const sound = makeSound({ samples, sampleRateHz: 16_000 }, { utterance: 0, format, sampleOffset: 0 });
  outbox.push({ type: 'customer.start', utterance: 0, turn: 0 } as never);
  for (let frame = 0; frame < FRAMES; ) frame += outbox.pushFrames(sound, frame * 320, FRAMES - frame).frames;
  outbox.push({ type: 'customer.end', utterance: 0, turn: 0 } as never);
  return { outbox, written };
}

const untilLive = async (outbox: Outbox): Promise<void> => {
  while (!outbox.isReady) await new Promise<void>((resolve) => setImmediate(resolve));
};

it('sends again what was sent, byte for byte, in as few pieces as the first time', async () => {
  const { outbox, written } = sentOutbox();
  const again = recordingLink();
  outbox.detach();
  expect(outbox.attach(again.link, 0)).toBe(FRAMES + 2);
  await untilLive(outbox);
  expect(Buffer.concat(again.written.raw)).toEqual(Buffer.concat(written.raw));
  expect(again.written.texts).toEqual(written.texts);
  expect(again.written.raw.length).toBe(written.raw.length);
  expect(written.raw.length).toBeLessThan(5);
});

it('begins amid a sound, at the frame after the last one that arrived', async () => {
  const { outbox, written } = sentOutbox();
  const again = recordingLink();
  outbox.detach();
  // The start and 100 frames of 640 bytes, with 20 of our header and 4 of the WebSocket's each.
  const before = 100 * (640 + 20);
  outbox.attach(again.link, 101);
  await untilLive(outbox);
  const whole = Buffer.concat(written.raw);
  const rest = Buffer.concat(again.written.raw);
  expect(whole.length - rest.length).toBeGreaterThanOrEqual(before);
  expect(rest).toEqual(whole.subarray(whole.length - rest.length));
});

it('waits for acknowledgements within the window while it sends again', async () => {
  const { outbox } = sentOutbox();
  const again = recordingLink();
  outbox.detach();
  outbox.setWindow(20_000);
  outbox.attach(again.link, 0);
  for (let turn = 0; turn < 20; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  const underWay = Buffer.concat(again.written.raw).length;
  expect(underWay).toBeGreaterThan(20_000);
  expect(underWay).toBeLessThan(22_000);
  outbox.acknowledge(21);
  for (let turn = 0; turn < 20; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  expect(Buffer.concat(again.written.raw).length).toBeGreaterThan(underWay + 10_000);
});
