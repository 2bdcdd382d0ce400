import { describe, expect, it } from 'vitest';
import type { ChatAgentOptions } from '../../../src/agents/index.js';
import type { RecordEvent } from '../../../src/episodes/index.js';
import type { TurnTaking } from '../../../src/protocol/index.js';
import { createDomain } from '../../../src/retail/index.js';
import type { LiveJudge } from '../../../src/sandbox/index.js';
import type { ModelAnswer } from '../../helpers/strict-chat-answer.js';
import type { SeenRequest, StrictChatOptions } from '../../helpers/strict-chat-server.js';
import { customersOf } from '../../sandbox/helpers/fakes.js';
import { smallDomain } from '../../sandbox/helpers/small-domain.js';
import { playChat } from './play.js';

const domain = createDomain(smallDomain());
const task = domain.tasks[0]?.id ?? '';
/** Goes on until it hears "bye". */
const customers = customersOf({
  open: async () => ({ text: 'Hello, I call about an order of mine that' }),
  reply: async (text) =>
    /bye/i.test(text) ? { text: 'Bye.', end: 'stop' } : { text: 'Go on, I listen to what you have to say.' },
});

async function play(
  answers: readonly ModelAnswer[] | ((request: SeenRequest) => ModelAnswer),
  more: {
    agent?: Partial<ChatAgentOptions>;
    mode?: 'text' | 'speech';
    server?: Partial<StrictChatOptions>;
    liveJudge?: LiveJudge;
    turnTaking?: TurnTaking;
  } = {},
) {
  let index = 0;
  const policy = (request: SeenRequest): ModelAnswer =>
    typeof answers === 'function' ? answers(request) : (answers[index++] ?? { content: 'Bye.' });
  const { played, server } = await playChat({
    ...{ domain, tasks: [task], mode: more.mode ?? 'text', customers },
    server: { policy, ...more.server },
    ...(more.agent === undefined ? {} : { agent: more.agent }),
    ...(more.liveJudge === undefined ? {} : { liveJudge: more.liveJudge }),
    ...(more.turnTaking === undefined ? {} : { turnTaking: more.turnTaking }),
  });
  const [episode] = played;
  const events = episode?.events ?? [];
  const of = <T extends RecordEvent['type']>(type: T) =>
    events.filter((event): event is Extract<RecordEvent, { type: T }> => event.type === type);
  return { episode, server, of };
}
const lookUp = (args = '{"order_id":"#W0000001"}') => ({ name: 'get_order_details', arguments: args });

describe('reasons', () => {
  it.each<[string, ModelAnswer]>([
    ['the server keeps apart', { reasoning: 'because', content: 'Bye.' }],
    ['between marks', { content: '<think>because</think>\nBye.' }],
    ['before a lone closing mark', { content: 'because</think>Bye.' }],
    ['on a line of their own', { content: 'Thought: because\nAnswer: Bye.' }],
  ])('%s are recorded and not said', async (_what, answer) => {
    const { of } = await play([answer]);
    expect(of('agent')).toMatchObject([{ text: 'Bye.', reasoning: 'because' }]);
  });

  it('stand beside a call as well: text that shares a turn with a call is kept (row 37)', async () => {
    const { of, server } = await play([{ content: 'I look it up.', calls: [lookUp()] }]);
    expect(of('tool_call')[0]?.reasoning).toBe('I look it up.');
    expect(server.seen[1]?.messages.at(-2)).toMatchObject({
      ...{ role: 'assistant', parts: [{ text: 'I look it up.' }], calls: [{ name: 'get_order_details' }] },
    });
  });
});

describe('a customer that breaks in', () => {
  const speech = { mode: 'speech', turnTaking: 'lively' } as const;
  const terms = 'I will now read you the terms of this service. '.repeat(40).trim();
  const saidTo = (server: { readonly seen: readonly SeenRequest[] }) =>
    server.seen[1]?.messages.filter(({ role }) => role !== 'system') ?? [];

  it('leaves the model with what was heard of its words', async () => {
    const { of, server } = await play([{ content: terms }, { content: 'Bye.' }], speech);
    const [broke] = of('customer_interrupted');
    expect(of('agent')[0]?.text).toBe(terms);
    expect(broke?.heardText.length).toBeLessThan(terms.length);
    expect(saidTo(server)[1]).toMatchObject({
      ...{ role: 'assistant', parts: [{ text: `${broke?.heardText} —` }] },
    });
  });

  it('is told of in a note where nothing that was sent may change', async () => {
    const { of, server } = await play([{ content: terms }, { content: 'Bye.' }], {
      ...{ ...speech, agent: { history: 'verbatim' } },
    });
    const heardText = of('customer_interrupted')[0]?.heardText ?? '?';
    const [, assistant, note] = saidTo(server);
    expect(assistant).toMatchObject({ role: 'assistant', parts: [{ text: terms }] });
    expect(JSON.stringify(note)).toContain(`Of your last message only this was heard: ${heardText}]`);
  });
});

