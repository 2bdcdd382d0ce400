import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/shared/index.js';
import type { CustomerFactory } from '../../src/user/index.js';
import { customersOf, directTools } from './helpers/fakes.js';
import { type RawClient, rawClient, rawEpisode, startMessage } from './helpers/raw-client.js';
import { eventsOf, testSandbox } from './helpers/sandbox.js';

/** Rows of docs/decisions/serving-faults.md that are the sandbox's to keep away from agents of any kind. */

const CALL = { type: 'tool.call', callId: 'w', name: 'cancel_pending_order' };
const CANCEL = { ...CALL, arguments: { order_id: '#W0000001', reason: 'no longer needed' } };
const ON_THE_LINE = { mode: 'speech', pacing: 'realtime' };
const SPOKEN = 'cancel-lamp.speech.t0.s1';

const framesOf = ({ frames }: RawClient): number => frames.filter((data) => data[0] === 0x50).length;

/** Everything that is under way between the two sides has arrived. */
async function settle(client: RawClient): Promise<void> {
  for (let count = 0; count < 3; count += 1) await client.pong();
}

/** A customer that speaks for 2.5 seconds each time, at the speed of speech on a clock that the test moves. */
async function longWinded(customers: CustomerFactory = talker('a'.repeat(400))) {
  const clock = createManualClock();
  const tested = await testSandbox({ clock, customers });
  const client = await rawClient(tested.sandbox.url);
  client.send(startMessage(ON_THE_LINE));
  await client.next('customer.start');
  await settle(client);
  return { ...tested, clock, client };
}

const talker = (text: string): CustomerFactory =>
  customersOf({ open: async () => ({ text }), reply: async () => ({ text }) });

