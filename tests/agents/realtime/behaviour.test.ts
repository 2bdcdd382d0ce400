import { describe, expect, it } from 'vitest';
import { breakInAt } from '../../../src/agents/realtime/break-in.js';
import type { RecordEvent } from '../../../src/episodes/index.js';
import { builtInDomain } from '../../../src/retail/index.js';
import type { RealtimeAnswer } from '../../helpers/strict-realtime-response.js';
import { customersOf } from '../../sandbox/helpers/fakes.js';
import { oraclePolicy, type PlayRealtimeOptions, playRealtime } from './play.js';

const domain = builtInDomain();
const task = domain.tasks.find(({ splits }) => splits.includes('test'))?.id ?? '';
const CALL = { name: 'list_all_product_types', arguments: '{}' };

/** A model that answers its n-th question with the n-th answer, and hangs on to the last one. */
const answers =
  (...list: readonly RealtimeAnswer[]) =>
  ({ response }: { readonly response: number }): RealtimeAnswer =>
    list[Math.min(response, list.length - 1)] ?? {};
/** Hangs up at the word goodbye. */
const customers = customersOf({
  reply: async (text) => (/goodbye/i.test(text) ? { text: 'Bye.', end: 'stop' } : { text: 'Go on then.' }),
});
const play = (options: Omit<PlayRealtimeOptions, 'domain' | 'task'>) =>
  playRealtime({ domain, task, customers, ...options });
const said = (events: readonly RecordEvent[]) =>
  events.flatMap((event) => (event.type === 'agent' ? [event.text] : []));
const results = (events: readonly RecordEvent[]) =>
  events.flatMap((event) => (event.type === 'tool_result' ? [event.ok] : []));
const bye = { say: 'Goodbye.' };

describe('what is said and called', () => {
  it('answers each of several calls in one reply, in order (25, 28)', async () => {
    const { events, server } = await play({
      server: { policy: answers({ calls: [CALL, { ...CALL, name: 'no_such_tool' }, CALL] }, bye) },
    });
    expect(results(events)).toEqual([true, false, true]);
    // They went to the sandbox as one message.
    const batches = events.flatMap((event) => (event.type === 'tool_call' ? [event.batch] : []));
    expect(batches).toEqual([1, 1, 1]);
    const items = server.sessions[0]?.items.list ?? [];
    const calls = items.filter(({ type }) => type === 'function_call').map(({ callId }) => callId);
    const outputs = items.filter(({ type }) => type === 'function_call_output');
    expect(outputs.map(({ callId }) => callId)).toEqual(calls);
    expect(outputs[1]?.text).toMatch(/^Error/);
    expect(server.refusals).toEqual([]);
  });

  it('keeps what is said beside a call, and says it with what follows (37)', async () => {
    const { events } = await play({
      server: { policy: answers({ say: 'One moment.', calls: [CALL] }, bye) },
    });
    expect(said(events)).toEqual(['One moment. Goodbye.']);
    const voice = events.find((event) => event.type === 'agent');
    expect(voice?.type === 'agent' && voice.audio?.durationMs).toBe(20 * 40 - 40);
  });

  it('takes a call without arguments and one that is no JSON as what they are (4, 5, 6, 7)', async () => {
    const { events, report } = await play({
      server: {
        policy: answers(
          {
            calls: [
              { ...CALL, arguments: '' },
              { ...CALL, arguments: '{"a": "}{", ' },
            ],
          },
          bye,
        ),
      },
    });
    expect(results(events)).toEqual([true, false]);
    expect(report?.reason).toBe('customer_stop');
  });

  it('does not make a call that broke off', async () => {
    const { events, server } = await play({
      server: { policy: answers({ calls: [CALL], status: 'incomplete' }, bye) },
    });
    expect(results(events)).toEqual([]);
    expect(
      server.sessions[0]?.items.list.find(({ type }) => type === 'function_call_output')?.text,
    ).toContain('broke off');
  });

  it('gives up after three replies of which nothing can be used', async () => {
    const { report, server } = await play({ server: { policy: answers({}) } });
    expect(report?.reason).toBe('agent_failed');
    expect(server.sessions[0]?.items.list.filter(({ role }) => role === 'system')).toHaveLength(2);
  });

  it('needs no terminator of the sound (18), and says what to do where no transcript comes', async () => {
    const silent = await play({
      server: { policy: answers(bye), fault: () => ({ kind: 'no-audio-done' }) },
    });
    expect(said(silent.events)).toEqual(['Goodbye.']);
    const wordless = await play({
      server: { policy: answers(bye), fault: () => ({ kind: 'no-transcript' }) },
    });
    expect(wordless.failure).toMatchObject({ code: 'words-missing' });
    const heard = await play({
      server: { policy: answers(bye), fault: () => ({ kind: 'no-transcript' }) },
      agent: { transcriber: { name: 'ear', transcribe: async () => 'Goodbye!' } },
    });
    expect(said(heard.events)).toEqual(['Goodbye!']);
  });
});

