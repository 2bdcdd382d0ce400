import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type StrictChatOptions,
  type StrictChatServer,
  startStrictChatServer,
} from '../../helpers/strict-chat-server.js';
import { AUDIO_TOKEN, MESSAGE_END } from '../../helpers/strict-chat-tokens.js';
import { toneClip } from '../../helpers/test-clips.js';

const MODEL = 'Qwen/Qwen2.5-Omni-7B';
const servers: StrictChatServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(options: Partial<StrictChatOptions> = {}) {
  const server = await startStrictChatServer({ policy: () => ({ content: 'Hello.' }), ...options });
  servers.push(server);
  const client = new OpenAI({ baseURL: server.baseUrl, apiKey: 'none', maxRetries: 0 });
  /** A body as it stands, so that what no library would send can be sent. */
  const post = async (body: object): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${server.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: MODEL, ...body }),
    });
    return { status: response.status, text: await response.text() };
  };
  return { server, client, post };
}

const { wavBase64 } = toneClip(2000);
const url = `data:audio/wav;base64,${wavBase64}`;
const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const hello = user({ type: 'text', text: 'a' });
const byUrl = { type: 'audio_url', audio_url: { url } };
const inline = (data: string) => ({ type: 'input_audio', input_audio: { data, format: 'wav' } });
const call = (args: string) => ({ id: 'c1', type: 'function', function: { name: 'look', arguments: args } });
const calling = (args: string) => ({ role: 'assistant', content: null, tool_calls: [call(args)] });
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }] as const;

describe('the strict chat server', () => {
  it('talks to the official client: text, audio, tools, token ids, models', async () => {
    const { client } = await serve({
      policy: () => ({ content: 'I look.', calls: [{ name: 'look', arguments: '{"id":"1"}' }] }),
    });
    const first = await client.chat.completions.create({
      model: MODEL,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'input_audio', input_audio: { data: wavBase64, format: 'wav' } },
            { type: 'text', text: 'this one' },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
      logprobs: true,
      ...({ return_token_ids: true } as object),
    });
    const [choice] = first.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message.tool_calls).toMatchObject([
      { function: { name: 'look', arguments: '{"id":"1"}' } },
    ]);
    const { prompt_token_ids: prompt } = first as unknown as { prompt_token_ids: number[] };
    const { token_ids: ids } = choice as unknown as { token_ids: number[] };
    expect(prompt).toHaveLength(first.usage?.prompt_tokens ?? -1);
    // 2 s of sound: 200 frames, (200 - 1) div 2 + 1 = 100, (100 - 2) div 2 + 1 = 50 tokens.
    expect(prompt.filter((id) => id === AUDIO_TOKEN)).toHaveLength(50);
    expect(ids).toHaveLength(first.usage?.completion_tokens ?? -1);
    expect(ids.at(-1)).toBe(MESSAGE_END);
    expect(choice?.logprobs?.content).toHaveLength(ids.length);
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual([MODEL]);
  });

  it('streams the same completion in pieces to the official client', async () => {
    const { client } = await serve({
      policy: () => ({
        content: 'A longer line of text.',
        calls: [{ name: 'look', arguments: '{"id":"12345678"}' }],
      }),
    });
    const stream = await client.chat.completions.create({
      ...{ model: MODEL, stream: true, messages: [{ role: 'user', content: 'hi' }] },
      stream_options: { include_usage: true },
    });
    let text = '';
    let args = '';
    let prompt = 0;
    for await (const { choices, usage } of stream) {
      text += choices[0]?.delta.content ?? '';
      args += choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '';
      prompt += usage?.prompt_tokens ?? 0;
    }
    expect({ text, args }).toEqual({ text: 'A longer line of text.', args: '{"id":"12345678"}' });
    expect(prompt).toBeGreaterThan(0);
  });

  const question = { role: 'user', content: 'a' };
  it.each<[string, object, string]>([
    ['an unknown part type', user({ type: 'sound', sound: '' }), 'Unsupported chat content part type: sound'],
    ['a part without a type', user({ audio: url }), "Missing 'type' field in multimodal part."],
    ['audio_url as a bare string', user({ type: 'audio_url', audio_url: url }), 'valid dictionary'],
    [
      'a local file',
      user({ type: 'audio_url', audio_url: { url: 'file:///a.wav' } }),
      '--allowed-local-media-path',
    ],
    ['bad base64', user(inline('*abc')), 'Invalid base64'],
    ['bytes that are no audio file', user(inline('AAAA')), 'unsupported audio file'],
    ['a clip of 20 ms', user(inline(toneClip(20).wavBase64)), 'too short to be represented'],
    [
      'audio in a tool result',
      { messages: [question, calling('{}'), { role: 'tool', tool_call_id: 'c1', content: [byUrl] }] },
      'audio is not allowed in a tool message',
    ],
    [
      'a call without its output',
      { messages: [question, calling('{}'), question] },
      'must be followed by tool messages',
    ],
    [
      'an output without its call',
      { messages: [{ role: 'tool', tool_call_id: 'c9', content: '1' }] },
      'No tool call found',
    ],
    [
      'arguments in the history that are not JSON',
      { messages: [question, calling('{'), { role: 'tool', tool_call_id: 'c1', content: '1' }] },
      'are not JSON',
    ],
    ['a template in the request', { ...hello, chat_template: '{{ x }}' }, 'does not trust it'],
    ['stream options without a stream', { ...hello, stream_options: {} }, 'stream=True'],
    ['tool_choice without tools', { ...hello, tool_choice: 'auto' }, '`tools` must be set'],
    ['no messages', { messages: [] }, 'messages'],
  ])('refuses %s', async (_what, body, words) => {
    const { post, server } = await serve();
    const { status, text } = await post(body);
    expect(text).toContain(words);
    expect(status).toBe(400);
    expect(server.seen).toEqual([]);
  });

  it.each<[string, Partial<StrictChatOptions>, object, string]>([
    [
      'tools without the parser flags',
      { toolParser: false },
      { ...hello, tools },
      'tool choice requires --enable-auto-tool-choice',
    ],
    ['more clips than the limit', { audioPerPrompt: 1 }, user(byUrl, byUrl), 'At most 1 audio(s)'],
    ['a clip over the decode limit', { maxClipSeconds: 1 }, user(byUrl), 'longer than the decode limit'],
    ['a prompt over the context', { contextTokens: 40 }, user(byUrl), 'maximum context length is 40'],
    [
      'input_audio on SGLang',
      { flavour: 'sglang' },
      user(inline(wavBase64)),
      'Unsupported chat content part type',
    ],
    ['audio_url on OpenAI', { flavour: 'openai' }, user(byUrl), 'Unsupported chat content part type'],
    [
      'vLLM fields on OpenAI',
      { flavour: 'openai' },
      { ...hello, return_token_ids: true },
      'Unrecognized request',
    ],
  ])('refuses %s', async (_what, flags, body, words) => {
    const { post } = await serve(flags);
    const { status, text } = await post(body);
    expect(text).toContain(words);
    expect(status).toBe(400);
  });

  it('says 404 to an unknown model and path, 401 to a wrong key, an opaque 500 to audio without its parts', async () => {
    const { post, server } = await serve({ audio: false });
    expect((await post({ ...hello, model: 'other' })).status).toBe(404);
    expect((await fetch(`${server.baseUrl}/other`)).status).toBe(404);
    expect((await post(user(byUrl))).status).toBe(500);
    const locked = await serve({ apiKey: 'k' });
    expect((await locked.post(hello)).status).toBe(401);
  });
});
