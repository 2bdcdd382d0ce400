import { afterEach, describe, expect, it } from 'vitest';
import { startEpisode } from '../../../src/agents/index.js';
import { encodeAudioFrame, pcm16ToBytes } from '../../../src/protocol/index.js';
import { helloEvent, readyEvent } from '../../helpers/wire-events.js';
import { closeScriptedServers, type Step, scriptedServer } from './helpers/scripted-server.js';

afterEach(closeScriptedServers);

const hello = helloEvent;
const ready = readyEvent;
const speaking = { type: 'customer.start', turn: 0, utterance: 0, form: 'speech', sampleOffset: 0 };
const said = (utterance: number, text: string, final = false): Step[] => [
  { type: 'customer.start', turn: utterance, utterance, form: 'text', sampleOffset: 0 },
  { type: 'customer.text', utterance, text },
  { type: 'customer.end', turn: utterance, utterance, durationMs: 0, samples: 0, interrupted: false, final },
];
const end = {
  type: 'episode.end',
  turn: 1,
  episode: 'e',
  reason: 'customer_stop',
  owner: 'user',
  outcome: { rule: 'tau2', success: true, reward: 1, scores: {}, unscored: [] },
};
const frame = (seq: number, sampleOffset: number, ...samples: number[]) =>
  encodeAudioFrame({
    ...{ kind: 'customer', seq, utterance: 0, sampleOffset },
    data: pcm16ToBytes(Int16Array.from(samples)),
  });
const assignment = (url: string) => ({ url, task: 't', mode: 'text' as const, seed: 1, trial: 0 });
const begin = (url: string, signal?: AbortSignal) => startEpisode(assignment(url), { agent: 'a', signal });

describe('an utterance of text and audio', () => {
  it('keeps the order in which its pieces came, neighbours of one form joined', async () => {
    const { url } = await scriptedServer([
      hello,
      { ...ready, mode: 'speech' },
      speaking,
      { type: 'customer.text', utterance: 0, text: 'Order ' },
      { type: 'customer.text', utterance: 0, text: 'number' },
      frame(6, 0, 1, 2),
      frame(7, 2, 3),
      { type: 'customer.text', utterance: 0, text: 'please' },
      frame(9, 3, 4),
      {
        ...{ type: 'customer.end', turn: 0, utterance: 0, durationMs: 0, samples: 4 },
        ...{ interrupted: false, final: false },
      },
    ]);
    const { opening } = await begin(url);
    const sound = (...samples: number[]) => ({
      audio: { samples: Int16Array.from(samples), sampleRateHz: 16_000 },
    });
    expect(opening).toEqual({
      text: 'Order numberplease',
      ...sound(1, 2, 3, 4),
      parts: [{ text: 'Order number' }, sound(1, 2, 3), { text: 'please' }, sound(4)],
    });
  });
});

