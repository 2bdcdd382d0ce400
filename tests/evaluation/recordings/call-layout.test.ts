import { describe, expect, it } from 'vitest';
import type { EpisodeRecord, RecordEvent } from '../../../src/episodes/index.js';
import { layOutCall } from '../../../src/evaluation/recordings/call-layout.js';
import { makeRecord } from '../helpers/records.js';

const clip = (durationMs: number, sampleRateHz = 16_000) => ({
  ...{ sha256: 'a'.repeat(64), sampleRateHz, samples: (durationMs * sampleRateHz) / 1000, durationMs },
});

function layOut(events: readonly object[]) {
  const record = makeRecord({ task: 't', mode: 'speech', events: events as readonly RecordEvent[] });
  const wire: EpisodeRecord['header']['wire'] = {
    encoding: 'pcm16',
    sampleRateHz: 8000,
    transport: 'binary',
    frameMs: 100,
    pacing: 'fast',
  };
  return layOutCall({ ...record, header: { ...record.header, wire } });
}
const customer = { type: 'customer', spoken: null, end: null } as const;

describe('a call without a clock of its own', () => {
  it('has the order and the lengths of its record, with pauses put in', () => {
    const layout = layOut([
      { ...customer, turn: 0, utterance: 0, text: 'Hello.', audio: clip(1000) },
      { type: 'tool_call', turn: 1, callId: 'c', name: 'look', arguments: {}, reasoning: null },
      { type: 'tool_result', turn: 1, callId: 'c', ok: false, content: 'Error' },
      // Ten letters of 65 ms.
      { type: 'agent', turn: 2, text: 'One moment', reasoning: null },
      { ...customer, turn: 2, utterance: 1, text: 'Yes.', audio: clip(500) },
      { type: 'agent', turn: 3, text: 'Bye', reasoning: null, audio: clip(400, 24_000) },
    ]);
    expect(layout.clock).toBe('laid-out');
    expect(layout.utterances.map(({ side, startMs, endMs }) => [side, startMs, endMs])).toEqual([
      ['customer', 0, 1000],
      ['agent', 1400, 2050],
      ['customer', 2250, 2750],
      ['agent', 2950, 3350],
    ]);
    expect(layout.tools).toEqual([{ turn: 1, name: 'look', ok: false, startMs: 1000, endMs: 1200 }]);
    expect(layout.durationMs).toBe(3350);
  });

  it('cuts an utterance where it was no longer sent, and marks where it was no longer heard', () => {
    const effects = {
      ...{ format: 1, sampleRateHz: 16_000, cleanSamples: 32_000 },
      entries: [{ kind: 'packet-loss', startSample: 8000, endSample: 32_000, parameters: {} }],
    } as const;
    const {
      utterances,
      interrupts,
      effects: placed,
    } = layOut([
      {
        ...customer,
        turn: 0,
        utterance: 0,
        text: 'A long story.',
        audio: clip(2000),
        effects,
      },
      {
        type: 'interrupted',
        turn: 0,
        utterance: 0,
        samplesSent: 12_000,
        samplesHeard: 8000,
        sampleRateHz: 8000,
      },
      { type: 'agent', turn: 1, text: 'Wait', reasoning: null },
    ]);
    expect(utterances[0]).toMatchObject({ startMs: 0, endMs: 1500, cut: true });
    expect(utterances[1]?.startMs).toBe(1700);
    expect(interrupts).toEqual([{ by: 'agent', turn: 0, atMs: 1000, heardMs: 1000 }]);
    expect(placed).toEqual([{ turn: 0, kind: 'packet-loss', startMs: 500, endMs: 1500 }]);
  });
});

describe('a call with turn-taking', () => {
  it('has each thing where the record says that it was, to the sample', () => {
    const layout = layOut([
      {
        ...{ ...customer, turn: 0, utterance: 0, text: 'Hello.', audio: clip(1000) },
        call: { startSample: 0, samples: 8000, cause: 'answer' },
      },
      {
        ...{ type: 'agent', turn: 1, text: 'Let me tell you', reasoning: null, audio: clip(4000, 24_000) },
        call: { startSample: 8001, samples: 32_000, talks: [], timing: 'voice' },
      },
      {
        ...{ type: 'aside', turn: 1, utterance: 1, kind: 'backchannel', text: 'Mm-hmm.', spoken: 'Mm-hmm.' },
        ...{ audio: clip(600), startSample: 16_000, samples: 2400 },
        words: [
          ['Mm', 1600, 3200],
          ['hmm', 4000, 6400],
          ['never', 8000, 9600],
        ],
      },
      {
        ...{ type: 'customer_interrupted', turn: 1, cause: 'interruption', atSample: 20_000 },
        ...{
          agentStopSample: 24_001,
          heardSamples: 16_000,
          answeredText: 'Let',
          heardText: 'Let me',
          words: 'share',
        },
      },
      {
        ...{ ...customer, turn: 1, utterance: 2, text: 'No, stop.', audio: clip(2000) },
        call: { startSample: 20_000, samples: 16_000, cause: 'interruption' },
      },
      {
        ...{
          type: 'customer_yielded',
          turn: 1,
          utterance: 2,
          because: 'interrupting',
          agentStartSample: 8001,
        },
        ...{ samplesSaid: 8000, samplesSent: 16_000, saidText: 'No,' },
      },
    ]);
    expect(layout.clock).toBe('call');
    expect(layout.utterances.map(({ text, startMs, endMs, cut }) => [text, startMs, endMs, cut])).toEqual([
      ['Hello.', 0, 1000, false],
      ['Let me tell you', 1000.125, 3000.125, true],
      ['Mm-hmm.', 2000, 2300, true],
      ['No, stop.', 2500, 3500, true],
    ]);
    // At 16 kHz, from 2000 ms on; it was cut off after 300.
    const [, , murmur] = layout.utterances;
    expect(murmur?.words).toEqual([
      { word: 'Mm', startMs: 2100, endMs: 2200 },
      { word: 'hmm', startMs: 2250, endMs: 2300 },
    ]);
    expect(layout.utterances[0]).not.toHaveProperty('words');
    expect(layout.interrupts).toEqual([{ by: 'customer', turn: 1, atMs: 2500, heardMs: 2000 }]);
    expect(layout.durationMs).toBe(3500);
  });
});
