import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rawClient, startMessage } from '../helpers/raw-client.js';
import { beginEpisode, testSandbox } from '../helpers/sandbox.js';

const text = fc.oneof(fc.string({ maxLength: 40 }), fc.constant('bye'));
const clientMessage = fc.oneof(
  fc.constant(startMessage()),
  fc.record({ type: fc.constant('agent.message'), text, reasoning: fc.option(text, { nil: undefined }) }),
  fc.record({
    type: fc.constant('tool.call'),
    callId: fc.constantFrom('a', 'b', 'c', 'd'),
    name: fc.constantFrom('calculate', 'get_order_details', 'transfer_to_human_agents', '__proto__', 'x'),
    arguments: fc.oneof(
      fc.constant({ expression: '1+1', order_id: '#W0000001', summary: 's' }),
      fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
    ),
  }),
  fc.constant({ type: 'agent.stop' }),
  fc.jsonValue({ maxDepth: 3 }),
);
const frame = fc.oneof(
  { weight: 6, arbitrary: clientMessage.map((message) => JSON.stringify(message)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
);
const script = fc.record({
  mode: fc.constantFrom('text', 'speech'),
  frames: fc.array(frame, { maxLength: 25 }),
});

it('no sequence of frames breaks a session, loses a number or leaves a record open', async () => {
  const { sandbox, records, logged } = await testSandbox({ limits: { maxTurns: 5, maxErrors: 4 } });
  await fc.assert(
    fc.asyncProperty(script, async ({ mode, frames }) => {
      const client = await rawClient(sandbox.url);
      client.send(startMessage({ mode }));
      for (const [index, data] of frames.entries()) {
        client.sendRaw(data);
        // Sometimes wait until it was read, so that some messages come in turn and some out of it.
        if (index % 2 === 0)
          await new Promise((resolve) => {
            client.socket.once('pong', resolve);
            client.socket.ping();
          });
      }
      client.socket.close();
      await client.closed;
      for (const played of ['text', 'speech'] as const)
        await sandbox.settled({ task: 'cancel-lamp', mode: played, trial: 0, seed: 1 });
      const numbers = client.frames.map((data) =>
        data[0] === 0x50 ? data.readUInt32LE(4) : (JSON.parse(data.toString()) as { seq: number }).seq,
      );
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
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