describe('the agent side client', () => {
  it('plays an episode: opening, reply, tool result, end', async () => {
    const { url, received } = await scriptedServer([
      ...[hello, 'wait', ready, ...said(0, 'Hi'), 'wait', ...said(1, 'Yes'), 'wait'],
      { type: 'tool.result', turn: 2, callId: 'call-1', status: 'result', ok: true, content: '4' },
      ...['wait', end],
    ]);
    const episode = await begin(url);
    expect(episode.opening).toEqual({ text: 'Hi', audio: null });
    expect(await episode.say('Hello')).toEqual({ kind: 'customer', customer: { text: 'Yes', audio: null } });
    expect(await episode.call('calculate', { expression: '2+2' })).toEqual({
      ...{ kind: 'result', ok: true, content: '4' },
    });
    expect((await episode.stop()).reason).toBe('customer_stop');
    expect(await episode.say('more')).toMatchObject({ kind: 'end' });
    episode.close();
    episode.close();
    expect(received).toEqual([
      { type: 'episode.start', task: 't', mode: 'text', seed: 1, trial: 0, agent: 'a', messageId: 'm1' },
      { type: 'agent.message', text: 'Hello', messageId: 'm2' },
      {
        ...{ type: 'tool.call', callId: 'call-1', name: 'calculate', messageId: 'm3' },
        arguments: { expression: '2+2' },
      },
      { type: 'agent.stop', messageId: 'm4' },
    ]);
  });

  it('joins the audio frames of an utterance into one piece', async () => {
    const { url } = await scriptedServer([
      ...[hello, 'wait', ready, speaking],
      frame(4, 0, 1, 2),
      frame(5, 2, 3),
      {
        type: 'customer.end',
        turn: 0,
        utterance: 0,
        durationMs: 0.1875,
        samples: 3,
        interrupted: false,
        final: false,
      },
    ]);
    const episode = await begin(url);
    expect(episode.opening).toEqual({
      text: null,
      audio: { samples: Int16Array.of(1, 2, 3), sampleRateHz: 16000 },
    });
  });

  it('gives the last words together with the end when the customer hangs up', async () => {
    const { url } = await scriptedServer([
      ...[hello, 'wait', ready, ...said(0, 'Hi'), 'wait', ...said(1, 'Bye', true), end],
    ]);
    const episode = await begin(url);
    expect(await episode.say('Done')).toMatchObject({ kind: 'end', customer: { text: 'Bye' } });
  });

  it('takes an end that came while the agent was thinking as the answer', async () => {
    const { url } = await scriptedServer([hello, 'wait', ready, ...said(0, 'Hi'), end, 'wait']);
    const episode = await begin(url);
    expect(await episode.call('x', {})).toMatchObject({ kind: 'end' });
  });

  it('starts silent and ended when the episode was over before the customer spoke', async () => {
    const { url } = await scriptedServer([hello, 'wait', ready, end]);
    const episode = await begin(url);
    expect(episode.opening).toEqual({ text: null, audio: null });
    expect(await episode.stop()).toMatchObject({ type: 'episode.end' });
  });

  it('gives an intervention as the answer, and passes over events that it does not know [P-SEQ-2]', async () => {
    const broken = { type: 'intervention', turn: 1, count: 1, message: 'think', callIds: [] };
    const { url } = await scriptedServer([
      ...[
        { ...hello, capabilities: ['resume', 'telepathy'], mood: 'good' },
        'wait',
        ready,
        ...said(0, 'Hello'),
      ],
      ...[
        'wait',
        { type: 'weather', sunny: true },
        { ...broken, colour: 'red' },
        'wait',
        { ...broken, callIds: ['call-1'] },
      ],
      ...['wait', ...said(1, 'Fine')],
    ] as Step[]);
    const client = await startEpisode(
      { url, task: 't', mode: 'text', seed: 1, trial: 0 },
      { agent: 'tester' },
    );
    const intervention = { kind: 'intervention', count: 1, message: 'think' };
    expect(client.hello.capabilities).toEqual(['resume']);
    expect(await client.say('Hi')).toEqual(intervention);
    expect(await client.call('act', {})).toEqual(intervention);
    expect(await client.say('Hi')).toMatchObject({ kind: 'customer', customer: { text: 'Fine' } });
    client.close();
  });

  it('keeps the results of calls that were made before a judge broke in', async () => {
    const result = {
      type: 'tool.result',
      turn: 1,
      callId: 'call-1',
      status: 'result',
      ok: true,
      content: '2',
    };
    const broken = { type: 'intervention', turn: 2, count: 1, message: 'think', callIds: ['call-2'] };
    const { url } = await scriptedServer([
      ...[hello, 'wait', ready, ...said(0, 'Hello'), 'wait', result, broken, 'wait', ...said(1, 'Fine')],
    ] as Step[]);
    const episode = await begin(url);
    const step = await episode.callAll([
      { name: 'look', arguments: {} },
      { name: 'act', arguments: {} },
    ]);
    expect(step).toEqual({
      results: [{ status: 'result', ok: true, content: '2' }],
      ...{ end: null, intervention: { kind: 'intervention', count: 1, message: 'think' } },
    });
    expect(await episode.say('Hi')).toMatchObject({ kind: 'customer', customer: { text: 'Fine' } });
  });

  it('can be looped over: the opening, then each answer, and the same again when a judge broke in', async () => {
    const broken = { type: 'intervention', turn: 2, count: 1, message: 'think', callIds: [] };
    const { url } = await scriptedServer([
      ...[hello, 'wait', ready, ...said(0, 'Hello'), 'wait', ...said(1, 'Yes'), 'wait', broken],
      ...['wait', ...said(2, 'Bye', true), end],
    ] as Step[]);
    const episode = await begin(url);
    const heard: (string | null)[] = [];
    for await (const { text } of episode) {
      heard.push(text);
      await episode.say(`after ${text}`);
    }
    expect(heard).toEqual(['Hello', 'Yes', 'Yes']);
    expect(episode.end).toMatchObject({ reason: 'customer_stop' });
    // Over means over, also for a second loop.
    for await (const turn of episode) expect.fail(`heard ${turn.text}`);
  });

  it('tells who loops without saying anything, and leaves the episode alone when the loop is left', async () => {
    const { url, received } = await scriptedServer([
      hello,
      'wait',
      ready,
      ...said(0, 'Hello'),
      'wait',
      end,
    ] as Step[]);
    const episode = await begin(url);
    for await (const turn of episode) {
      expect(turn.text).toBe('Hello');
      break;
    }
    const silent = async (): Promise<void> => {
      for await (const turn of episode) expect.fail(`heard ${turn.text}`);
    };
    await expect(silent()).rejects.toMatchObject({ code: 'nothing-said' });
    expect(received).toHaveLength(1);
    expect(await episode.stop()).toMatchObject({ reason: 'customer_stop' });
  });

  it('rejects a refused message by its wire code and can go on', async () => {
    const { url } = await scriptedServer([
      ...[hello, 'wait', ready, ...said(0, 'Hi'), 'wait'],
      { type: 'error', code: 'too_large', message: 'shorter, please' },
      ...['wait', ...said(1, 'Yes')],
    ]);
    const episode = await begin(url);
    await expect(episode.say('long')).rejects.toMatchObject({
      code: 'message-refused',
      wireCode: 'too_large',
    });
    expect(await episode.say('short')).toMatchObject({ kind: 'customer' });
  });

  it('rejects with ConnectionLostError when the socket goes, when nobody listens and when told to stop', async () => {
    const closing = await scriptedServer([hello, 'wait', ready, ...said(0, 'Hi'), 'wait', 'close']);
    const episode = await begin(closing.url);
    await expect(episode.say('Hello')).rejects.toMatchObject({ code: 'connection-lost' });
    await expect(begin('ws://127.0.0.1:1/v1')).rejects.toMatchObject({ code: 'connection-lost' });
    const silent = await scriptedServer([hello]);
    const controller = new AbortController();
    const starting = begin(silent.url, controller.signal);
    controller.abort(new Error('enough'));
    await expect(starting).rejects.toMatchObject({
      code: 'connection-lost',
      cause: { message: 'enough' },
    });
    await expect(begin(silent.url, AbortSignal.abort())).rejects.toMatchObject({ code: 'connection-lost' });
  });

  it.each([
    ['no JSON', ['rubbish']],
    ['a known event that is not as it should be', [{ ...hello, modes: 'all' }]],
    ['another protocol', [{ ...hello, protocol: 'parlor/99' }]],
    ['a gap in the numbers', [{ ...hello, seq: 2 }]],
    ['a binary frame that is no audio', [new Uint8Array(40)]],
    ['an event out of place', [hello, 'wait', ...said(0, 'Hi')]],
    [
      'audio that is not all there',
      [
        ...[hello, 'wait', ready, speaking],
        {
          type: 'customer.end',
          turn: 0,
          utterance: 0,
          durationMs: 1,
          samples: 16,
          interrupted: false,
          final: false,
        },
      ],
    ],
  ] as [string, Step[]][])('names %s as a fault of the protocol', async (_name, steps) => {
    const { url } = await scriptedServer(steps);
    await expect(begin(url)).rejects.toMatchObject({ code: 'protocol-fault' });
  });
});
