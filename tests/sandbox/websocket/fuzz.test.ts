import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clientMessageSchema, encodeAudioFrame } from '../../../src/protocol/index.js';
import { rawClient, startMessage } from '../helpers/raw-client.js';
import { beginEpisode, testSandbox } from '../helpers/sandbox.js';

const text = fc.oneof(fc.string({ maxLength: 40 }), fc.constant('bye'));
const small = fc.nat(4);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const fence = {
  turn: maybe(small),
  messageId: maybe(fc.constantFrom('m', 'n', 'o')),
  reasoning: maybe(text),
};
const call = {
  callId: fc.constantFrom('a', 'b', 'c', 'd'),
  name: fc.constantFrom('calculate', 'get_order_details', 'transfer_to_human_agents', '__proto__', 'x'),
  arguments: fc.oneof(
    fc.constant({ expression: '1+1', order_id: '#W0000001', summary: 's' }),
    fc.constant("{'expression': '1+1'}"),
    fc.string({ maxLength: 12 }),
    fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
  ),
};
const typed = <T extends string>(type: T) => ({ type: fc.constant(type) });
const encoding = fc.constantFrom('pcm16', 'mulaw');
const rate = fc.constantFrom(8_000, 16_000, 24_000, 44_100);
/** Every message type, its fields mostly right. */
const clientMessage = fc.oneof(
  fc.constant(startMessage()),
  fc.record({ ...typed('agent.message'), ...fence, text: maybe(text), speech: maybe(small) }),
  fc.record({ ...typed('tool.call'), ...fence, ...call }),
  fc.record({ ...typed('tool.calls'), ...fence, calls: fc.array(fc.record(call), { maxLength: 4 }) }),
  fc.record({
    ...typed('agent.speech.start'),
    speech: small,
    audio: fc.record({ encoding, sampleRateHz: rate }),
  }),
  fc.record({
    ...typed('agent.speech.audio'),
    speech: small,
    data: fc.constantFrom('AAAA', 'AAA=', '?', ''),
  }),
  fc.record({ ...typed('agent.speech.end'), speech: small, samples: small, transcript: maybe(text) }),
  fc.record({ ...typed('interrupt'), utterance: small, heardSamples: maybe(fc.nat()) }),
  fc.record({ ...typed('ack'), seq: fc.nat(40) }),
  fc.record({ ...typed('session.resume'), token: fc.string({ maxLength: 9 }), lastSeq: small }),
  fc.record({ ...typed('agent.stop'), ...fence, reason: fc.constantFrom('done', 'failed', 'bored') }),
  fc.jsonValue({ maxDepth: 3 }),
);
const audioFrame = fc
  .record({
    ...{ kind: fc.constantFrom('agent' as const, 'customer' as const), seq: small, utterance: small },
    ...{ sampleOffset: small, data: fc.uint8Array({ minLength: 1, maxLength: 9 }) },
  })
  .map((parts) => Buffer.from(encodeAudioFrame(parts)));
const frame = fc.oneof(
  { weight: 6, arbitrary: clientMessage.map((message) => JSON.stringify(message)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: audioFrame },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
);
const script = fc.record({
  mode: fc.constantFrom('text', 'speech'),
  start: fc.record({
    audio: maybe(fc.record({ encoding, sampleRateHz: rate, transport: fc.constantFrom('binary', 'base64') })),
    window: maybe(fc.constant(4_096)),
  }),
  frames: fc.array(frame, { maxLength: 25 }),
});

it('no sequence of frames breaks a session, loses a number or leaves a record open', async () => {
  const { sandbox, records, logged } = await testSandbox({ limits: { maxTurns: 5, maxErrors: 4 } });
  await fc.assert(
    fc.asyncProperty(script, async ({ mode, start, frames }) => {
      const client = await rawClient(sandbox.url);
      client.send(startMessage({ mode, ...start }));
      for (const [index, data] of frames.entries()) {
        client.sendRaw(data);
        // Sometimes wait until it was read, so that some messages come in turn and some out of it.
        if (index % 2 === 0) await client.pong();
      }
      client.socket.close();
      await client.closed;
      for (const played of ['text', 'speech'] as const)
        await sandbox.settled({ task: 'cancel-lamp', mode: played, trial: 0, seed: 1 });
      const numbers = client.frames.map((data) =>
        data[0] === 0x50 ? data.readUInt32LE(4) : (JSON.parse(data.toString()) as { seq: number }).seq,
      );
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      // A call that was made has its one end, and only repeats come after it.
      const ends = client.events.flatMap((event) => (event.type === 'tool.result' ? [event] : []));
      for (const { callId } of ends) {
        const own = ends.filter((end) => end.callId === callId && end.status !== 'cancelled');
        if (own.length > 0)
          expect(own.map(({ repeated }) => repeated ?? false)).toEqual(own.map((_, at) => at > 0));
      }
    }),
    { numRuns: 60 },
  );
  for (const [episode, events] of records.episodes) {
    expect(records.finished.has(episode)).toBe(true);
    expect(events.at(-1)?.type).toBe('outcome');
  }
  expect(logged).toEqual([]);
  expect((await beginEpisode(sandbox)).opening.text).toMatch(/^Hello/);
});

it('every message is either taken or answered with one error that names it [P-ERR-1]', async () => {
  const { sandbox, records } = await testSandbox({ limits: { maxTurns: 60, maxErrors: 60 } });
  const episode = 'cancel-lamp.text.t0.s1';
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 12 }), async (frames) => {
      const client = await rawClient(sandbox.url);
      client.send(startMessage({ seed: 1 }));
      await client.next('customer.end');
      for (const data of frames) {
        const before = client.events.length;
        client.sendRaw(data);
        await client.pong();
        // One frame is at most one error; an action that was taken gets none.
        const errors = client.events.slice(before).filter(({ type }) => type === 'error');
        expect(errors.length).toBeLessThanOrEqual(1);
        if (!isMessage(data)) expect(errors).toHaveLength(client.events.some(isEnd) ? errors.length : 1);
      }
      client.socket.close();
      await client.closed;
      await sandbox.settled({ task: 'cancel-lamp', mode: 'text', trial: 0, seed: 1 });
    }),
    { numRuns: 25 },
  );
  expect(records.finished.has(episode)).toBe(true);
});

const isEnd = ({ type }: { readonly type: string }): boolean => type === 'episode.end';

/** Whether it is a message of the protocol at all; binary frames are left to the sandbox. */
function isMessage(data: string | Buffer): boolean {
  if (typeof data !== 'string') return true;
  try {
    return clientMessageSchema.safeParse(JSON.parse(data)).success;
  } catch {
    return false;
  }
}
