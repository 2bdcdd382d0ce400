import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { encodeAudioFrame } from '../../../src/protocol/index.js';
import { cutBurst, framesInBurst } from '../../../src/sandbox/websocket/frame-burst.js';
import { makeSound } from '../../../src/sandbox/websocket/sound.js';

/** What a client makes of these bytes. */
async function readMessages(bytes: Buffer): Promise<Buffer[]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket, request) => {
    request.socket.write(bytes);
    socket.close(1000);
  });
  await new Promise<void>((resolve) => server.once('listening', () => resolve()));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const messages: Buffer[] = [];
  client.on('message', (data: Buffer, isBinary: boolean) => {
    expect(isBinary).toBe(true);
    messages.push(data);
  });
  const code = await new Promise<number>((resolve) => client.once('close', resolve));
  await new Promise((resolve) => server.close(resolve));
  expect(code).toBe(1000);
  return messages;
}

const soundOf = (samples: number, encoding: 'pcm16' | 'mulaw', frameMs: number) => {
  const sampleRateHz = encoding === 'mulaw' ? 8_000 : 24_000;
  const clip = { samples: Int16Array.from({ length: samples }, (_, at) => at % 5_000), sampleRateHz };
  const format = { encoding, sampleRateHz, transport: 'binary', frameMs } as const;
  return makeSound(clip, { utterance: 3, format, sampleOffset: 700 });
};

describe('a burst of frames', () => {
  it.each([
    ['pcm16', 200, 4_801],
    ['pcm16', 200, 9_600],
    ['pcm16', 20, 1_500],
    ['mulaw', 20, 321],
    ['mulaw', 20, 480],
  ] as const)(
    'of %s, %i ms each, is read as the messages that one after the other would be',
    async (encoding, frameMs, samples) => {
      const sound = soundOf(samples, encoding, frameMs);
      const { bytes, lengths } = cutBurst(sound, 0, { seq: 11, frames: 100 });
      const width = encoding === 'mulaw' ? 1 : 2;
      const wanted: Buffer[] = [];
      for (let at = 0; at < samples; at += sound.samplesPerFrame)
        wanted.push(
          Buffer.from(
            encodeAudioFrame({
              ...{ kind: 'customer', seq: 11 + wanted.length, utterance: 3, sampleOffset: 700 + at },
              data: sound.data.subarray(at * width, (at + sound.samplesPerFrame) * width),
            }),
          ),
        );
      expect(Buffer.concat(await readMessages(bytes))).toEqual(Buffer.concat(wanted));
      expect(lengths).toEqual(wanted.map((frame) => frame.length));
    },
  );

  it('goes on where it is told to, and takes no more than it is allowed', async () => {
    const sound = soundOf(2_400, 'pcm16', 20);
    const { bytes, lengths } = cutBurst(sound, 960, { seq: 1, frames: 2 });
    expect(lengths).toHaveLength(2);
    const [first] = await readMessages(bytes);
    expect(first?.readUInt32LE(12)).toBe(700 + 960);
  });

  it('fills the room that there is by less than one frame too much, and always has one', () => {
    const sound = soundOf(24_000, 'pcm16', 20);
    expect(framesInBurst(sound, 1)).toBe(1);
    expect(framesInBurst(sound, 976)).toBe(1);
    expect(framesInBurst(sound, 977)).toBe(2);
    expect(framesInBurst(sound, Number.POSITIVE_INFINITY)).toBe(Math.floor((64 * 1024) / 976));
  });
});
