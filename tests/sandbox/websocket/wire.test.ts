import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { decodeAudioFrame } from '../../../src/protocol/index.js';
import { createManualClock } from '../../../src/shared/index.js';
import { customersOf } from '../helpers/fakes.js';
import { rawClient, rawEpisode, startMessage } from '../helpers/raw-client.js';
import { beginEpisode, eventsOf, testSandbox, typesOf } from '../helpers/sandbox.js';
import { SECRETS } from '../helpers/small-domain.js';

describe('rubbish from a client', () => {
  it('is answered with an error event each, and the connection still plays an episode [P-ERR-1] [P-SEQ-1]', async () => {
    const { sandbox } = await testSandbox();
    const client = await rawClient(sandbox.url);
    const rubbish: [string | Buffer, string][] = [
      ['{', 'bad_json'],
      ['', 'bad_json'],
      ['\u0000', 'bad_json'],
      ['null', 'bad_message'],
      ['[]', 'bad_message'],
      ['{"type":"dance"}', 'bad_message'],
      ['{"type":"episode.start"}', 'bad_message'],
      [JSON.stringify(startMessage({ seed: -1 })), 'bad_message'],
      [JSON.stringify(startMessage({ extra: 1 })), 'bad_message'],
      [JSON.stringify(startMessage({ task: 'nobody' })), 'unknown_task'],
      ['{"type":"agent.message","text":"hi"}', 'no_episode'],
      ['{"type":"agent.stop"}', 'no_episode'],
      [Buffer.from([1, 2, 3]), 'bad_message'],
      [`"${'x'.repeat(300_000)}"`, 'too_large'],
      [`{"type":"tool.call","callId":"c","name":"n","arguments":{"a":${'['.repeat(100_000)}`, 'bad_json'],
      [
        `{"type":"tool.call","callId":"c","name":"n","arguments":{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}}`,
        'bad_message',
      ],
    ];
    for (const [data, code] of rubbish) {
      client.sendRaw(data);
      expect((await client.next('error')).code).toBe(code);
    }
    client.send(startMessage());
    await client.next('customer.end');
    expect(client.events.map((event) => event.seq)).toEqual(client.events.map((_, index) => index + 1));
  });

  it('inside an episode is recorded and counted, and the floor stays with the agent', async () => {
    const { sandbox, records } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    for (const data of ['rubbish', Buffer.from('noise'), JSON.stringify(startMessage())])
      client.sendRaw(data);
    await client.next('error');
    await client.next('error');
    expect((await client.next('error')).code).toBe('episode_running');
    client.send({ type: 'agent.message', text: 'hello' });
    await client.next('customer.end');
    expect(typesOf(eventsOf(records, 'cancel-lamp.text.t0.s1'))).toEqual([
      ...['episode', 'customer', 'agent_error', 'agent_error', 'agent_error', 'agent', 'customer'],
    ]);
  });

  it('closes the connection when it goes on without an episode, and when a message is beyond all measure [P-LIMIT-4] [P-LIMIT-5]', async () => {
    const { sandbox } = await testSandbox();
    const stubborn = await rawClient(sandbox.url);
    for (let count = 0; count < 100; count += 1) stubborn.sendRaw('rubbish');
    expect(await stubborn.closed).toBe(1008);
    const huge = await rawClient(sandbox.url);
    huge.sendRaw('x'.repeat(5 * 1024 * 1024));
    expect(await huge.closed).toBe(1009);
  });

  it('a huge message in an episode ends it as a lost connection', async () => {
    const { sandbox, nextEnd } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    client.sendRaw('x'.repeat(5 * 1024 * 1024));
    expect((await nextEnd()).reason).toBe('agent_disconnected');
  });
});

