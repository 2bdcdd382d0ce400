import { describe, expect, it } from 'vitest';
import { ClipRefusedError } from '../../../src/agents/index.js';
import { Conversation } from '../../../src/agents/openai-compatible/conversation.js';
import { audioTokens, customerClip } from '../../../src/agents/openai-compatible/customer-clip.js';
import { GenerationLog } from '../../../src/agents/openai-compatible/generation.js';
import { decodeWav } from '../../../src/audio/index.js';
import type { ChatReply, ChatTokens } from '../../../src/models/index.js';
import { toneClip } from '../../helpers/test-clips.js';

const END = 9;
const AUDIO = 7;
const clip = toneClip(60);
// 6 frames of 10 ms: (6 - 1) div 2 + 1 = 3, (3 - 2) div 2 + 1 = 1 token.
const rules = { audioTokensPerSecond: 25, endToken: END, audioToken: AUDIO };
const reply = (tokens: ChatTokens, more: Partial<ChatReply> = {}): ChatReply => ({
  ...{ content: 'x', finish: 'stop', tokens },
  usage: { prompt: tokens.prompt?.length ?? 0, completion: tokens.completion?.length ?? 0 },
  ...more,
});
const sound = { prompt: [1, AUDIO, 2], completion: [5, END], logprobs: [-0.1, -0.2] };
const take = (given: ChatReply) =>
  new GenerationLog(rules).take(given, { turn: 1, clips: [clip], discarded: false });

describe('a generation for training', () => {
  it('without faults holds what the server gave', () => {
    expect(take(reply(sound))).toMatchObject({
      ...{ turn: 1, promptShared: 0, promptRest: [1, AUDIO, 2], ids: [5, END], faults: [] },
      clips: [{ sha256: clip.sha256, tokens: 1 }],
    });
  });

  it.each<[string, ChatReply, string]>([
    ['prompt ids against the count', reply(sound, { usage: { prompt: 4, completion: 2 } }), '3 prompt ids'],
    [
      'completion ids against the count',
      reply(sound, { usage: { prompt: 3, completion: 9 } }),
      '2 completion ids, but the server',
    ],
    ['log-probabilities against ids', reply({ ...sound, logprobs: [-1] }), 'but 1 log-probabilities'],
    ['the last id', reply({ ...sound, completion: [5, 6] }), 'the last id is 6'],
    [
      'audio ids against clips (row 15)',
      reply({ ...sound, prompt: [1, 2] }),
      '0 audio ids in the prompt; the clips come to 1',
    ],
    ['audio expanded twice (row 12)', reply({ ...sound, prompt: [1, AUDIO, AUDIO, 2] }), '2 audio ids'],
  ])('names a fault: %s', (_what, given, words) => {
    const { faults } = take(given);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(words);
  });

  it('wants no end of message where the reply was cut off', () => {
    expect(take(reply({ ...sound, completion: [5, 6] }, { finish: 'length' })).faults).toEqual([]);
  });

  it('keeps of a prompt only what is new in it', () => {
    const log = new GenerationLog({ ...rules, audioToken: null });
    const of = (prompt: number[], completion: number[]) =>
      log.take(reply({ prompt, completion, logprobs: null }), { turn: 1, clips: [], discarded: false });
    of([1, 2, 3], [4, END]);
    expect(of([1, 2, 3, 4, END, 5], [6, END])).toMatchObject({ promptShared: 5, promptRest: [5] });
    // The history was changed (e.g. a clip was dropped): the rest is written out.
    expect(of([1, 8], [END])).toMatchObject({ promptShared: 1, promptRest: [8] });
  });
});

describe('clips for a model', () => {
  const pcm = (durationMs: number, sampleRateHz: number) => ({
    samples: new Int16Array((durationMs * sampleRateHz) / 1000),
    sampleRateHz,
  });
  it.each([8000, 16_000, 24_000])('at %i Hz become WAV files of 16 kHz, mono', (rate) => {
    const { wavBase64, durationMs } = customerClip(pcm(500, rate));
    const wav = decodeWav(Buffer.from(wavBase64, 'base64'));
    expect([wav.sampleRateHz, wav.samples.length, durationMs]).toEqual([16_000, 8000, 500]);
  });

  it.each([0, 99, 300_001])('of %i ms are refused before sending (rows 54, 55)', (durationMs) => {
    expect(() => customerClip(pcm(durationMs, 16_000))).toThrow(ClipRefusedError);
  });

  it('cost 25 tokens a second on Qwen2.5-Omni, 13 on Qwen3-Omni', () => {
    // 60 s: 6000 frames, 3000 after the first halving, 1500 after the second.
    expect(audioTokens(60_000, 25)).toBe(1500);
    expect(audioTokens(60_000, 13)).toBe(780);
    expect(audioTokens(20, 25)).toBe(0);
  });
});

describe('the audio budget against the context (row 14)', () => {
  const options = {
    ...{ system: 'x'.repeat(330), audioTokensPerSecond: 25, replyTokens: 100 },
    olderAudio: 'keep' as const,
    ...{ audioBudgetTokens: 10_000, toolsInText: false },
  };
  it('leaves older clips out before the context overflows, and says when the newest alone is too long', () => {
    const make = (contextTokens: number) => {
      const conversation = new Conversation({ ...options, contextTokens });
      for (let turn = 0; turn < 3; turn += 1) conversation.customer([toneClip(4000)]);
      return conversation.build();
    };
    // 4 s are 100 tokens and two marks; system message and reply take 200.
    expect(make(10_000)).toMatchObject({ audioTokens: 306, tooLong: false });
    expect(make(450)).toMatchObject({ audioTokens: 204, tooLong: false });
    expect(make(250)).toMatchObject({ audioTokens: 102, tooLong: true });
  });
});
