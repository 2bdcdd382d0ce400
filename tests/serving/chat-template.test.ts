import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Template } from '@huggingface/jinja';
import { describe, expect, it } from 'vitest';

const path = join(resolve(import.meta.dirname, '../..'), 'serving/qwen2.5-omni-tools.jinja');
const template = new Template(readFileSync(path, 'utf8'));
const render = (messages: object[], more: object = {}): string =>
  template.render({ messages, add_generation_prompt: true, ...more });

const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
const audio = { type: 'audio' };
const call = (args: unknown) => ({ type: 'function', id: 'c1', function: { name: 'look', arguments: args } });

/** A conversation as vLLM hands it over: parts in order, arguments read from their JSON. */
const conversation = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: [{ type: 'text', text: 'before ' }, audio, { type: 'text', text: ' after' }] },
  { role: 'assistant', content: 'One moment.', tool_calls: [call({ id: 'W1' }), call({})] },
  { role: 'tool', content: '{"status":"shipped"}' },
  { role: 'tool', content: [{ type: 'text', text: 'Error: none' }] },
  { role: 'assistant', content: 'It is shipped.' },
  { role: 'user', content: [audio, audio] },
];

/** The golden text, by hand. */
const GOLDEN = `<|im_start|>system
Be kind.

You can call the functions listed here, one JSON object a line:
<tools>
{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
</tools>

To call one, write a JSON object with its name and its arguments between tags, one pair of tags for each call:
<tool_call>
{"name": NAME, "arguments": OBJECT}
</tool_call><|im_end|>
<|im_start|>user
before <|audio_bos|><|AUDIO|><|audio_eos|> after<|im_end|>
<|im_start|>assistant
One moment.
<tool_call>
{"name": "look", "arguments": {"id": "W1"}}
</tool_call>
<tool_call>
{"name": "look", "arguments": {}}
</tool_call><|im_end|>
<|im_start|>user
<tool_response>
{"status":"shipped"}
</tool_response>
<tool_response>
Error: none
</tool_response><|im_end|>
<|im_start|>assistant
It is shipped.<|im_end|>
<|im_start|>user
<|audio_bos|><|AUDIO|><|audio_eos|><|audio_bos|><|AUDIO|><|audio_eos|><|im_end|>
<|im_start|>assistant
`;

describe('the chat template for Qwen2.5-Omni (serving.md row 13: the stock one drops tools)', () => {
  it('renders tools, calls, results and clips in order: the golden text', () => {
    expect(render(conversation, { tools: [tool] })).toBe(GOLDEN);
  });

  it('every prefix of a conversation is a prefix of its text, so that caches and training rows fit', () => {
    const whole = render(conversation, { tools: [tool], add_generation_prompt: false });
    for (let length = 1; length < conversation.length; length += 1) {
      // A result is closed together with those beside it.
      if (conversation[length]?.role === 'tool') continue;
      const text = render(conversation.slice(0, length), { tools: [tool], add_generation_prompt: false });
      expect(whole.startsWith(text)).toBe(true);
    }
  });

  it('puts tools into a system message of its own where there is none', () => {
    const text = render([{ role: 'user', content: 'hi' }], { tools: [tool] });
    expect(text).toMatch(/^<\|im_start\|>system\nYou are a helpful assistant\.\n\nYou can call/);
    expect(text).toContain('</tool_call><|im_end|>\n<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n');
  });

  it('is plain ChatML without tools', () => {
    expect(render([{ role: 'user', content: 'hi' }])).toBe(
      '<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n',
    );
  });

  it('takes arguments as text, content as null, and images and videos', () => {
    const text = render([
      { role: 'user', content: [{ type: 'image' }, { type: 'video' }, { type: 'text', text: 'x' }] },
      { role: 'assistant', content: null, tool_calls: [call('{"a": 1}')] },
    ]);
    expect(text).toContain('<|vision_bos|><|IMAGE|><|vision_eos|><|vision_bos|><|VIDEO|><|vision_eos|>x');
    expect(text).toContain(
      '<|im_start|>assistant\n<tool_call>\n{"name": "look", "arguments": {"a": 1}}\n</tool_call>',
    );
  });

  it('loops over the content in the open: vLLM finds out that it takes parts', () => {
    expect(readFileSync(path, 'utf8')).toMatch(/\{%-? for part in message\['content'\]/);
  });
});
