import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ChatRequest, createOpenAiChat, createProviderGates } from '../../../src/models/index.js';
import { type Clock, createManualClock, createRandom, systemClock } from '../../../src/shared/index.js';
import {
  type ServerFault,
  type StrictChatOptions,
  type StrictChatServer,
  startStrictChatServer,
} from '../../helpers/strict-chat-server.js';
import { toneClip } from '../../helpers/test-clips.js';

const MODEL = 'Qwen/Qwen2.5-Omni-7B';
const signal = new AbortController().signal;
const servers: StrictChatServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Waits pass at once; how long they would have been is kept. Deadlines never fire. */
function hastyClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    nowMs: () => 0,
    after: (delayMs, callback) => {
      if (delayMs >= 100_000) return () => undefined;
      waits.push(delayMs);
      queueMicrotask(callback);
      return () => undefined;
    },
  };
}

async function serve(options: Partial<StrictChatOptions> = {}): Promise<StrictChatServer> {
  const server = await startStrictChatServer({ policy: () => ({ content: 'Hello.' }), ...options });
  servers.push(server);
  return server;
}

type Options = Partial<Parameters<typeof createOpenAiChat>[0]>;
const chatWith = (server: { baseUrl: string }, options: Options = {}) =>
  createOpenAiChat({
    ...{ baseUrl: server.baseUrl, model: MODEL, server: 'vllm' },
    ...{ clock: hastyClock(), random: createRandom(1), ...options },
  });

const ask = (content: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: 'user', content }],
  ...more,
});
const tool = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };
const spoken: ChatRequest = {
  messages: [
    { role: 'system', content: 'Listen.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'before' },
        { type: 'audio', audio: toneClip(400) },
        { type: 'text', text: 'after' },
      ],
    },
  ],
};

describe.each(['vllm', 'sglang', 'openai'] as const)('a chat client of a %s server', (flavour) => {
  it('sends audio between texts in order, in the part type that the server takes', async () => {
    const server = await serve({ flavour });
    await chatWith(server, { server: flavour }).complete(spoken, signal);
    const parts = server.seen[0]?.messages[1]?.parts ?? [];
    expect(parts.map((part) => ('text' in part ? part.text : part.clip.sampleRateHz))).toEqual([
      'before',
      16_000,
      'after',
    ]);
  });

  it.each([false, true])('reads calls, reasoning and tokens, as a stream: %s', async (stream) => {
    const server = await serve({
      flavour: flavour === 'sglang' ? 'vllm' : flavour,
      policy: () => ({
        reasoning: 'They want two things.',
        content: 'One moment.',
        calls: [
          { name: 'look', arguments: '{"text":"a } brace and a \\" quote"}' },
          { name: 'look', arguments: '{}' },
        ],
      }),
    });
    const reply = await chatWith(server, { server: flavour, stream }).complete(
      ask('hi', { tools: [tool], seed: 3, temperature: 0.5, maxTokens: 50, tokens: true }),
      signal,
    );
    expect(reply).toMatchObject({
      content: 'One moment.',
      reasoning: 'They want two things.',
      finish: 'tools',
      toolCalls: [
        { name: 'look', arguments: '{"text":"a } brace and a \\" quote"}' },
        { name: 'look', arguments: '{}' },
      ],
    });
    expect(new Set(reply.toolCalls?.map(({ id }) => id)).size).toBe(2);
    expect(reply.tokens?.logprobs).toHaveLength(reply.usage?.completion ?? -1);
    if (flavour === 'vllm') expect(reply.tokens?.prompt).toHaveLength(reply.usage?.prompt ?? -1);
    if (flavour === 'openai') expect(reply.tokens?.prompt).toBeNull();
  });
});