describe('turns', () => {
  it('belong to one at a time: who speaks out of turn is told so [P-TURN-1]', async () => {
    let answer = (): void => undefined;
    const slow = customersOf({
      reply: () =>
        new Promise((resolve) => {
          answer = () => resolve({ text: 'At last.' });
        }),
    });
    const { sandbox, records } = await testSandbox({ customers: slow });
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'agent.message', text: 'one' });
    client.send({ type: 'agent.message', text: 'two' });
    client.send({ type: 'tool.call', callId: 'c', name: 'calculate', arguments: {} });
    client.send({ type: 'agent.stop' });
    for (let count = 0; count < 3; count += 1)
      expect((await client.next('error')).code).toBe('not_your_turn');
    answer();
    await client.next('customer.end');
    const said = eventsOf(records, 'cancel-lamp.text.t0.s1').filter((event) => event.type === 'agent');
    expect(said).toHaveLength(1);
  });

  it('a customer that answers after the end is not heard', async () => {
    let answer = (): void => undefined;
    const slow = customersOf({
      reply: () =>
        new Promise((resolve) => {
          answer = () => resolve({ text: 'Too late.' });
        }),
    });
    const { sandbox, records, nextEnd } = await testSandbox({ customers: slow });
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'agent.message', text: 'one' });
    client.send({ type: 'agent.message', text: 'two' });
    await client.next('error');
    client.socket.terminate();
    expect((await nextEnd()).reason).toBe('agent_disconnected');
    answer();
    await Promise.resolve();
    expect(JSON.stringify(eventsOf(records, 'cancel-lamp.text.t0.s1'))).not.toContain('Too late.');
  });

  it('an agent that goes while its call runs leaves the result on the record [P-END-6]', async () => {
    let finish = (): void => undefined;
    let called = (): void => undefined;
    const wasCalled = new Promise<void>((resolve) => {
      called = resolve;
    });
    const { sandbox, records, nextEnd } = await testSandbox({
      connectTools: async (session) => ({
        call: async (name, args) => {
          called();
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
          return session.call(name, args);
        },
        close: async () => undefined,
      }),
    });
    const client = await rawEpisode(sandbox.url);
    client.send({
      ...{ type: 'tool.call', callId: 'c', name: 'cancel_pending_order' },
      arguments: { order_id: '#W0000001', reason: 'no longer needed' },
    });
    await wasCalled;
    client.socket.close();
    await client.closed;
    finish();
    expect(await nextEnd()).toMatchObject({ reason: 'agent_disconnected', outcome: { reward: 0 } });
    expect(typesOf(eventsOf(records, 'cancel-lamp.text.t0.s1')).slice(-3)).toEqual([
      ...['tool_result', 'end', 'outcome'],
    ]);
  });

  it('a call id is good for one call', async () => {
    const { sandbox } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    const call = { type: 'tool.call', callId: 'c', name: 'calculate', arguments: { expression: '1+1' } };
    client.send(call);
    expect(await client.next('tool.result')).toMatchObject({ callId: 'c', ok: true, turn: 1 });
    client.send(call);
    expect(await client.next('tool.result')).toMatchObject({ callId: 'c', content: '2', repeated: true });
    client.send({ ...call, arguments: { expression: '1+2' } });
    expect((await client.next('error')).message).toContain('used for another call');
  });
});

