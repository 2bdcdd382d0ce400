import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/shared/index.js';
import { type RawClient, rawClient, rawEpisode, startMessage } from '../helpers/raw-client.js';
import { eventsOf, testSandbox } from '../helpers/sandbox.js';

const GRACE = { websocket: { graceMs: 30_000 } };
const EPISODE = 'cancel-lamp.text.t0.s1';

/** Cuts the line without a word. */
async function cut(client: RawClient): Promise<void> {
  client.socket.terminate();
  await client.closed;
}

async function resume(url: string, token: string, lastSeq: number): Promise<RawClient> {
  const client = await rawClient(url);
  client.send({ type: 'session.resume', token, lastSeq });
  return client;
}

const tokenOf = async (client: RawClient): Promise<string> => (await client.next('hello')).resumeToken;

/** Numbers of everything that came after the greeting of a resumed connection. */
const numbersOf = (frames: readonly Buffer[]): number[] =>
  frames.map((data) =>
    data[0] === 0x50 ? data.readUInt32LE(4) : (JSON.parse(data.toString()) as { seq: number }).seq,
  );

describe('a session whose connection is lost', () => {
  it('goes on where the client stood, and the answer to what it had asked is there [P-RESUME-1] [P-RESUME-6]', async () => {
    const { sandbox, records } = await testSandbox(GRACE);
    const first = await rawEpisode(sandbox.url);
    const token = await tokenOf(first);
    const lastSeq = first.events.at(-1)?.seq ?? 0;
    first.send({ type: 'agent.message', text: 'hello', messageId: 'm1' });
    await first.next('customer.end');
    await cut(first);
    const second = await resume(sandbox.url, token, lastSeq);
    expect(await second.next('session.resumed')).toMatchObject({
      ...{ seq: 2, lastSeq, turn: 1, lastMessageId: 'm1', replayed: 3 },
    });
    second.send({ type: 'agent.message', text: 'hello', messageId: 'm1' });
    expect(await second.next('customer.end')).toMatchObject({ turn: 1, seq: lastSeq + 3 });
    second.send({ type: 'agent.stop' });
    expect(await second.next('episode.end')).toMatchObject({ seq: lastSeq + 4, turn: 1 });
    expect(eventsOf(records, EPISODE).filter(({ type }) => type === 'agent')).toHaveLength(1);
  });

  it('is not given to who has no or a wrong token, asks too late or for too much [P-RESUME-2] [P-FLOW-2]', async () => {
    const { sandbox } = await testSandbox(GRACE);
    const first = await rawEpisode(sandbox.url);
    const token = await tokenOf(first);
    const last = first.events.at(-1)?.seq ?? 0;
    first.send({ type: 'ack', seq: 3 });
    first.send({ type: 'ack', seq: 99 });
    expect((await first.next('error')).code).toBe('bad_message');
    await cut(first);
    for (const [secret, lastSeq] of [
      ['x', 0],
      [`${token.slice(1)}A`, last],
      [token, last + 99],
      [token, 2],
    ] as const) {
      const thief = await resume(sandbox.url, secret, lastSeq);
      expect((await thief.next('error')).code).toBe('cannot_resume');
    }
    const late = await rawClient(sandbox.url);
    late.send({ type: 'ack', seq: 1 });
    late.send({ type: 'session.resume', token, lastSeq: last });
    expect(await late.next('error')).toMatchObject({ code: 'cannot_resume' });
    const owner = await resume(sandbox.url, token, last);
    await owner.next('session.resumed');
  });

  it('ends as agent_disconnected when the time of grace is over, not before [P-RESUME-3]', async () => {
    const clock = createManualClock();
    const { sandbox, summaries, nextEnd } = await testSandbox({ clock, ...GRACE });
    const first = await rawEpisode(sandbox.url);
    const token = await tokenOf(first);
    await cut(first);
    const probe = await rawClient(sandbox.url);
    await probe.next('hello');
    clock.advance(29_999);
    expect(summaries).toEqual([]);
    clock.advance(1);
    expect(await nextEnd()).toMatchObject({ reason: 'agent_disconnected', owner: 'agent' });
    const late = await resume(sandbox.url, token, 1);
    expect((await late.next('error')).code).toBe('cannot_resume');
  });

  it('does not stop the agent’s clock: who is away too long has timed out', async () => {
    const clock = createManualClock();
    const { sandbox, nextEnd } = await testSandbox({
      ...{ clock, websocket: { graceMs: 60_000 }, limits: { agentTimeoutMs: 10_000 } },
    });
    const first = await rawEpisode(sandbox.url);
    const token = await tokenOf(first);
    const lastSeq = first.events.at(-1)?.seq ?? 0;
    await cut(first);
    await (await rawClient(sandbox.url)).next('hello');
    clock.advance(10_000);
    expect((await nextEnd()).reason).toBe('agent_timeout');
    // The end is still told.
    const second = await resume(sandbox.url, token, lastSeq);
    expect(await second.next('episode.end')).toMatchObject({ reason: 'agent_timeout' });
  });

  it('is taken over from a connection that still looks alive [P-RESUME-4]', async () => {
    const { sandbox } = await testSandbox(GRACE);
    const first = await rawEpisode(sandbox.url);
    const token = await tokenOf(first);
    const second = await resume(sandbox.url, token, first.events.at(-1)?.seq ?? 0);
    await second.next('session.resumed');
    expect(await first.closed).toBe(4005);
    second.send({ type: 'agent.message', text: 'bye' });
    expect(await second.next('episode.end')).toMatchObject({ reason: 'customer_stop' });
  });

  it('ends at once when the client closed it in good order, and waits for nobody [P-RESUME-5]', async () => {
    for (const code of [1000, 1001, undefined]) {
      const { sandbox, nextEnd } = await testSandbox(GRACE);
      const client = await rawEpisode(sandbox.url);
      client.socket.close(code);
      expect((await nextEnd()).reason).toBe('agent_disconnected');
    }
  });

  it('forgets an upload that was under way, passes over the rest of it and takes it again [P-SPEECH-5]', async () => {
    const { sandbox, records } = await testSandbox(GRACE);
    const first = await rawEpisode(sandbox.url);
    const token = await tokenOf(first);
    const start = { type: 'agent.speech.start', audio: { encoding: 'mulaw', sampleRateHz: 8_000 } };
    const piece = { type: 'agent.speech.audio', data: 'AAAA' };
    const end = { type: 'agent.speech.end', samples: 3 };
    for (const message of [start, piece, end]) first.send({ ...message, speech: 1 });
    for (const message of [start, piece]) first.send({ ...message, speech: 2 });
    await first.pong();
    const second = await resume(sandbox.url, token, first.events.at(-1)?.seq ?? 0);
    await second.next('session.resumed');
    for (const message of [piece, end]) second.send({ ...message, speech: 2 });
    for (const message of [start, piece, end]) second.send({ ...message, speech: 3 });
    second.send({ type: 'agent.message', text: 'one', speech: 1 });
    await second.next('customer.end');
    second.send({ type: 'agent.message', text: 'three', speech: 3 });
    expect(await second.next('customer.end')).toMatchObject({ turn: 2 });
    const said = eventsOf(records, EPISODE).filter(({ type }) => type === 'agent' || type === 'agent_error');
    expect(said).toMatchObject([
      { text: 'one', audio: { samples: 3 } },
      { text: 'three', audio: { samples: 3 } },
    ]);
  });

  it('ends as shutdown when the server stops meanwhile [P-END-3]', async () => {
    const { sandbox, summaries } = await testSandbox(GRACE);
    await cut(await rawEpisode(sandbox.url));
    await sandbox.close();
    expect(summaries).toMatchObject([{ reason: 'shutdown', owner: 'platform' }]);
  });
});

