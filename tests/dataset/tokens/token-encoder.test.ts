import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadTokenizer, TARL_LIMITS } from '../../../src/dataset/index.js';
import { findAudioFamily } from '../../../src/dataset/tokens/audio-family.js';
import { encodeRow } from '../../../src/dataset/tokens/encode-row.js';
import { createTokenEncoder } from '../../../src/dataset/tokens/token-encoder.js';
import type { EpisodeRecord } from '../../../src/episodes/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { call, makeRecord, makeTask } from '../../scoring/record-builder.js';
import { oddText, rowOf, steps, withWords, writtenBy } from '../helpers/odd-rows.js';
import { sampleRecords } from '../helpers/sample-run.js';
import { SPECIALS, writeTinyTokenizer } from '../helpers/tiny-tokenizer.js';

async function tokenizer() {
  const folder = temporaryFolder();
  writeTinyTokenizer(folder);
  return loadTokenizer({ folder, template: null });
}

describe('tokens of a row', () => {
  it("masked-in tokens decode to the agent's text byte for byte, over thousands of episodes with odd text", async () => {
    const model = await tokenizer();
    const special = new Set(SPECIALS.map((token) => model.idOf(token)));
    fc.assert(
      fc.property(steps, fc.array(oddText, { minLength: 1, maxLength: 3 }), (made, words) => {
        const row = rowOf(withWords(makeRecord(makeTask('t', []), made), words));
        const { ids, turnSpans } = encodeRow(row, { tokenizer: model, audio: null });
        const texts = turnSpans.map(({ start, tokens }) => model.decode(ids.slice(start, start + tokens)));
        expect(texts).toEqual(writtenBy(row));
        // The template's own turns are all the special tokens there are: no customer, tool or agent made one with words.
        const starts = ids.filter((id) => id === model.idOf('<|im_start|>')).length;
        const ends = ids.filter((id) => id === model.idOf('<|im_end|>')).length;
        const last = row.messages.findLastIndex(({ role }) => role === 'assistant');
        expect([starts, ends]).toEqual([last + 1, last + 1]);
        const calls = row.turns.filter(({ kind }) => kind === 'call').length;
        // The tool section shows one pair as an example and names the tags once.
        expect(ids.filter((id) => id === model.idOf('</tool_call>')).length).toBe(calls + 1);
        expect(ids.filter((id) => special.has(id) && id === model.idOf('<|AUDIO|>'))).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  }, 120_000);

  it('places rewards on the last token of each turn, the outcome on the last of all, advantages on every agent token', async () => {
    const model = await tokenizer();
    const record = makeRecord(makeTask('t', []), [
      'hello',
      { call: call('get_order_details', { order_id: '#W1' }) },
      'bye',
    ]);
    const encode = createTokenEncoder({ encoder: { tokenizer: model, audio: null }, limits: TARL_LIMITS });
    const { tokens } = encode(rowOf(record), null);
    if (tokens === null) throw new Error('no tokens');
    const opening = tokens.promptIds.length;
    const ends = tokens.turnSpans.map(({ start, tokens: length }) => start + length - 1 - opening);
    const rewards = tokens.tokenRewards?.flatMap((reward, place) => (reward === 0 ? [] : [[place, reward]]));
    expect(rewards).toEqual([
      [ends[0], 0.5],
      [ends[1], 1.5],
      [ends[2], 12.5],
    ]);
    tokens.responseMask.forEach((bit, place) => {
      const turn = tokens.turnSpans.findIndex(
        ({ start, tokens: length }) => place + opening >= start && place + opening < start + length,
      );
      expect(bit).toBe(turn < 0 ? 0 : 1);
      expect(tokens.tokenAdvantages?.[place]).toBe(turn < 0 ? 0 : turn - 1);
    });
    expect(tokens.origin).toBe('tokenizer');
    expect(tokens.responseMask.at(-1)).toBe(1);
  });

  it('stands as many placeholders for a clip as the model would, between its begin and end', async () => {
    const model = await tokenizer();
    const speech = sampleRecords({ tasks: 1, trials: 1 }).records.find(
      ({ header }) => header.mode === 'speech',
    );
    const row = rowOf(speech as EpisodeRecord);
    const { ids, audioSpans } = encodeRow(row, { tokenizer: model, audio: findAudioFamily('qwen2.5-omni') });
    expect(audioSpans.length).toBeGreaterThan(1);
    for (const { start, tokens } of audioSpans) {
      expect(ids.slice(start, start + tokens).every((id) => id === model.idOf('<|AUDIO|>'))).toBe(true);
      expect([ids[start - 1], ids[start + tokens]]).toEqual([
        model.idOf('<|audio_bos|>'),
        model.idOf('<|audio_eos|>'),
      ]);
    }
    expect(() => encodeRow(row, { tokenizer: model, audio: null })).toThrow('--audio-family');
    expect(() => encodeRow(row, { tokenizer: model, audio: findAudioFamily('qwen3-omni') })).toThrow(
      '<|audio_pad|>',
    );
  });

  it('counts 25 audio tokens a second for Qwen2.5-Omni and 13 for Qwen3-Omni', () => {
    const [qwen25, qwen3] = ['qwen2.5-omni', 'qwen3-omni'].map(findAudioFamily);
    // One second is 100 frames: ceil(100 / 2) = 50, (50 - 2) / 2 + 1 = 25.
    expect([16_000, 160_000, 161_360].map((samples) => qwen25?.tokensOf(samples))).toEqual([25, 250, 252]);
    expect([16_000, 160_000, 8000, 160].map((samples) => qwen3?.tokensOf(samples))).toEqual([13, 130, 7, 1]);
    expect(() => findAudioFamily('whisper')).toThrow('choose one of');
  });

  it('refuses, cuts at whole turns or drops what is too long', async () => {
    const model = await tokenizer();
    const row = rowOf(
      makeRecord(makeTask('t', []), ['hello', 'a longer message of the agent'.repeat(4), 'bye']),
    );
    const with_ = (limits: Partial<typeof TARL_LIMITS>) =>
      createTokenEncoder({
        encoder: { tokenizer: model, audio: null },
        limits: { ...TARL_LIMITS, ...limits },
      })(row, null);
    expect(() => with_({ turn: 20 })).toThrow('--truncation');
    expect(with_({ turn: 20, whenOver: 'drop' })).toMatchObject({ dropped: 'a turn of more than 20 tokens' });
    const cut = with_({ turn: 20, whenOver: 'cut' }).tokens;
    expect(cut).toMatchObject({ isTruncated: true });
    expect(cut?.turnSpans).toHaveLength(1);
    expect(cut?.responseIds.length).toBe(cut?.turnSpans[0]?.tokens);
    expect(with_({ prompt: 10, whenOver: 'cut' })).toMatchObject({
      dropped: 'a prompt of more than 10 tokens',
    });
    expect(with_({}).tokens?.isTruncated).toBe(false);
  });

  it('takes the ids that the engine sampled, and says why when it cannot', () => {
    const row = rowOf(makeRecord(makeTask('t', []), ['hello', 'bye']));
    const encode = createTokenEncoder({ encoder: null, limits: TARL_LIMITS });
    const reply = {
      ...{
        type: 'generation' as const,
        finish: 'stop' as const,
        usage: null,
        clips: [],
        faults: [],
        discarded: false,
      },
    };
    const first = { ...reply, turn: 1, prompt: [1, 2, 3], ids: [4, 5], logprobs: [-0.5, -0.25] };
    const second = { ...reply, turn: 2, prompt: [1, 2, 3, 4, 5, 6, 7], ids: [8], logprobs: [-1] };
    const { tokens } = encode(row, [first, second]);
    expect(tokens).toMatchObject({
      ...{
        origin: 'engine',
        promptIds: [1, 2, 3],
        responseIds: [4, 5, 6, 7, 8],
        responseMask: [1, 1, 0, 0, 1],
      },
      logProbs: [-0.5, -0.25, 0, 0, -1],
      tokenRewards: [0, 0.5, 0, 0, 11.5],
      tokenAdvantages: [-1, -1, 0, 0, 0],
    });
    expect(encode(row, [first, { ...second, prompt: [9, 2, 3, 4, 5, 6] }])).toMatchObject({
      ...{ tokens: null, engineUnusable: 'a later prompt does not continue the earlier ones' },
    });
    expect(encode(row, [{ ...first, ids: null }])).toMatchObject({
      engineUnusable: 'the engine gave no token ids',
    });
    expect(encode(row, null)).toMatchObject({ tokens: null, engineUnusable: null });
  });

  it('gives the reward of several actions in one reply to its last token', () => {
    const row = rowOf(
      makeRecord(makeTask('t', []), [
        { call: call('get_order_details') },
        { call: call('get_order_details') },
        'bye',
      ]),
    );
    const encode = createTokenEncoder({ encoder: null, limits: TARL_LIMITS });
    const reply = {
      ...{
        type: 'generation' as const,
        finish: 'tools' as const,
        usage: null,
        clips: [],
        faults: [],
        discarded: false,
      },
    };
    const { tokens } = encode(row, [
      { ...reply, turn: 1, prompt: [1], ids: [2, 3], logprobs: null },
      { ...reply, turn: 3, prompt: [1, 2, 3, 4], ids: [5], logprobs: null },
    ]);
    expect(tokens).toMatchObject({
      ...{ responseMask: [1, 1, 0, 1], tokenRewards: [0, 2, 0, 12.5], tokenAdvantages: [-0.5, -0.5, 0, 1] },
      ...{
        logProbs: null,
        turnSpans: [
          { start: 1, tokens: 2 },
          { start: 3, tokens: 0 },
          { start: 4, tokens: 1 },
        ],
      },
    });
  });
});