describe('faults of others, here', () => {
  it('row 26: broken into before anything was heard, at 0 samples, an utterance is taken as unheard, and the episode goes on', async () => {
    const { client, records } = await longWinded();
    client.send({ type: 'interrupt', utterance: 0, heardSamples: 0 });
    expect(await client.next('customer.end')).toMatchObject({ interrupted: true, final: false });
    client.send({ type: 'agent.message', text: 'Pardon?' });
    expect(await client.next('customer.start')).toMatchObject({ utterance: 1 });
    expect(eventsOf(records, SPOKEN)).toContainEqual(
      expect.objectContaining({ type: 'interrupted', utterance: 0, samplesHeard: 0 }),
    );
    expect(client.events.filter(({ type }) => type === 'error')).toEqual([]);
  });

  it('row 27: a call made again because its result was lost in an interruption has no second effect', async () => {
    const { client, clock, records, sandbox } = await longWinded();
    client.send({ type: 'interrupt', utterance: 0 });
    await client.next('customer.end');
    client.send(CANCEL);
    client.send({ type: 'interrupt', utterance: 0, heardSamples: 5 });
    const first = await client.next('tool.result');
    client.send(CANCEL);
    const second = await client.next('tool.result');
    expect(second).toMatchObject({ callId: 'w', ok: true, content: first.content, repeated: true });
    client.send({ type: 'agent.message', text: 'Done.' });
    await client.next('customer.start');
    client.send(CANCEL);
    expect(await client.next('tool.result')).toMatchObject({ repeated: true });
    clock.advance(10_000);
    await client.next('customer.end');
    client.send({ type: 'agent.stop' });
    await client.next('episode.end');
    await sandbox.close();
    expect(eventsOf(records, SPOKEN).filter(({ type }) => type === 'tool_call')).toHaveLength(1);
  });

  it('rows 30 and 43: with every utterance broken into, each stands in the record whole, with what was sent and heard of it', async () => {
    const words = ['one '.repeat(100), 'two '.repeat(100), 'three '.repeat(80)].map((text) => text.trim());
    const left = [...words];
    const line = async () => ({ text: left.shift() ?? 'bye' });
    const { client, clock, records } = await longWinded(customersOf({ open: line, reply: line }));
    for (let utterance = 0; utterance < words.length; utterance += 1) {
      if (utterance > 0) {
        client.send({ type: 'agent.message', text: 'And?' });
        await client.next('customer.start');
        await settle(client);
      }
      clock.advance(200);
      await settle(client);
      client.send({ type: 'interrupt', utterance, heardSamples: 1_000 + utterance });
      expect(await client.next('customer.end')).toMatchObject({
        utterance,
        interrupted: true,
        samples: 4_800,
      });
    }
    const events = eventsOf(records, SPOKEN);
    expect(events.flatMap((event) => (event.type === 'customer' ? [event.text] : []))).toEqual(words);
    expect(
      events.flatMap((event) =>
        event.type === 'interrupted' ? [[event.utterance, event.samplesSent, event.samplesHeard]] : [],
      ),
    ).toEqual(words.map((_, utterance) => [utterance, 4_800, 1_000 + utterance]));
  });

  it('row 31: after an interruption not one more frame of the utterance comes, and the client is told that it is over', async () => {
    const { client, clock } = await longWinded();
    clock.advance(300);
    await settle(client);
    client.send({ type: 'interrupt', utterance: 0 });
    expect(await client.next('customer.end')).toMatchObject({ interrupted: true });
    const before = framesOf(client);
    clock.advance(10_000);
    await settle(client);
    expect([before, framesOf(client)]).toEqual([4, 4]);
  });

  it('row 34: a call under way when the agent breaks in still ends, once, and then the agent may act', async () => {
    let finish = (): void => undefined;
    const { sandbox } = await testSandbox({
      connectTools: async (session) => {
        const tools = await directTools(session);
        return {
          ...tools,
          call: async (name, args) => {
            await new Promise<void>((resolve) => {
              finish = resolve;
            });
            return tools.call(name, args);
          },
        };
      },
    });
    const client = await rawEpisode(sandbox.url, { mode: 'speech' });
    client.send(CANCEL);
    client.send({ type: 'interrupt', utterance: 0, heardSamples: 5 });
    client.send({ type: 'agent.message', text: 'One moment.' });
    expect(await client.next('error')).toMatchObject({ code: 'stale_turn' });
    expect(await client.next('error')).toMatchObject({ code: 'not_your_turn' });
    finish();
    expect(await client.next('tool.result')).toMatchObject({ callId: 'w', ok: true });
    client.send({ type: 'agent.message', text: 'It is done.' });
    await client.next('customer.end');
    expect(client.events.filter(({ type }) => type === 'tool.result')).toHaveLength(1);
  });

  it('row 35: a call while the customer speaks is refused aloud, never taken and dropped, and its id stays free', async () => {
    const { client, clock, records } = await longWinded();
    client.send({ ...CANCEL, messageId: 'early' });
    expect(await client.next('error')).toMatchObject({ code: 'not_your_turn', messageId: 'early' });
    clock.advance(10_000);
    await client.next('customer.end');
    client.send(CANCEL);
    const result = await client.next('tool.result');
    expect(result).toMatchObject({ callId: 'w', ok: true });
    expect(result.repeated).toBeUndefined();
    expect(eventsOf(records, SPOKEN).filter(({ type }) => type === 'tool_call')).toHaveLength(1);
  });

  it('row 51: a customer that lives on text is told the words of a spoken message, not that there was one', async () => {
    const heard: string[] = [];
    const customers = customersOf({
      reply: async (text) => {
        heard.push(text);
        return { text: 'Go on.' };
      },
    });
    const { sandbox } = await testSandbox({ customers });
    const client = await rawEpisode(sandbox.url);
    const audio = { encoding: 'pcm16', sampleRateHz: 16_000 };
    const data = Buffer.alloc(3_200, 1).toString('base64');
    for (const [speech, parts] of [
      [0, { transcript: 'Your order is cancelled.' }],
      [1, {}],
    ] as const) {
      client.send({ type: 'agent.speech.start', speech, audio });
      client.send({ type: 'agent.speech.audio', speech, data });
      client.send({ type: 'agent.speech.end', speech, samples: 1_600, ...parts });
    }
    client.send({ type: 'agent.message', speech: 0 });
    await client.next('customer.start');
    await client.next('customer.end');
    // Without any words there is nothing that could be told: it is refused.
    client.send({ type: 'agent.message', speech: 1 });
    expect(await client.next('error')).toMatchObject({ code: 'unavailable' });
    expect(heard).toEqual(['Your order is cancelled.']);
  });
});
