import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/shared/index.js';
import { rawEpisode } from '../helpers/raw-client.js';
import { eventsOf, testSandbox } from '../helpers/sandbox.js';

const EPISODE = 'cancel-lamp.text.t0.s1';
const sum = (callId: string, expression = '1+1') => ({
  callId,
  name: 'calculate',
  arguments: { expression },
});
const CANCEL = {
  name: 'cancel_pending_order',
  arguments: { order_id: '#W0000001', reason: 'no longer needed' },
};
const TRANSFER = { name: 'transfer_to_human_agents', arguments: { summary: 's' } };

describe('tool calls', () => {
  it('of one message run in order, each a turn, and share a batch on the record [P-TOOL-4]', async () => {
    const { sandbox, records } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'tool.calls', calls: [sum('a'), sum('b', '2+2'), sum('c', 'x')], reasoning: 'why' });
    expect(await client.next('tool.result')).toMatchObject({ callId: 'a', turn: 1, status: 'result' });
    expect(await client.next('tool.result')).toMatchObject({ callId: 'b', turn: 2, content: '4' });
    expect(await client.next('tool.result')).toMatchObject({
      callId: 'c',
      turn: 3,
      status: 'error',
      ok: false,
    });
    client.send({ type: 'agent.message', text: 'hello', turn: 3 });
    await client.next('customer.end');
    const calls = eventsOf(records, EPISODE).flatMap((event) => (event.type === 'tool_call' ? [event] : []));
    expect(calls.map(({ turn, batch, reasoning }) => [turn, batch, reasoning])).toEqual([
      [1, 1, 'why'],
      [2, 1, null],
      [3, 1, null],
    ]);
  });

  it('made again under the same id get the first answer and change nothing [P-TOOL-1] [P-TOOL-2]', async () => {
    const { sandbox, records } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    const call = { type: 'tool.call', callId: 'w', ...CANCEL };
    client.send(call);
    const first = await client.next('tool.result');
    expect(first).toMatchObject({ ok: true, turn: 1 });
    client.send(call);
    client.send({ ...call, arguments: JSON.stringify(call.arguments) });
    for (let count = 0; count < 2; count += 1) {
      const { seq: _seq, repeated, ...again } = await client.next('tool.result');
      const { seq: _first, ...before } = first;
      expect(repeated).toBe(true);
      expect(again).toEqual(before);
    }
    client.send({ type: 'agent.stop' });
    const end = await client.next('episode.end');
    expect(end).toMatchObject({ turn: 1, outcome: { success: true } });
    const types = eventsOf(records, EPISODE).map(({ type }) => type);
    expect(types.filter((type) => type === 'tool_call')).toHaveLength(1);
  });

  it('with a used id and other content are refused, whole [P-TOOL-3]', async () => {
    const { sandbox } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'tool.call', ...sum('a') });
    await client.next('tool.result');
    client.send({ type: 'tool.calls', calls: [sum('n'), sum('a', '3+3')], messageId: 'm1' });
    expect(await client.next('error')).toMatchObject({ code: 'bad_message', messageId: 'm1' });
    client.send({ type: 'tool.calls', calls: [sum('n'), sum('n', '1+2')] });
    expect((await client.next('error')).code).toBe('bad_message');
    client.send({ type: 'tool.call', ...sum('n') });
    expect(await client.next('tool.result')).toMatchObject({ callId: 'n', turn: 2 });
  });

  it('that come too late for the episode are cancelled, one end each [P-TOOL-5]', async () => {
    const { sandbox, records } = await testSandbox({ limits: { maxTurns: 2 } });
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'tool.calls', calls: ['a', 'b', 'c', 'd'].map((id) => sum(id)) });
    expect(await client.next('episode.end')).toMatchObject({ reason: 'turn_limit', turn: 2 });
    const ends = client.events.flatMap((event) => (event.type === 'tool.result' ? [event] : []));
    expect(ends.map(({ callId, status }) => [callId, status])).toEqual([
      ['a', 'result'],
      ['b', 'result'],
      ['c', 'cancelled'],
      ['d', 'cancelled'],
    ]);
    const kept = eventsOf(records, EPISODE).flatMap((event) =>
      event.type === 'tool_cancelled' ? [event.callId] : [],
    );
    expect(kept).toEqual(['c', 'd']);
  });

  it('behind a transfer are cancelled, and the agent may still say goodbye [P-TOOL-5]', async () => {
    const { sandbox } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    client.send({
      type: 'tool.calls',
      calls: [
        { callId: 't', ...TRANSFER },
        { callId: 'w', ...CANCEL },
      ],
    });
    expect(await client.next('tool.result')).toMatchObject({ callId: 't', ok: true });
    expect(await client.next('tool.result')).toMatchObject({ callId: 'w', status: 'cancelled' });
    client.send({ type: 'agent.message', text: 'Please hold.' });
    expect(await client.next('episode.end')).toMatchObject({ reason: 'transfer', turn: 2 });
  });

  it('that cannot be understood are answered with text, a turn, and no effect (case 21) [P-TOOL-7]', async () => {
    const { sandbox, records } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'tool.call', callId: 'x', name: CANCEL.name, arguments: 'cancel #W0000001 please' });
    const answer = await client.next('tool.result');
    expect(answer).toMatchObject({ callId: 'x', status: 'error', ok: false, turn: 1 });
    expect(answer.content).toMatch(/^Error: .*JSON object/);
    client.send({ type: 'agent.stop' });
    expect((await client.next('episode.end')).outcome?.scores.database).toBe(0);
    expect(eventsOf(records, EPISODE).find(({ type }) => type === 'tool_call')).toMatchObject({
      ...{ arguments: {}, rawArguments: 'cancel #W0000001 please' },
    });
  });

  it('whose tool never answers end as cancelled when the platform gives up [P-TOOL-1]', async () => {
    const clock = createManualClock();
    let called = (): void => undefined;
    const wasCalled = new Promise<void>((resolve) => {
      called = resolve;
    });
    const { sandbox, records } = await testSandbox({
      clock,
      connectTools: async () => ({
        call: () => {
          called();
          return new Promise(() => undefined);
        },
        close: async () => undefined,
      }),
    });
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'tool.calls', calls: [sum('a'), sum('b')] });
    await wasCalled;
    clock.advance(120_000);
    expect((await client.next('episode.end')).reason).toBe('platform_failed');
    const ends = client.events.flatMap((event) => (event.type === 'tool.result' ? [event] : []));
    expect(ends.map(({ callId, status }) => [callId, status])).toEqual([
      ['a', 'cancelled'],
      ['b', 'cancelled'],
    ]);
    expect(
      eventsOf(records, EPISODE)
        .map(({ type }) => type)
        .slice(-5),
    ).toEqual([...['tool_call', 'tool_result', 'tool_cancelled', 'end', 'outcome']]);
  });
});

