import { describe, expect, it } from 'vitest';
import { type CustomerPiece, startEpisode } from '../../../src/agents/index.js';
import { eventsOf, testSandbox } from '../../sandbox/helpers/sandbox.js';

const assignmentTo = (url: string, mode: 'text' | 'speech' = 'speech') => ({
  ...{ url, task: 'cancel-lamp', mode, seed: 1, trial: 0 },
});
const RECORD = 'cancel-lamp.speech.t0.s1';
const SUM = { name: 'calculate', arguments: { expression: '1 + 2' } };

describe('an agent with a voice', () => {
  it('says how it says it: words, sound, or sound with its transcript', async () => {
    const { sandbox, records } = await testSandbox();
    const episode = await startEpisode(assignmentTo(sandbox.url), { agent: 'a' });
    const samples = Int16Array.from({ length: 40_001 }, (_, at) => at % 300);
    await episode.say({ text: 'one', voice: { samples, sampleRateHz: 24_000 } });
    await episode.say({ voice: { samples, sampleRateHz: 8_000, encoding: 'mulaw', transcript: 'two' } });
    const said = eventsOf(records, RECORD).filter(({ type }) => type === 'agent');
    expect(said).toMatchObject([
      { text: 'one', audio: { sampleRateHz: 24_000, samples: 40_001 } },
      { text: 'two', audio: { sampleRateHz: 8_000, samples: 40_001 }, transcript: 'two' },
    ]);
  });

  it('is told once, with the real reason, why its voice was not taken, and can go on', async () => {
    const { sandbox } = await testSandbox({ websocket: { graceMs: 0, maxSpeechMs: 1_000 } });
    const episode = await startEpisode(assignmentTo(sandbox.url), { agent: 'a' });
    const long = { samples: new Int16Array(40_000), sampleRateHz: 16_000 };
    await expect(episode.say({ text: 'x', voice: long })).rejects.toMatchObject({ wireCode: 'too_large' });
    await expect(
      episode.say({ text: 'x', voice: { samples: new Int16Array(9), sampleRateHz: 44_100 } }),
    ).rejects.toMatchObject({ code: 'message-refused' });
    await expect(
      episode.say({ voice: { samples: new Int16Array(9), sampleRateHz: 8_000 } }),
    ).rejects.toMatchObject({ wireCode: 'unavailable' });
    await expect(
      episode.say({ voice: { samples: new Int16Array(0), sampleRateHz: 8_000 } }),
    ).rejects.toMatchObject({ wireCode: 'bad_message' });
    await expect(episode.say('long', { reasoning: 'ü'.repeat(140_000) })).rejects.toMatchObject({
      wireCode: 'too_large',
    });
    expect(await episode.say('short')).toMatchObject({ kind: 'customer' });
  });
});