describe('sound', () => {
  it.each(['mulaw', 'alaw'] as const)('is measured by its own format: %s (39, 45)', async (encoding) => {
    const { events, server } = await play({ server: { policy: answers(bye) }, agent: { encoding } });
    const opening = events.find((event) => event.type === 'customer');
    const heardMs = server.sessions[0]?.items.list[0]?.audioMs ?? 0;
    expect(opening?.type === 'customer' && Math.abs((opening.audio?.durationMs ?? 0) - heardMs)).toBeLessThan(
      121,
    );
    const reply = events.find((event) => event.type === 'agent');
    expect(reply?.type === 'agent' && reply.audio).toMatchObject({ sampleRateHz: 8_000, durationMs: 320 });
    expect(server.refusals).toEqual([]);
  });

  it('too short to be committed is lengthened by silence (42)', async () => {
    const { server, report } = await play({
      server: { policy: answers(bye) },
      customers: customersOf({
        open: async () => ({ text: 'Hi' }),
        reply: async () => ({ text: 'Bye', end: 'stop' }),
      }),
    });
    expect(server.refusals).toEqual([]);
    expect(report?.reason).toBe('customer_stop');
  });

  it('is followed by silence for the server’s turn detection, nothing is committed by us, and replies are asked for after results only (29, 42, 53, 54)', async () => {
    const { server, events, success } = await playRealtime({
      ...{ domain, task, agent: { turns: 'server' }, server: { policy: oraclePolicy(domain, task) } },
    });
    expect(success).toBe(true);
    expect(server.refusals).toEqual([]);
    const types = server.seen.map(({ type }) => type);
    expect(types).not.toContain('input_audio_buffer.commit');
    // Only after results: what the customer says is answered by the server itself.
    expect(types.filter((type) => type === 'response.create')).toHaveLength(results(events).length);
  });
});

describe('a customer that breaks in', () => {
  const seed = [...Array(50).keys()].find((one) => (breakInAt(one, 0, 1) ?? 0) < 2000) ?? 0;

  const story = { say: 'It is a long story that begins with an order of mine and never comes to its end.' };

  it('stops a reply under way, which is cut on the server to what was heard (26, 30, 43, 44)', async () => {
    const { server, events } = await play({
      server: {
        policy: answers(story, bye),
        fault: ({ response }) => (response === 0 ? { kind: 'hold', afterPieces: 12 } : null),
      },
      agent: { breakIns: 1 },
      seed,
    });
    const types = server.seen.map(({ type }) => type).filter((type) => !type.startsWith('input_audio'));
    expect(types).toEqual([
      ...['session.update', 'response.create', 'response.cancel', 'conversation.item.truncate'],
      'response.create',
    ]);
    const item = server.sessions[0]?.items.list.find(({ role }) => role === 'assistant');
    expect(item).toMatchObject({ text: '', status: 'incomplete' });
    const voice = events.find((event) => event.type === 'agent');
    expect(voice?.type === 'agent' && Math.floor(voice.audio?.durationMs ?? 0)).toBe(item?.truncatedAtMs);
    expect(story.say.startsWith(said(events)[0] ?? '-')).toBe(true);
  });

  it('finds its calls answered, but not made (24, 27, 34)', async () => {
    const { server, events } = await play({
      server: { policy: answers({ ...story, calls: [CALL] }, bye) },
      agent: { breakIns: 1 },
      seed,
    });
    expect(results(events)).toEqual([]);
    expect(server.sessions[0]?.items.unanswered()).toEqual([]);
  });
});

describe('a customer of the sandbox that breaks in (--turn-taking lively)', () => {
  const story = { say: 'I will now read you the terms of this service. '.repeat(10).trim() };
  /** Long enough to be heard as a voice. */
  const parting = { say: 'Thank you very much for your call today, and goodbye.' };
  const breaksIn = (server: Partial<PlayRealtimeOptions['server']> = {}) =>
    play({ server: { policy: answers(story, parting), ...server }, turnTaking: 'lively', seed: 5 });
  const brokeInto = (events: readonly RecordEvent[]) => {
    const found = events.find((event) => event.type === 'customer_interrupted');
    if (found === undefined) throw new Error('nobody broke in');
    return found;
  };

  it('leaves the server with what the sandbox says was heard, before the next reply is asked for', async () => {
    const { server, events, failure } = await breaksIn();
    expect(failure).toBeNull();
    expect(server.refusals).toEqual([]);
    const { heardText, heardSamples } = brokeInto(events);
    expect(heardText.length).toBeLessThan(story.say.length);
    const heardMs = Math.floor(heardSamples / 16);
    const cuts = server.seen.filter(({ type }) => type === 'conversation.item.truncate');
    expect(cuts).toMatchObject([{ body: { audio_end_ms: heardMs, content_index: 0 } }]);
    const types = server.seen.map(({ type }) => type).filter((type) => !type.startsWith('input_audio'));
    expect(types.slice(0, 4)).toEqual([
      ...['session.update', 'response.create', 'conversation.item.truncate', 'response.create'],
    ]);
    const [item, next] = server.sessions[0]?.items.list.filter(({ role }) => role === 'assistant') ?? [];
    expect(item).toMatchObject({ truncatedAtMs: heardMs, text: '' });
    expect(next).toMatchObject({ truncatedAtMs: null, text: parting.say });
  });

  it('tells a session that takes the place of a lost one no more than was heard', async () => {
    const { server, events, failure } = await breaksIn({
      fault: ({ response }) => (response === 1 ? { kind: 'cut', afterPieces: 0 } : null),
    });
    expect(failure).toBeNull();
    const { heardText } = brokeInto(events);
    expect(heardText).not.toBe('');
    const [, second] = server.sessions;
    const said = second?.items.list.filter(({ role, text }) => role === 'assistant' && text !== parting.say);
    expect(said?.map(({ text }) => text)).toEqual([heardText]);
  });
});