describe('a live judge that breaks in', () => {
  it('is read by the model, as the result of a call or beside what was said, and what it wrote is discarded', async () => {
    const objections = ['not these words', null, 'not this call', null];
    const liveJudge: LiveJudge = { name: 'fake', review: () => objections.shift() ?? null };
    const { episode, of, server } = await play(
      [{ content: 'First.' }, { content: 'Second.' }, { calls: [lookUp()] }, { content: 'Bye.' }],
      { liveJudge },
    );
    expect(of('agent').map(({ text }) => text)).toEqual(['Second.', 'Bye.']);
    expect(of('tool_call')).toEqual([]);
    expect(of('intervention').map(({ text, call }) => text ?? call?.name)).toEqual([
      'First.',
      'get_order_details',
    ]);
    expect(JSON.stringify(server.seen[1]?.messages.at(-1))).toContain('not these words');
    expect(server.seen[3]?.messages.at(-1)).toMatchObject({ role: 'tool' });
    expect(JSON.stringify(server.seen[3]?.messages.at(-1))).toContain('not this call');
    expect(episode?.report.generations?.map(({ turn, discarded }) => [turn, discarded])).toEqual([
      ...[
        [1, true],
        [1, false],
        [2, true],
        [2, false],
      ],
    ]);
    expect(server.refusals).toEqual([]);
  });
});

describe('tool calls', () => {
  it('several in one reply are made in order, each with its result (rows 25, 28)', async () => {
    const { of, server } = await play([{ calls: [lookUp(), lookUp('{"order_id":"#W9999999"}')] }]);
    expect(of('tool_result').map(({ ok }) => ok)).toEqual([true, false]);
    const roles = server.seen[1]?.messages.map(({ role }) => role);
    expect(roles?.slice(-3)).toEqual(['assistant', 'tool', 'tool']);
    expect(server.refusals).toEqual([]);
  });

  it('several in one reply go as one message: a judge that breaks in gives all of them back at once', async () => {
    const objections = ['not so fast', null];
    const liveJudge: LiveJudge = { name: 'fake', review: () => objections.shift() ?? null };
    const both = { calls: [lookUp(), lookUp('{"order_id":"#W9999999"}')] };
    const { episode, of, server } = await play([both, both], { liveJudge });
    const told = server.seen[1]?.messages.slice(-2).map(({ parts }) => JSON.stringify(parts)) ?? [];
    expect(told).toEqual([expect.stringContaining('not so fast'), expect.stringContaining('not so fast')]);
    expect(of('tool_call').map(({ turn }) => turn)).toEqual([1, 2]);
    expect(episode?.report.generations?.map(({ turn, discarded }) => [turn, discarded])).toEqual([
      ...[
        [1, true],
        [1, false],
        [3, false],
      ],
    ]);
  });

  it('more in one reply than one message takes are all made, and those after the end are answered too', async () => {
    const many = { calls: Array.from({ length: 40 }, () => lookUp()) };
    const { of, server } = await play([many]);
    expect(of('tool_result').filter(({ ok }) => ok)).toHaveLength(30);
    expect(of('end')).toMatchObject([{ reason: 'turn_limit' }]);
    expect(server.refusals).toEqual([]);
  });

  it('a batch that is refused for one of its calls is made call by call', async () => {
    const { of, server } = await play([{ calls: [lookUp(), { name: 'x'.repeat(5000), arguments: '{}' }] }]);
    expect(of('tool_result').map(({ ok }) => ok)).toEqual([true]);
    expect(server.seen[1]?.messages.slice(-2).map(({ role }) => role)).toEqual(['tool', 'tool']);
    expect(server.refusals).toEqual([]);
  });

  it('in the text are found where the server has no parser for them, braces in strings and all (rows 7, 13)', async () => {
    const text =
      'So: <tool_call>\n{"name":"calculate","arguments":{"expression":"1 + 1"}}\n</tool_call><tool_call>{"name":"think","arguments":{"thought":"a } and { b"}}';
    const { of } = await play([{ content: text }]);
    expect(of('tool_call').map(({ name, arguments: args }) => [name, args])).toEqual([
      ['calculate', { expression: '1 + 1' }],
      ['think', { thought: 'a } and { b' }],
    ]);
  });

  it('work without any help of the server: tools in the prompt, calls and results as text', async () => {
    const { of, server } = await play(
      [{ content: '<tool_call>{"name":"calculate","arguments":{"expression":"2 + 2"}}</tool_call>' }],
      { agent: { toolForm: 'text' }, server: { toolParser: false } },
    );
    expect(of('tool_result')).toMatchObject([{ ok: true }]);
    expect(server.refusals).toEqual([]);
    expect(server.seen[0]?.body.tools).toBeUndefined();
    expect(JSON.stringify(server.seen[0]?.messages[0]?.parts)).toContain('calculate');
    expect(JSON.stringify(server.seen[1]?.messages.at(-1)?.parts)).toContain('<tool_response>');
  });

  it.each<[string, ModelAnswer, string]>([
    ['arguments that are cut off (row 6)', { calls: [lookUp('{"order_id":"#W0')] }, 'Error'],
    ['a tool that does not exist', { calls: [{ name: 'fly', arguments: '{}' }] }, 'Error'],
    [
      'a call in the text that is no JSON',
      { content: '<tool_call>{"name":</tool_call>' },
      'A tool call was not made',
    ],
  ])(
    'malformed: %s becomes something the model reads, and the episode goes on',
    async (_what, answer, words) => {
      const { episode, server, of } = await play([answer, { content: 'Bye.' }]);
      expect(JSON.stringify(server.seen[1]?.messages.at(-1)?.parts)).toContain(words);
      expect(of('end')).toMatchObject([{ reason: 'customer_stop' }]);
      expect(episode?.report.reason).toBe('customer_stop');
      expect(server.refusals).toEqual([]);
    },
  );

  it('of a tool without parameters may come without arguments at all (row 4)', async () => {
    const { of } = await play([{ calls: [{ name: 'list_all_product_types', arguments: '' }] }]);
    expect(of('tool_result')).toMatchObject([{ ok: true }]);
  });

  it('an error of a tool reaches the model in its words (row 36)', async () => {
    const { of, server } = await play([{ calls: [lookUp('{"order_id":"#W9999999"}')] }]);
    const told = of('tool_result')[0]?.content ?? 'nothing';
    expect(told).toMatch(/^Error: /);
    expect(server.seen[1]?.messages.at(-1)?.parts).toEqual([{ text: told }]);
  });
});

