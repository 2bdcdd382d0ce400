import type { EpisodeRecord, RecordEvent } from '../../episodes/index.js';

/** Somebody is heard, in milliseconds of the call. */
export interface CallSegment {
  readonly side: 'customer' | 'agent';
  /** `answer`, `interruption` and `check_in` of the customer's lines; `backchannel` beside them; `talk` of the agent. */
  readonly kind: 'answer' | 'interruption' | 'check_in' | 'backchannel' | 'talk';
  readonly turn: number;
  readonly startMs: number;
  readonly endMs: number;
  /** Somebody stopped before the end. */
  readonly cut: boolean;
}

/** Who is heard when, in order of time; null for episodes without turn-taking. */
export function readTimeline({ header, events }: EpisodeRecord): readonly CallSegment[] | null {
  const rateHz = header.wire?.sampleRateHz;
  if (header.turnTaking === undefined || rateHz === undefined) return null;
  const ms = (samples: number): number => (samples * 1_000) / rateHz;
  const yielded = new Map<number, number>();
  const stopped = new Map<number, number>();
  for (const event of events) {
    if (event.type === 'customer_yielded') yielded.set(event.utterance, event.samplesSaid);
    if (event.type === 'customer_interrupted') stopped.set(event.turn, event.agentStopSample);
  }
  const segments = events.flatMap((event) => [
    ...customerSegment(event, yielded, ms),
    ...agentSegments(event, stopped, ms),
  ]);
  return segments.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

function customerSegment(
  event: RecordEvent,
  yielded: ReadonlyMap<number, number>,
  ms: (samples: number) => number,
): CallSegment[] {
  if (event.type !== 'aside' && event.type !== 'customer') return [];
  const place = event.type === 'aside' ? { ...event, cause: event.kind } : event.call;
  if (place === undefined) return [];
  const { startSample, samples, cause: kind } = place;
  const said = Math.min(samples, yielded.get(event.utterance) ?? samples);
  return [
    {
      ...{ side: 'customer', kind, turn: event.turn, cut: yielded.has(event.utterance) },
      ...{ startMs: ms(startSample), endMs: ms(startSample + said) },
    },
  ];
}

function agentSegments(
  event: RecordEvent,
  stopped: ReadonlyMap<number, number>,
  ms: (samples: number) => number,
): CallSegment[] {
  if (event.type !== 'agent' || event.call === undefined) return [];
  const { startSample, talks } = event.call;
  const stop = stopped.get(event.turn) ?? Number.POSITIVE_INFINITY;
  return talks.flatMap((talk): CallSegment[] => {
    const start = startSample + talk.startSample;
    const end = startSample + talk.endSample;
    if (start >= stop) return [];
    return [
      {
        ...{ side: 'agent', kind: 'talk', turn: event.turn, cut: end > stop },
        ...{ startMs: ms(start), endMs: ms(Math.min(end, stop)) },
      },
    ];
  });
}
