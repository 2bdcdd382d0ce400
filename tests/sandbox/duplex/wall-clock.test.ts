import { describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../../src/episodes/index.js';
import { createManualClock } from '../../../src/shared/index.js';
import { customersOf } from '../helpers/fakes.js';
import { rawClient } from '../helpers/raw-client.js';
import { eventsOf, testSandbox } from '../helpers/sandbox.js';

const SECOND = 16_000;
/** The fake voice: 100 samples a letter. */
const seconds = (count: number): string => 'x'.repeat(160 * count);
const ofType = <T extends RecordEvent['type']>(events: readonly RecordEvent[], type: T) =>
  events.filter((event): event is Extract<RecordEvent, { type: T }> => event.type === type);

/** A call at the speed of speech, on a clock that the test moves. */
async function callAt(opening: string) {
  const clock = createManualClock();
  const { sandbox, records } = await testSandbox({
    ...{ clock, turnTaking: true, websocket: { graceMs: 0, idleTimeoutMs: 0, handshakeTimeoutMs: 0 } },
    customers: customersOf({
      open: async () => ({ text: opening }),
      reply: async () => ({ text: seconds(1) }),
    }),
  });
  const client = await rawClient(sandbox.url);
  client.send({
    ...{ type: 'episode.start', task: 'cancel-lamp', mode: 'speech', seed: 1 },
    ...{ pacing: 'realtime', turnTaking: 'patient' },
  });
  const { episode } = await client.next('episode.ready');
  await client.next('customer.start');
  /** Moves the clock in small steps, each when everything before has arrived. */
  const pass = async (ms: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += 100) {
      clock.advance(100);
      // What one message sets off may take several turns of the event loop, more on a busy machine.
      for (let round = 0; round < 20; round += 1) {
        await client.pong();
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  return { client, pass, events: () => eventsOf(records, episode) };
}

describe('turn-taking at the speed of speech', () => {
  it('checks in twice when nothing comes, then hangs up [P-TT-7] [P-TT-2]', async () => {
    const { client, pass, events } = await callAt(seconds(2));
    await pass(25_000);
    const end = await client.next('episode.end');
    expect(end).toMatchObject({ reason: 'customer_gave_up', owner: 'agent' });
    const asides = ofType(events(), 'aside');
    expect(asides.map(({ kind }) => kind)).toEqual(['check_in', 'check_in']);
    expect(asides[0]?.startSample).toBe(7 * SECOND);
  });

  it('stops a second after the agent breaks in, and sends no more [P-TT-6]', async () => {
    const { client, pass, events } = await callAt(`Hello ${seconds(1)} ${seconds(6)}`);
    await pass(2_000);
    client.send({ type: 'interrupt', utterance: 0, heardSamples: 2 * SECOND });
    await pass(1_500);
    const end = await client.next('customer.end');
    expect(end.interrupted).toBe(true);
    const [yielded] = ofType(events(), 'customer_yielded');
    expect(yielded).toMatchObject({
      because: 'interrupted',
      samplesSaid: end.samples,
      samplesSent: end.samples,
    });
    expect(end.samples).toBeGreaterThanOrEqual(2.8 * SECOND);
    expect(end.samples).toBeLessThanOrEqual(3.3 * SECOND);
    expect(yielded?.saidText).toBe(`Hello ${seconds(1)}`);
  });

  it('answers when the agent’s words have been said, and lets it break off a check-in [P-TT-2] [P-TT-7]', async () => {
    const { client, pass, events } = await callAt(seconds(1));
    const starts = () => client.events.filter(({ type }) => type === 'customer.start').length;
    // The check-in lasts less than 0.2 s with this voice: the agent speaks as soon as it hears it.
    for (let gone = 0; gone < 7_000 && starts() < 2; gone += 100) await pass(100);
    client.send({ type: 'agent.message', text: 'One moment please, I am looking it up.' });
    await pass(200);
    expect(events().some(({ type }) => type === 'agent_error')).toBe(false);
    for (let gone = 0; gone < 8_000 && starts() < 3; gone += 100) await pass(100);
    const [call] = ofType(events(), 'agent').map((event) => event.call);
    const answer = ofType(events(), 'customer')[1]?.call;
    expect(call?.startSample).toBeGreaterThanOrEqual(6 * SECOND);
    expect(answer?.startSample).toBe((call?.startSample ?? 0) + (call?.samples ?? 0) + SECOND);
    expect(starts()).toBe(3);
  });
});
