import { describe, expect, it } from 'vitest';
import type { EpisodeRecord, RecordEvent } from '../../../src/episodes/index.js';
import { readCallFacts, summariseCalls } from '../../../src/evaluation/metrics/call-facts.js';
import { readTimeline } from '../../../src/evaluation/metrics/call-timeline.js';
import { makeRecord } from '../helpers/records.js';

/** 1000 samples a second: a sample is a millisecond. */
function call(events: readonly RecordEvent[]): EpisodeRecord {
  const record = makeRecord({ task: 't', mode: 'speech', events });
  const wire = {
    encoding: 'pcm16',
    sampleRateHz: 1_000,
    transport: 'binary',
    frameMs: 100,
    pacing: 'fast',
  } as const;
  return { ...record, header: { ...record.header, turnTaking: 'lively', wire } };
}

const customer = (
  utterance: number,
  startSample: number,
  samples: number,
  cause: 'answer' | 'interruption',
) =>
  ({
    ...{ type: 'customer', turn: utterance, utterance, text: 'x', spoken: 'x', audio: null, end: null },
    call: { startSample, samples, cause },
  }) satisfies RecordEvent;
const agent = (turn: number, startSample: number, samples: number) =>
  ({
    ...{ type: 'agent', turn, text: 'x', reasoning: null },
    call: { startSample, samples, talks: [{ startSample: 0, endSample: samples }], timing: 'voice' },
  }) satisfies RecordEvent;

/** The customer opens (0-2 s); the agent answers after 0.5 s and would talk for 6 s; broken into at 6.5 s it stops at 7.5 s; then it breaks in itself. */
const EVENTS: readonly RecordEvent[] = [
  customer(0, 0, 2_000, 'answer'),
  agent(1, 2_500, 6_000),
  {
    ...{ type: 'aside', turn: 1, utterance: 9, kind: 'backchannel', text: 'Uh-huh.', spoken: 'uh huh' },
    audio: { sha256: 'a'.repeat(64), sampleRateHz: 1_000, samples: 400, durationMs: 400 },
    ...{ startSample: 5_600, samples: 400 },
  },
  {
    ...{
      type: 'customer_interrupted',
      turn: 1,
      cause: 'interruption',
      atSample: 6_500,
      agentStopSample: 7_500,
    },
    ...{ heardSamples: 5_000, answeredText: 'x', heardText: 'x', words: 'share' },
  },
  customer(1, 6_500, 3_000, 'interruption'),
  agent(2, 8_000, 4_000),
  {
    ...{ type: 'customer_yielded', turn: 1, utterance: 1, because: 'interrupted', agentStartSample: 8_000 },
    ...{ samplesSaid: 2_500, samplesSent: 3_000, saidText: 'x' },
  },
];

describe('how turns were taken', () => {
  it('is measured on the call’s clock', () => {
    // Both at once: 6.5 to 7.5 s, and 8 to 9 s, where the customer stops. The murmur does not count.
    expect(readCallFacts(call(EVENTS))).toEqual({
      callMs: 12_000,
      responseMs: [500],
      yieldMs: [1_000],
      customerInterruptions: 1,
      agentInterruptions: 1,
      customerYields: 1,
      backchannels: 1,
      checkIns: 0,
      talkOverMs: 2_000,
      longestSilenceMs: 500,
    });
  });

  it('is drawn as it was heard: what was cut ends where it was cut', () => {
    const segments = readTimeline(call(EVENTS)) ?? [];
    expect(segments.map(({ side, startMs, endMs, cut }) => [side, startMs, endMs, cut])).toEqual([
      ['customer', 0, 2_000, false],
      ['agent', 2_500, 7_500, true],
      ['customer', 5_600, 6_000, false],
      ['customer', 6_500, 9_000, true],
      ['agent', 8_000, 12_000, false],
    ]);
  });

  it('is nothing where there was no clock, and counts agents that yield within two seconds', () => {
    expect(readCallFacts(makeRecord({ task: 't', mode: 'speech' }))).toBeNull();
    expect(summariseCalls([null])).toBeNull();
    const facts = readCallFacts(call(EVENTS));
    const slow = facts === null ? null : { ...facts, yieldMs: [4_000] };
    expect(summariseCalls([facts, slow, null])).toMatchObject({ calls: 2, yielded: 0.5, yieldMs: 2_500 });
  });
});