describe('what may pass', () => {
  it('is tried again, later each time, spread by chance, and not before the server wants', async () => {
    const clock = hastyClock();
    const faults: ServerFault[] = [
      { kind: 'status', status: 429, retryAfterSeconds: 7 },
      { kind: 'status', status: 503 },
      { kind: 'cut', afterBytes: 20 },
      { kind: 'body', text: '<html>gateway</html>' },
    ];
    const server = await serve({ fault: (index) => faults[index] ?? null });
    const reply = await chatWith(server, { clock }).complete(ask('hi'), signal);
    expect(reply.content).toBe('Hello.');
    const [first, ...others] = clock.waits;
    expect(first).toBe(7000);
    for (const [index, full] of [1000, 2000, 4000].entries()) {
      expect(others[index]).toBeGreaterThanOrEqual(full / 2);
      expect(others[index]).toBeLessThan(full);
    }
  });

  it.each<[string, ServerFault]>([
    ['rate', { kind: 'status', status: 429 }],
    ['server', { kind: 'status', status: 500 }],
    ['network', { kind: 'cut', afterBytes: 0 }],
    ['reply', { kind: 'body', text: '{"choices":[]}' }],
    ['reply', { kind: 'body', text: '{"choices":[{"message":{"content":5}}]}' }],
    ['reply', { kind: 'body', text: 'null' }],
  ])('fails as %s in the end, after the tries it was given: %j', async (failure, fault) => {
    let requests = 0;
    const server = await serve({
      fault: () => fault,
      onAnyRequest: () => {
        requests += 1;
      },
    });
    await expect(chatWith(server, { retries: 2 }).complete(ask('hi'), signal)).rejects.toMatchObject({
      ...{ code: 'chat-failed', failure, retryable: true },
    });
    expect(requests).toBe(3);
  });

  it('a stream that is cut anywhere is never taken for a whole reply (rows 5, 6)', async () => {
    let cutAt = -1;
    const server = await serve({
      policy: () => ({ content: 'Hello there.', calls: [{ name: 'look', arguments: '{"a":1}' }] }),
      fault: () => (cutAt < 0 ? null : { kind: 'cut', afterBytes: cutAt }),
    });
    const chat = chatWith(server, { stream: true, retries: 0 });
    const whole = await chat.complete(ask('hi'), signal);
    expect(whole.toolCalls).toHaveLength(1);
    for (cutAt = 0; cutAt < 1500; cutAt += 97)
      await expect(chat.complete(ask('hi'), signal)).rejects.toMatchObject({ failure: 'network' });
  });

  it('a server that keeps silent is given up after the time for one try (row 8)', async () => {
    const clock = createManualClock();
    const server = await serve({ fault: () => ({ kind: 'silent' }) });
    const pending = chatWith(server, { clock, timeoutMs: 5000, retries: 0 }).complete(ask('hi'), signal);
    clock.advance(5000);
    await expect(pending).rejects.toMatchObject({ failure: 'timeout', retryable: true });
  });

  it('a request that is called off ends at once and is not tried again', async () => {
    const controller = new AbortController();
    const server = await serve({ fault: () => ({ kind: 'silent' }) });
    const pending = chatWith(server).complete(ask('hi'), controller.signal);
    controller.abort(new Error('enough'));
    await expect(pending).rejects.toMatchObject({ failure: 'called-off', retryable: false });
  });
});

describe('what will not pass is told in one line that says what to change', () => {
  it.each<[string, Options, Partial<StrictChatOptions>, ChatRequest, string]>([
    ['key', {}, { apiKey: 'right' }, ask('hi'), 'OPENAI_API_KEY'],
    ['model', { model: 'other' }, {}, ask('hi'), 'has no model "other"'],
    ['tools', {}, { toolParser: false }, ask('hi', { tools: [tool] }), '--enable-auto-tool-choice'],
    ['audio', {}, { audioPerPrompt: 0 }, spoken, '--limit-mm-per-prompt'],
    ['audio', { audioForm: 'input_audio' }, { flavour: 'sglang' }, spoken, '--audio-form'],
    ['overflow', {}, { contextTokens: 20 }, ask('a long question '.repeat(20)), 'longer than the model'],
    ['refused', { server: 'vllm' }, { flavour: 'openai' }, ask('hi', { tokens: true }), 'return_token_ids'],
  ])('%s (%j %j)', async (failure, options, flags, request, words) => {
    const server = await serve(flags);
    const error = await chatWith(server, options)
      .complete(request, signal)
      .then(
        () => null,
        (caught: Error) => caught,
      );
    expect(error).toMatchObject({ failure, retryable: false });
    expect(error?.message).toContain(words);
    expect(error?.message).not.toContain('\n');
    expect(server.refusals).toHaveLength(1);
  });

  it('audio on a server without its audio parts (serving.md row 3): an opaque 500 gets a line that names the cause', async () => {
    const server = await serve({ audio: false });
    await expect(chatWith(server, { retries: 1 }).complete(spoken, signal)).rejects.toThrow('vllm[audio]');
  });

  it('wrong paths and nobody at the address', async () => {
    const server = await serve();
    await expect(
      chatWith({ baseUrl: server.baseUrl.replace('/v1', '/v2') }).complete(ask('hi'), signal),
    ).rejects.toMatchObject({ failure: 'address', message: expect.stringContaining('/v1') });
    await server.close();
    await expect(chatWith(server, { retries: 0 }).complete(ask('hi'), signal)).rejects.toMatchObject({
      failure: 'address',
      message: expect.stringContaining('nobody answers at'),
    });
  });
});

describe('an address that sends elsewhere', () => {
  it('is told with where it ends', async () => {
    const elsewhere = 'https://models.example/v1/chat/completions';
    const server = createServer((_, response) => response.writeHead(308, { location: elsewhere }).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const asked = chatWith({ baseUrl: `http://127.0.0.1:${port}/v1` }).complete(ask('hi'), signal);
    await expect(asked).rejects.toMatchObject({
      ...{ failure: 'address', retryable: false },
      message: expect.stringContaining(elsewhere),
    });
    server.closeAllConnections();
    server.close();
  });
});

describe('many requests', () => {
  it('share a gate per server, and connections are kept and used again', async () => {
    let waiting: (() => void)[] = [];
    const server = await serve({
      // Answers three at a time: with fewer at once it would never end.
      policy: async () => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length < 3) return;
          for (const release of waiting) release();
          waiting = [];
        });
        return { content: 'ok' };
      },
    });
    const gateFor = createProviderGates(3);
    const chats = [0, 1].map(() => chatWith(server, { gate: gateFor(server.baseUrl), clock: systemClock }));
    await Promise.all(
      Array.from({ length: 39 }, (_, index) => chats[index % 2]?.complete(ask(`q${index}`), signal)),
    );
    expect(server.mostAtOnce()).toBe(3);
    expect(server.connections()).toBeLessThanOrEqual(6);
  });
});