describe('a connection', () => {
  it('plays one episode after the other, each attempt with a record of its own', async () => {
    const { sandbox, records } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'agent.stop' });
    await client.next('episode.end');
    client.send(startMessage());
    await client.next('customer.end');
    client.send({ type: 'agent.stop' });
    expect(await client.next('episode.end')).toMatchObject({ episode: 'cancel-lamp.text.t0.s1~2' });
    const [first, second] = [...records.episodes.values()].map((events) => JSON.stringify(events));
    expect(second?.replaceAll('s1~2', 's1')).toBe(first);
  });

  it('carries fifty episodes at once', async () => {
    const { sandbox, summaries } = await testSandbox();
    const ends = await Promise.all(
      Array.from({ length: 50 }, async (_, seed) => {
        const episode = await beginEpisode(sandbox, { seed, mode: seed % 2 === 0 ? 'text' : 'speech' });
        await episode.say('Hello');
        await episode.call('cancel_pending_order', { order_id: '#W0000001', reason: 'no longer needed' });
        const last = await episode.say('bye');
        episode.close();
        return last.kind === 'end' && last.end.outcome?.success;
      }),
    );
    expect(ends).toEqual(ends.map(() => true));
    expect(new Set(summaries.map(({ episode }) => episode)).size).toBe(50);
  });

  it('hears of the end after the record is closed', async () => {
    const { sandbox, records } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'agent.stop' });
    await client.next('episode.end');
    expect(records.finished.has('cancel-lamp.text.t0.s1')).toBe(true);
  });

  it('settles a lost episode before it is asked for again', async () => {
    const { sandbox, records } = await testSandbox();
    const key = { task: 'cancel-lamp', mode: 'text', trial: 0, seed: 1 } as const;
    await sandbox.settled(key);
    const client = await rawEpisode(sandbox.url);
    const settled = sandbox.settled(key);
    client.socket.terminate();
    await settled;
    expect(typesOf(eventsOf(records, 'cancel-lamp.text.t0.s1')).at(-1)).toBe('outcome');
  });

  it('that is dead without a word is dropped', async () => {
    const { sandbox, nextEnd } = await testSandbox({ http: { heartbeatMs: 20 } });
    const client = await rawClient(sandbox.url, { autoPong: false });
    client.send(startMessage());
    expect((await nextEnd()).reason).toBe('agent_disconnected');
    await client.closed;
  });

  it('whose client stops reading gets the rest of the sound when it reads again [P-PACE-1]', async () => {
    const text = 'a'.repeat(60_000);
    const { sandbox } = await testSandbox({ customers: customersOf({ open: async () => ({ text }) }) });
    const client = await rawClient(sandbox.url);
    await client.next('hello');
    client.socket.pause();
    client.send(startMessage({ mode: 'speech' }));
    const other = await beginEpisode(sandbox, { seed: 5 });
    expect(other.opening.text).toHaveLength(60_000);
    client.socket.resume();
    expect((await client.next('customer.end')).samples).toBe(6_000_000);
    const frames = client.frames.filter((data) => data[0] === 0x50).map((data) => decodeAudioFrame(data));
    expect(frames.reduce((sum, { data }) => sum + data.length / 2, 0)).toBe(6_000_000);
    expect(frames.every(({ data }) => data.length === 3_200)).toBe(true);
  });

  it('whose client stops reading for good is ended by the clock', async () => {
    const clock = createManualClock();
    const text = 'a'.repeat(80_000);
    const { sandbox, nextEnd, records } = await testSandbox({
      ...{ clock, customers: customersOf({ open: async () => ({ text }) }) },
    });
    const client = await rawClient(sandbox.url);
    await client.next('hello');
    client.socket.pause();
    client.send(startMessage({ mode: 'speech' }));
    while (records.episodes.get('cancel-lamp.speech.t0.s1')?.[1] === undefined)
      await new Promise((resolve) => setImmediate(resolve));
    clock.advance(120_000);
    expect((await nextEnd()).reason).toBe('agent_timeout');
  });
});

describe('admission', () => {
  async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
    const socket = new WebSocket(url, { headers });
    return new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.on('open', () => {
        socket.terminate();
        resolve(101);
      });
      socket.on('error', () => undefined);
    });
  }

  it('asks for the token, refuses web pages that were not invited and other paths', async () => {
    const { sandbox } = await testSandbox({ tokens: ['s3cret'], allowedOrigins: ['https://good.example'] });
    const good = { authorization: 'Bearer s3cret' };
    expect(await statusOf(sandbox.url, {})).toBe(401);
    expect(await statusOf(sandbox.url, { authorization: 'Bearer s3cre' })).toBe(401);
    expect(await statusOf(sandbox.url, { authorization: 's3cret' })).toBe(401);
    expect(await statusOf(sandbox.url, good)).toBe(101);
    expect(await statusOf(sandbox.url, { ...good, origin: 'https://bad.example' })).toBe(403);
    expect(await statusOf(sandbox.url, { ...good, origin: 'https://good.example' })).toBe(101);
    expect(await statusOf(sandbox.url.replace('/v1', '/v2'), good)).toBe(404);
    const episode = await beginEpisode(sandbox, { token: 's3cret' });
    expect(episode.opening.text).toMatch(/^Hello/);
    await expect(beginEpisode(sandbox, { token: 'wrong' })).rejects.toThrow(/401/);
  });

  it('holds the number of connections down', async () => {
    const { sandbox } = await testSandbox({ http: { maxConnections: 1 } });
    await rawClient(sandbox.url);
    expect(await statusOf(sandbox.url, {})).toBe(503);
  });

  it('tells its health over HTTP and nothing else', async () => {
    const { sandbox } = await testSandbox();
    await rawEpisode(sandbox.url);
    const base = `http://127.0.0.1:${sandbox.port}`;
    const health = await fetch(`${base}/health`);
    expect(await health.json()).toMatchObject({ status: 'healthy', protocol: 'parlor/1', episodes: 1 });
    expect((await fetch(`${base}/etc/passwd`)).status).toBe(404);
    expect((await fetch(`${base}/health`, { method: 'POST' })).status).toBe(405);
  });

  it('says in one line that a port is in use', async () => {
    const { sandbox } = await testSandbox();
    await expect(testSandbox({ port: sandbox.port })).rejects.toMatchObject({
      code: 'cannot-listen',
      message: `cannot listen on 127.0.0.1:${sandbox.port}: the port is in use; choose another --port or --host`,
    });
  });
});

