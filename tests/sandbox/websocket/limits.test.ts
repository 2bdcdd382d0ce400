import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/shared/index.js';
import { customersOf } from '../helpers/fakes.js';
import { rawClient, rawEpisode, startMessage } from '../helpers/raw-client.js';
import { beginEpisode, testSandbox } from '../helpers/sandbox.js';

/** Twelve megabytes of sound. */
const talkative = customersOf({ open: async () => ({ text: 'a'.repeat(60_000) }) });

describe('timers run on their own, not on traffic (case 31)', () => {
  it('a connection that says nothing is closed after the handshake time, with its own code [P-LIMIT-1]', async () => {
    const clock = createManualClock();
    const { sandbox } = await testSandbox({ clock });
    const silent = await rawClient(sandbox.url);
    await silent.next('hello');
    clock.advance(30_000);
    expect(await silent.closed).toBe(4001);
  });

  it('one without an episode is closed when it is idle, one with an episode is not [P-LIMIT-2]', async () => {
    const clock = createManualClock();
    const { sandbox } = await testSandbox({ clock, limits: { agentTimeoutMs: 1e9 } });
    const idle = await rawEpisode(sandbox.url);
    const busy = await rawEpisode(sandbox.url, { seed: 2 });
    idle.send({ type: 'agent.stop' });
    await idle.next('episode.end');
    for (let minute = 0; minute < 6; minute += 1) clock.advance(60_000);
    expect(await idle.closed).toBe(4002);
    busy.send({ type: 'agent.message', text: 'still here' });
    await busy.next('customer.end');
  });

  it('a peer that falls silent in an episode ends it by the clock alone (case 38) [P-END-4]', async () => {
    const clock = createManualClock();
    const { sandbox, nextEnd } = await testSandbox({ clock });
    const client = await rawEpisode(sandbox.url);
    clock.advance(119_999);
    client.send({ type: 'ack', seq: 2 });
    client.send({ type: 'interrupt', utterance: 0 });
    await client.next('error');
    // Traffic is no action: only acting resets the agent's clock.
    clock.advance(1);
    expect(await nextEnd()).toMatchObject({ reason: 'agent_timeout' });
    expect(await client.next('episode.end')).toMatchObject({ owner: 'agent' });
  });

  it('a socket that is dead is no silent agent: it is told so and waits to be resumed (case 38) [P-LIMIT-3]', async () => {
    const { sandbox } = await testSandbox({ http: { heartbeatMs: 300 }, websocket: { graceMs: 60_000 } });
    const client = await rawClient(sandbox.url, { autoPong: false });
    const { resumeToken } = await client.next('hello');
    client.send(startMessage());
    expect(await client.closed).toBe(4004);
    const again = await rawClient(sandbox.url);
    again.send({ type: 'session.resume', token: resumeToken, lastSeq: client.events.at(-1)?.seq });
    again.send({ type: 'agent.message', text: 'bye' });
    expect(await again.next('episode.end')).toMatchObject({ reason: 'customer_stop' });
  });

  it('goodbye in words does not hang up; only the message for it does (case 38) [P-END-1]', async () => {
    const { sandbox } = await testSandbox({ customers: customersOf({}) });
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'agent.message', text: 'Goodbye! ###STOP###' });
    expect(await client.next('customer.end')).toMatchObject({ final: false });
    client.send({ type: 'agent.stop' });
    expect(await client.next('episode.end')).toMatchObject({ reason: 'agent_stop' });
  });

  it('a hang-up keeps its reason when the socket closes right behind it (case 37) [P-END-1]', async () => {
    const { sandbox, nextEnd } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'agent.stop', reason: 'context_limit' });
    client.socket.close(1000);
    expect(await nextEnd()).toMatchObject({ reason: 'context_limit' });
  });
});

describe('the window', () => {
  it('holds audio back until the client acknowledges, never text [P-FLOW-1]', async () => {
    const { sandbox } = await testSandbox({ customers: talkative });
    const client = await rawClient(sandbox.url);
    client.send(startMessage({ mode: 'speech', window: 40_000 }));
    let acknowledged = 0;
    let most = 0;
    let taken = 0;
    let last = 0;
    for (let place = 0; ; place += 1) {
      while (client.frames.length <= place) await client.more();
      const data = client.frames[place] as Buffer;
      if (data[0] !== 0x50) {
        const event = JSON.parse(data.toString()) as { type: string };
        if (event.type === 'customer.end') break;
        continue;
      }
      taken += data.length;
      last = data.readUInt32LE(4);
      most = Math.max(most, taken - acknowledged);
      // Every fifth frame is acknowledged, and what waits at the edge of the window.
      if (place % 5 === 0 || taken - acknowledged >= 40_000) {
        client.send({ type: 'ack', seq: last });
        acknowledged = taken;
      }
    }
    expect(taken).toBeGreaterThan(12_000_000);
    expect(most).toBeLessThanOrEqual(40_000 + 3_216);
  });

  it('that is never opened keeps the rest, and the clock ends the episode', async () => {
    const clock = createManualClock();
    const { sandbox, nextEnd } = await testSandbox({ clock, customers: talkative });
    const client = await rawClient(sandbox.url);
    client.send(startMessage({ mode: 'speech', window: 4_096 }));
    await client.next('customer.start');
    client.send({ type: 'ack', seq: 10_000 });
    expect((await client.next('error')).code).toBe('bad_message');
    expect(client.frames.filter((data) => data[0] === 0x50).length).toBe(2);
    clock.advance(120_000);
    expect((await nextEnd()).reason).toBe('agent_timeout');
  });
});

describe('a client that does not read', () => {
  it('is closed with its own code before what waits for it grows without bound [P-FLOW-3]', async () => {
    const { sandbox, nextEnd } = await testSandbox({
      websocket: { graceMs: 0, maxUnreadBytes: 1024 * 1024, maxKeptBytes: 64 * 1024 },
      connectTools: async () => ({
        call: async () => ({ ok: true, content: 'x'.repeat(200_000) }),
        close: async () => undefined,
      }),
    });
    const client = await rawEpisode(sandbox.url);
    const call = { type: 'tool.call', callId: 'c', name: 'calculate', arguments: {} };
    client.send(call);
    await client.next('tool.result');
    client.socket.pause();
    // Every repeated call is answered: forty megabytes that nobody reads.
    for (let count = 0; count < 200; count += 1) client.send(call);
    expect((await nextEnd()).reason).toBe('agent_disconnected');
    client.socket.resume();
    // Who reads again soon enough finds the close frame behind what was sent.
    expect([4003, 1006]).toContain(await client.closed);
    expect((await beginEpisode(sandbox, { seed: 3 })).opening.text).toMatch(/^Hello/);
  });
});

describe('one address', () => {
  it('gets so many connections and no more [P-LIMIT-6]', async () => {
    const { sandbox } = await testSandbox({ http: { maxConnectionsPerAddress: 2 } });
    await rawClient(sandbox.url);
    await rawClient(sandbox.url);
    await expect(rawClient(sandbox.url)).rejects.toThrow(/429/);
  });
});