describe('an agent that listens while the customer speaks', () => {
  it('gets the same samples in every format, with little under way when it asks for a window', async () => {
    const { sandbox } = await testSandbox();
    const whole: number[] = [];
    for (const audio of [
      ...[undefined, { transport: 'base64' as const }, { frameMs: 20 }],
      { encoding: 'mulaw' as const, sampleRateHz: 8_000 },
    ]) {
      let heard = 0;
      const episode = await startEpisode(assignmentTo(sandbox.url), {
        ...{ agent: 'a', audio, window: 4_096 },
        onCustomer: (piece) => {
          if (piece.kind === 'audio') heard += piece.samples.length;
        },
      });
      const { audio: clip } = episode.opening;
      expect(heard).toBe(clip?.samples.length);
      whole.push((clip?.samples.length ?? 0) / (clip?.sampleRateHz ?? 1));
      episode.close();
    }
    expect(new Set(whole).size).toBe(1);
  });

  it('breaks in, and hears no more than what was sent', async () => {
    const { sandbox, records } = await testSandbox();
    const pieces: CustomerPiece[] = [];
    let interrupt = (): void => undefined;
    const episode = await startEpisode(assignmentTo(sandbox.url), {
      ...{ agent: 'a', pacing: 'realtime', audio: { frameMs: 20 } },
      onCustomer: (piece) => {
        pieces.push(piece);
        if (piece.kind === 'audio') interrupt();
      },
    });
    let calls = 0;
    interrupt = () => {
      calls += 1;
      if (calls === 3) episode.interrupt(500);
    };
    const step = await episode.say(
      'Tell me your whole story, from the beginning to the end, and leave nothing out.',
    );
    if (step.kind !== 'customer') throw new Error('the episode ended');
    expect(step.customer.interrupted).toBe(true);
    const sent = step.customer.audio?.samples.length ?? 0;
    expect(eventsOf(records, RECORD).find(({ type }) => type === 'interrupted')).toMatchObject({
      ...{ utterance: 1, samplesSent: sent, samplesHeard: 500 },
    });
    // A second one comes too late and disturbs nothing.
    episode.interrupt();
    expect(await episode.call(SUM.name, SUM.arguments)).toMatchObject({ content: '3' });
  });
});

describe('several calls in one message', () => {
  it('have a result each, in their order, and may fail alone', async () => {
    const { sandbox } = await testSandbox();
    const episode = await startEpisode(assignmentTo(sandbox.url, 'text'), { agent: 'a' });
    const wrong = { name: 'no_such_tool', arguments: '{}' };
    expect(
      await episode.callAll([SUM, wrong, { name: 'calculate', arguments: '{"expression": "4"}' }]),
    ).toMatchObject({
      results: [{ content: '3' }, { status: 'error', ok: false }, { content: '4' }],
      end: null,
    });
    expect(await episode.callAll([])).toMatchObject({ results: [], end: null });
  });

  it('end with the episode: those behind the last turn are cancelled', async () => {
    const { sandbox } = await testSandbox({ limits: { maxTurns: 2 } });
    const episode = await startEpisode(assignmentTo(sandbox.url, 'text'), { agent: 'a' });
    const step = await episode.callAll([SUM, SUM, SUM]);
    expect(step.results.map(({ status }) => status)).toEqual(['result', 'result', 'cancelled']);
    expect(step.end?.reason).toBe('turn_limit');
    expect(episode.end).toBe(step.end);
    expect(await episode.callAll([SUM])).toMatchObject({ results: [], end: step.end });
  });

  it('behind a hand-over are cancelled, and the agent may still say its last words', async () => {
    const { sandbox } = await testSandbox();
    const episode = await startEpisode(assignmentTo(sandbox.url, 'text'), { agent: 'a' });
    const transfer = { name: 'transfer_to_human_agents', arguments: { summary: 'too hard' } };
    const step = await episode.callAll([transfer, SUM]);
    expect(step).toMatchObject({ results: [{ ok: true }, { status: 'cancelled' }], end: null });
    expect(await episode.say('A colleague takes over.')).toMatchObject({
      ...{ kind: 'end', end: { reason: 'transfer' } },
    });
  });
});

describe('an agent whose own server is down', () => {
  it('is believed when it is the run’s own, and fails when it is a stranger [P-END-2]', async () => {
    for (const [ownAgents, reason, owner] of [
      [true, 'agent_unavailable', 'platform'],
      [false, 'agent_failed', 'agent'],
    ] as const) {
      const { sandbox, records } = await testSandbox({ ownAgents });
      const episode = await startEpisode(assignmentTo(sandbox.url, 'text'), { agent: 'a' });
      expect(await episode.stop({ reason: 'unavailable', detail: 'no model' })).toMatchObject({
        reason,
        owner,
      });
      const end = eventsOf(records, 'cancel-lamp.text.t0.s1').find(({ type }) => type === 'end');
      expect(end).toMatchObject({ reason, detail: 'no model' });
    }
  });
});