describe('replies of no use', () => {
  it('are told to the model, three in a row end the episode as the agent’s failure', async () => {
    const { of, server, episode } = await play(() => ({ content: '' }));
    expect(server.seen).toHaveLength(3);
    expect(JSON.stringify(server.seen[1]?.messages.at(-1)?.parts)).toContain('Your reply was empty');
    expect(of('end')).toMatchObject([{ reason: 'agent_failed', owner: 'agent' }]);
    expect(episode?.report.generations?.map(({ discarded }) => discarded)).toEqual([true, true, true]);
  });
});

describe('failures of the server', () => {
  it('are the platform’s: the episode ends as unavailable, with the reason in the record', async () => {
    await expect(
      play([], { server: { fault: () => ({ kind: 'status', status: 401 }) } }),
    ).rejects.toMatchObject({
      failure: 'key',
    });
  });

  it('a conversation longer than the context is the agent’s own, and asked once only (row 14)', async () => {
    const { of, server } = await play([], { server: { contextTokens: 500 } });
    expect(of('end')).toMatchObject([{ reason: 'context_limit', owner: 'agent' }]);
    expect(server.refusals).toHaveLength(1);
  });
});

describe('the customer’s voice', () => {
  const clipsPerRequest = (seen: readonly SeenRequest[]) =>
    seen.map(
      ({ messages }) => messages.flatMap(({ parts }) => parts).filter((part) => 'clip' in part).length,
    );
  const talk = [{ content: 'One.' }, { content: 'Two.' }, { content: 'Three.' }];

  it('older clips are kept, and all travel in every request (row 1)', async () => {
    const { server } = await play(talk, { mode: 'speech' });
    expect(clipsPerRequest(server.seen)).toEqual([1, 2, 3, 4]);
  });

  it('are left out beyond the audio budget, the oldest first, the newest never', async () => {
    const { server } = await play(talk, { mode: 'speech', agent: { audioBudgetTokens: 15 } });
    // A line of 40 letters is 250 ms of sound: 25 frames, 6 tokens and two marks.
    expect(clipsPerRequest(server.seen)).toEqual([1, 1, 1, 1]);
    const texts = server.seen.at(-1)?.messages.flatMap(({ parts }) => parts) ?? [];
    expect(JSON.stringify(texts)).toContain('The recording is no longer at hand');
  });

  it('are dropped on request', async () => {
    const { server } = await play(talk, { mode: 'speech', agent: { olderAudio: 'drop' } });
    expect(clipsPerRequest(server.seen)).toEqual([1, 1, 1, 1]);
  });

  it('are written down by the model on request, once each', async () => {
    const { server } = await play(
      ({ messages }) => {
        const isTranscription = messages.length === 1;
        const turns = messages.filter(({ role }) => role === 'assistant').length;
        return { content: isTranscription ? 'HEARD WORDS' : turns < 2 ? 'Go on.' : 'Bye.' };
      },
      { mode: 'speech', agent: { olderAudio: 'transcribe' } },
    );
    expect(server.seen.filter(({ messages }) => messages.length === 1)).toHaveLength(2);
    const last = server.seen.at(-1)?.messages ?? [];
    expect(last.filter(({ parts }) => JSON.stringify(parts).includes('HEARD WORDS'))).toHaveLength(2);
  });

  it('a spoken opening reaches the model as one clip and no text', async () => {
    const { server } = await play([], { mode: 'speech' });
    expect(server.seen[0]?.messages[1]?.parts).toMatchObject([{ clip: { sampleRateHz: 16_000 } }]);
  });
});