describe('turn fences and message ids', () => {
  it('refuse what answers a turn that is over, change nothing and do not count [P-TURN-2]', async () => {
    const { sandbox, records } = await testSandbox({ limits: { maxErrors: 2 } });
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'tool.call', ...sum('a'), turn: 0 });
    await client.next('tool.result');
    for (const message of [
      { type: 'agent.message', text: 'late', turn: 0 },
      { type: 'tool.call', ...sum('b'), turn: 0 },
      { type: 'agent.stop', turn: 9 },
    ]) {
      client.send(message);
      expect((await client.next('error')).code).toBe('stale_turn');
    }
    client.send({ type: 'agent.message', text: 'in time', turn: 1 });
    expect((await client.next('customer.end')).turn).toBe(2);
    expect(eventsOf(records, EPISODE).map(({ type }) => type)).toEqual([
      ...['episode', 'customer', 'tool_call', 'tool_result', 'agent', 'customer'],
    ]);
  });

  it('take a message once [P-MSG-1]', async () => {
    const { sandbox, records } = await testSandbox();
    const client = await rawEpisode(sandbox.url, { messageId: 'start' });
    client.send({ type: 'episode.start', task: 'cancel-lamp', mode: 'text', seed: 1, messageId: 'start' });
    for (let count = 0; count < 3; count += 1)
      client.send({ type: 'agent.message', text: 'once', messageId: 'm' });
    await client.next('customer.end');
    client.send({ type: 'agent.message', text: 'once', messageId: 'm' });
    client.send({ type: 'agent.stop', messageId: 'stop' });
    await client.next('episode.end');
    expect(client.events.filter(({ type }) => type === 'error')).toEqual([]);
    expect(eventsOf(records, EPISODE).filter(({ type }) => type === 'agent')).toHaveLength(1);
  });
});

describe('agent.stop', () => {
  it.each([
    ['context_limit', 'context_limit'],
    ['failed', 'agent_failed'],
    ['done', 'agent_stop'],
  ])(
    'for the reason %s ends as %s, the agent’s own, with its detail on the record [P-END-2]',
    async (reason, end) => {
      const { sandbox, records } = await testSandbox();
      const client = await rawEpisode(sandbox.url);
      client.send({ type: 'agent.stop', reason, detail: '131072 tokens' });
      expect(await client.next('episode.end')).toMatchObject({ reason: end, owner: 'agent' });
      expect(eventsOf(records, EPISODE).find(({ type }) => type === 'end')).toMatchObject({
        ...{ reason: end, detail: '131072 tokens' },
      });
    },
  );
});
