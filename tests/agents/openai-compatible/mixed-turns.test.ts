import { afterEach, describe, expect, it } from 'vitest';
import { createChatAgent } from '../../../src/agents/index.js';
import { createOpenAiChat } from '../../../src/models/index.js';
import { encodeAudioFrame, pcm16ToBytes } from '../../../src/protocol/index.js';
import { createRandom, systemClock } from '../../../src/shared/index.js';
import { type StrictChatServer, startStrictChatServer } from '../../helpers/strict-chat-server.js';
import { AUDIO_TOKEN, textTokens } from '../../helpers/strict-chat-tokens.js';
import { helloEvent, readyEvent } from '../../helpers/wire-events.js';
import { closeScriptedServers, scriptedServer } from '../client/helpers/scripted-server.js';
import { MODEL } from './play.js';

const servers: StrictChatServer[] = [];
afterEach(async () => {
  closeScriptedServers();
  for (const server of servers.splice(0)) await server.close();
});

const soundFrame = (seq: number, sampleOffset: number, samples: number) =>
  encodeAudioFrame({
    ...{ kind: 'customer', seq, utterance: 0, sampleOffset },
    data: pcm16ToBytes(new Int16Array(samples).fill(1000)),
  });
/** A far side whose customer says text, 200 ms of sound, text, 400 ms of sound, and is content with any answer. */
const mixed = [
  helloEvent,
  { ...readyEvent, mode: 'speech' },
  { type: 'customer.start', turn: 0, utterance: 0, form: 'speech', sampleOffset: 0 },
  { type: 'customer.text', utterance: 0, text: 'First' },
  soundFrame(5, 0, 3200),
  { type: 'customer.text', utterance: 0, text: 'then' },
  soundFrame(7, 3200, 3200),
  soundFrame(8, 6400, 3200),
  {
    ...{ type: 'customer.end', turn: 0, utterance: 0, durationMs: 600, samples: 9600 },
    ...{ interrupted: false, final: false },
  },
  'wait',
  'wait',
  {
    ...{ type: 'episode.end', turn: 1, episode: 'e', reason: 'customer_stop', owner: 'user' },
    outcome: { rule: 'tau2', success: true, reward: 1, scores: {}, unscored: [] },
  },
] as const;

async function play(contentFormat: 'openai' | 'string') {
  const server = await startStrictChatServer({ contentFormat, policy: () => ({ content: 'Done.' }) });
  servers.push(server);
  const { url } = await scriptedServer(mixed);
  const agent = createChatAgent({
    chat: createOpenAiChat({
      ...{ baseUrl: server.baseUrl, model: MODEL, server: 'vllm' },
      ...{ clock: systemClock, random: createRandom(1) },
    }),
    tokens: true,
  });
  const report = await agent.run(
    { url, task: 't', mode: 'speech', seed: 1, trial: 0 },
    new AbortController().signal,
  );
  const parts = server.seen[0]?.messages.at(-1)?.parts ?? [];
  return {
    report,
    order: parts.map((part) => ('text' in part ? part.text : `${part.clip.durationMs} ms`)),
    prompt: report.generations?.[0]?.promptRest ?? [],
  };
}

describe('text and audio in one turn of the customer', () => {
  it('reach the model in the order in which they came, and so do the audio ids of its prompt', async () => {
    const { report, order, prompt } = await play('openai');
    expect(order).toEqual(['First', '200 ms', 'then', '400 ms']);
    const places = [textTokens('First')[0], AUDIO_TOKEN, textTokens('then')[0]].map((id) =>
      prompt.indexOf(id ?? -1),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    // 200 ms: 20 frames, 10, 5 tokens; 400 ms: 40 frames, 20, 10 tokens.
    expect(report.generations?.[0]?.clips.map(({ tokens }) => tokens)).toEqual([5, 10]);
    expect(prompt.filter((id) => id === AUDIO_TOKEN)).toHaveLength(15);
    expect(report.generations?.[0]?.faults).toEqual([]);
  });

  it('lose their order in a server of the "string" format, whatever is sent (docs/gpu.md has the flag)', async () => {
    const { order } = await play('string');
    expect(order).toEqual(['Audio 1: ', '200 ms', '\nAudio 2: ', '400 ms', '\nFirst', '\nthen']);
  });
});