describe('closing the sandbox', () => {
  it('ends running episodes as shutdown, with their records closed, and is safe twice', async () => {
    const { sandbox, records, summaries } = await testSandbox();
    const client = await rawEpisode(sandbox.url);
    await Promise.all([sandbox.close(), sandbox.close()]);
    expect((await client.next('episode.end')).reason).toBe('shutdown');
    expect(await client.closed).toBe(1001);
    expect(summaries).toMatchObject([{ reason: 'shutdown', owner: 'platform', recorded: true }]);
    expect(records.finished.size).toBe(1);
    await sandbox.close();
    await expect(rawClient(sandbox.url)).rejects.toThrow();
  });

  it('also ends an episode that is just being set up', async () => {
    let connect = (): void => undefined;
    let asked = (): void => undefined;
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { sandbox, summaries } = await testSandbox({
      connectTools: async () => {
        asked();
        await new Promise<void>((resolve) => {
          connect = resolve;
        });
        return { call: async () => ({ ok: true, content: '' }), close: async () => undefined };
      },
    });
    const client = await rawClient(sandbox.url);
    client.send(startMessage());
    await wasAsked;
    const closing = sandbox.close();
    connect();
    await closing;
    expect(summaries).toMatchObject([{ reason: 'shutdown', turns: 0 }]);
  });
});

describe('what crosses the wire', () => {
  it.each(['text', 'speech'])('in %s holds nothing that only the task knows [P-SECRET-1]', async (mode) => {
    const { sandbox, records } = await testSandbox();
    const client = await rawEpisode(sandbox.url, { mode });
    const messages = [
      { type: 'agent.message', text: 'Which order?' },
      { type: 'tool.call', callId: 'a', name: 'get_order_details', arguments: { order_id: '#W0000001' } },
      { type: 'tool.call', callId: 'b', name: 'no_such_tool', arguments: {} },
      { type: 'agent.message', text: 'Done, bye' },
    ];
    for (const message of messages) {
      client.send(message);
      await client.next(message.type === 'tool.call' ? 'tool.result' : 'customer.end');
    }
    await client.next('episode.end');
    const wire = Buffer.concat(client.frames).toString('latin1');
    const events = eventsOf(records, `cancel-lamp.${mode}.t0.s1`);
    const record = JSON.stringify(events);
    const differences = events.flatMap((event) => (event.type === 'outcome' ? event.difference : []));
    expect(differences.length).toBeGreaterThan(0);
    const keys = ['groundTruth', 'instruction', 'scenario', 'difference', 'unsaid'].map((key) => `"${key}"`);
    const secrets = [...Object.values(SECRETS), ...differences, ...keys];
    for (const secret of secrets) {
      expect(record, 'the record holds what the wire must not').toContain(secret);
      expect(wire).not.toContain(secret);
    }
    // In speech not even what the customer said crosses as text.
    for (const said of ['this is caller', 'You said', 'Thank you, goodbye'])
      expect(wire.includes(said)).toBe(mode === 'text');
  });
});
