import { describe, expect, it } from 'vitest';
import { decodeWav } from '../../../src/audio/index.js';
import { hearCustomer, MAX_INLINE_WAV_BYTES } from '../../../src/sandbox/openenv/observation.js';
import { sha256Hex } from '../../../src/shared/index.js';
import { eventsOf, testSandbox } from '../helpers/sandbox.js';
import { envClient, type Json, reset, say } from './helpers/env-client.js';

const speech = { mode: 's&t' };
const blocksOf = (data: Json): Json[] => data.observation.result?.content ?? data.observation.content;

describe('a customer that speaks, over /ws', () => {
  it("comes as one MCP audio block, a WAV file whose hash is the record's, and without a word of text", async () => {
    const { sandbox, records } = await testSandbox();
    const client = await envClient(sandbox);
    const opening = (await client.ask(reset(speech))).data;
    expect(opening.metadata).toMatchObject({ mode: 's&t', user_message: '' });
    const reply = (await client.ask(say('Good day'))).data;
    expect(reply.observation.result.data).toBe('');
    const { record } = opening.metadata;
    const spoken = eventsOf(records, record).filter((event) => event.type === 'customer');
    for (const [index, data] of [opening, reply].entries()) {
      const [block, ...others] = blocksOf(data);
      expect(others).toEqual([]);
      expect(block).toMatchObject({ type: 'audio', mimeType: 'audio/wav' });
      const wav = Buffer.from(block.data, 'base64');
      const { audio } = spoken[index] ?? { audio: null };
      expect(sha256Hex(wav)).toBe(audio?.sha256);
      expect(data.metadata.user_audio).toMatchObject({ sha256: audio?.sha256, samples: audio?.samples });
      expect(decodeWav(wav).samples.length).toBe(audio?.samples);
    }
    const words = spoken.map((event) => (event.type === 'customer' ? event.text : ''));
    for (const frame of client.frames) for (const text of words) expect(frame).not.toContain(text);
  });

  it('comes with its words where a transcript is asked for', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    await client.ask(reset({ ...speech, transcript: true }));
    const { data } = await client.ask(say('Good day'));
    expect(data.observation.result.data).toBe('You said: Good day');
    expect(blocksOf(data).map(({ type }) => type)).toEqual(['text', 'audio']);
  });

  it('comes as a link that gives the same bytes, or as its facts alone', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    const { data } = await client.ask(reset({ ...speech, audio: 'url' }));
    const [link] = blocksOf(data);
    expect(link).toMatchObject({ type: 'resource_link', mimeType: 'audio/wav' });
    const wav = Buffer.from(await (await fetch(link.uri)).arrayBuffer());
    expect(sha256Hex(wav)).toBe(data.metadata.user_audio.sha256);
    const none = await client.ask(reset({ ...speech, audio: 'none' }));
    expect(blocksOf(none.data)).toEqual([]);
    expect(none.data.metadata.user_audio.url).toBe(`/v1/audio/${sha256Hex(wav)}.wav`);
  });

  it('is a link when the frame would be larger than 8 MB', () => {
    const seconds = Math.ceil(MAX_INLINE_WAV_BYTES / 32_000);
    const options = {
      wish: { audio: 'inline', transcript: false },
      transcript: '',
      origin: 'http://here',
    } as const;
    const typeFor = (samples: number) =>
      hearCustomer(
        { turn: 0, text: '', sound: { samples: new Int16Array(samples), sampleRateHz: 16_000 } },
        options,
      ).content[0];
    const large = typeFor((seconds + 1) * 16_000);
    expect(large).toMatchObject({
      type: 'resource_link',
      uri: expect.stringMatching(/^http:\/\/here\/v1\/audio\//),
    });
    const inline = typeFor((seconds - 5) * 16_000);
    expect(inline?.type).toBe('audio');
    expect(JSON.stringify(inline).length).toBeLessThan(8 * 1024 * 1024);
  });

  it('is refused by a sandbox without a voice', async () => {
    const { sandbox } = await testSandbox({ speaker: null });
    const client = await envClient(sandbox);
    expect(await client.ask(reset(speech))).toMatchObject({
      type: 'error',
      data: { code: 'EXECUTION_ERROR', message: expect.stringContaining('no voice') },
    });
  });
});
