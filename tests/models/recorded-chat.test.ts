import { describe, expect, it } from 'vitest';
import {
  type ChatRequest,
  createRecordedChat,
  createScriptedChat,
  recordChat,
} from '../../src/models/index.js';

const signal = new AbortController().signal;
const ask = (content: string): ChatRequest => ({ messages: [{ role: 'user', content }] });

describe('a scripted model', () => {
  it('says what it is told to, in order, keeps the requests, and fails when the script is over', async () => {
    const chat = createScriptedChat(['one', new Error('down')]);
    expect(await chat.complete(ask('a'), signal)).toEqual({ content: 'one', finish: 'stop', usage: null });
    await expect(chat.complete(ask('b'), signal)).rejects.toThrow('down');
    await expect(chat.complete(ask('c'), signal)).rejects.toMatchObject({
      code: 'chat-failed',
      retryable: false,
    });
    expect(chat.requests.map((request) => request.messages[0]?.content)).toEqual(['a', 'b', 'c']);
  });
});

describe('a recorded model', () => {
  it('says again what was recorded; repeated requests give their replies in order', async () => {
    let text = '';
    const live = recordChat(createScriptedChat(['x', 'y', 'z'], { name: 'm' }), (line) => {
      text += line;
    });
    for (const content of ['a', 'a', 'b']) await live.complete(ask(content), signal);
    const replay = createRecordedChat(text, 'replies.jsonl');
    const said: string[] = [];
    for (const content of ['b', 'a', 'a', 'a'])
      said.push((await replay.complete(ask(content), signal)).content);
    expect(said).toEqual(['z', 'x', 'y', 'y']);
    expect(replay.name).toBe('m');
    await expect(replay.complete(ask('unknown'), signal)).rejects.toMatchObject({ code: 'chat-failed' });
  });

  it.each([
    ['', 'is empty'],
    ['nonsense', 'line 1: expected a JSON object'],
    ['{"type":"label"}', 'line 1, at'],
    [
      '{"type":"chat_recording","version":1,"client":"m","takesFormat":false}\n{"type":"chat_reply"}',
      'line 2, at',
    ],
  ])('names the file and the line of rubbish: %j', (text, message) => {
    expect(() => createRecordedChat(text, 'replies.jsonl')).toThrow(message);
    expect(() => createRecordedChat(text, 'replies.jsonl')).toThrow('replies.jsonl');
  });
});