describe('whatever is cut, and wherever', () => {
  /** How many frames the client reads before its line is cut; afterwards it reads to the end. */
  const cuts = fc.array(fc.integer({ min: 2, max: 25 }), { maxLength: 6 });

  it('the client sees every event once, in order, and the same episode as without cuts [P-RESUME-1]', async () => {
    const { sandbox, records } = await testSandbox(GRACE);
    let seed = 0;
    await fc.assert(
      fc.asyncProperty(cuts, fc.constantFrom('text', 'speech'), fc.boolean(), async (places, mode, acks) => {
        seed += 1;
        const seen: Buffer[] = [];
        await playWithCuts(sandbox.url, { places: [...places], mode, acks, seed, seen });
        expect(numbersOf(seen)).toEqual(seen.map((_, index) => index + 1));
        const types = eventsOf(records, `cancel-lamp.${mode}.t0.s${seed}`).map(({ type }) => type);
        expect(types).toEqual([
          ...['episode', 'customer', 'agent', 'customer', 'tool_call', 'tool_result', 'agent', 'customer'],
          ...['end', 'outcome'],
        ]);
      }),
      { numRuns: 25 },
    );
  });
});

interface Play {
  readonly places: number[];
  readonly mode: string;
  readonly acks: boolean;
  readonly seed: number;
  /** Every frame of the session as the client took it. */
  readonly seen: Buffer[];
}

const SCRIPT = [
  { type: 'agent.message', text: 'Hello', messageId: 'one' },
  {
    ...{ type: 'tool.call', callId: 'c', name: 'cancel_pending_order', messageId: 'two' },
    arguments: { order_id: '#W0000001', reason: 'no longer needed' },
  },
  { type: 'agent.message', text: 'Done, bye', messageId: 'three' },
];

/** A client that keeps what it has taken, loses its line again and again, and sends again what it is not sure of. */
async function playWithCuts(url: string, { places, mode, acks, seed, seen }: Play): Promise<void> {
  let token: string | null = null;
  let step = 0;
  for (;;) {
    const client = await rawClient(url);
    const limit = places.shift() ?? Number.POSITIVE_INFINITY;
    let taken = 0;
    const skip = token === null ? 0 : 2;
    const start = seen.length;
    if (token !== null) client.send({ type: 'session.resume', token, lastSeq: seen.length });
    const repeat = step > 0 && seen.length > 0 ? SCRIPT[step - 1] : undefined;
    let over = false;
    for (let place = 0; !over && taken < limit; place += 1) {
      while (client.frames.length <= place) await client.more();
      const data = client.frames[place] as Buffer;
      if (place < skip) {
        if (place === 1) {
          expect(JSON.parse(data.toString())).toMatchObject({ type: 'session.resumed', lastSeq: start });
          if (repeat !== undefined) client.send(repeat);
        }
        continue;
      }
      seen.push(data);
      taken += 1;
      if (data[0] === 0x50) continue;
      const event = JSON.parse(data.toString()) as { type: string; seq: number; resumeToken?: string };
      if (acks) client.send({ type: 'ack', seq: event.seq });
      if (event.type === 'hello') {
        token = event.resumeToken ?? null;
        client.send({ ...startMessage({ mode, seed }), messageId: 'zero' });
      }
      if (event.type === 'customer.end' || event.type === 'tool.result') {
        const message = SCRIPT[step];
        if (message !== undefined) client.send(message);
        step += 1;
      }
      over = event.type === 'episode.end';
    }
    await cut(client);
    if (over) return;
    if (token === null) throw new Error('cut before the greeting');
  }
}
