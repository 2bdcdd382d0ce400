import type { EpisodeRecord } from '../../episodes/index.js';
import { type CallSegment, readTimeline } from './call-timeline.js';

/**
 * How two people took turns in one call: diagnostics, no part of any reward. The measures are those of tau-voice: response
 * latency, yield latency and the share of interruptions that were yielded to within two seconds.
 */
export interface CallFacts {
  readonly callMs: number;
  /** From the customer's last sound to the agent's first, for each message that waited for it. */
  readonly responseMs: readonly number[];
  /** How long the agent was heard after the customer broke in, for each time. */
  readonly yieldMs: readonly number[];
  readonly customerInterruptions: number;
  /** Messages that began while the customer spoke a line. */
  readonly agentInterruptions: number;
  /** Utterances of the customer's that were talked down. */
  readonly customerYields: number;
  readonly backchannels: number;
  readonly checkIns: number;
  /** Both heard at once, backchannels aside. */
  readonly talkOverMs: number;
  /** Nobody heard, longest. */
  readonly longestSilenceMs: number;
}

const YIELDED_WITHIN_MS = 2_000;

/** Means over the calls of one mode; a measure of which there is nothing is null. */
export interface CallSummary {
  readonly calls: number;
  readonly callSeconds: number;
  readonly responseMs: number | null;
  readonly responses: number;
  readonly yieldMs: number | null;
  /** Share of the customer's interruptions to which the agent fell silent within two seconds. */
  readonly yielded: number | null;
  readonly perCall: Readonly<Record<CountName, number>>;
}

const COUNT_NAMES = [
  ...(['customerInterruptions', 'agentInterruptions', 'customerYields'] as const),
  ...(['backchannels', 'checkIns', 'talkOverMs'] as const),
] as const;
type CountName = (typeof COUNT_NAMES)[number];

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Null when no call had turn-taking. */
export function summariseCalls(facts: readonly (CallFacts | null)[]): CallSummary | null {
  const calls = facts.filter((call) => call !== null);
  if (calls.length === 0) return null;
  const responses = calls.flatMap(({ responseMs }) => responseMs);
  const yields = calls.flatMap(({ yieldMs }) => yieldMs);
  const perCall = COUNT_NAMES.map((name) => [name, meanOf(calls.map((call) => call[name])) ?? 0] as const);
  return {
    calls: calls.length,
    callSeconds: (meanOf(calls.map(({ callMs }) => callMs)) ?? 0) / 1_000,
    ...{ responseMs: meanOf(responses), responses: responses.length, yieldMs: meanOf(yields) },
    yielded: meanOf(yields.map((ms) => (ms <= YIELDED_WITHIN_MS ? 1 : 0))),
    perCall: Object.fromEntries(perCall) as Record<CountName, number>,
  };
}

/** Null for episodes without turn-taking. */
export function readCallFacts(record: EpisodeRecord): CallFacts | null {
  const timeline = readTimeline(record);
  if (timeline === null) return null;
  const rateHz = record.header.wire?.sampleRateHz ?? 1;
  const lines = timeline.filter(({ side, kind }) => side === 'customer' && kind !== 'backchannel');
  const talk = timeline.filter(({ side }) => side === 'agent');
  const count = (type: string): number => record.events.filter((event) => event.type === type).length;
  const starts = firstOfEachTurn(talk);
  return {
    callMs: timeline.reduce((end, segment) => Math.max(end, segment.endMs), 0),
    responseMs: starts.flatMap((start) => responseTo(start, lines)),
    yieldMs: record.events.flatMap((event) =>
      event.type === 'customer_interrupted'
        ? [((event.agentStopSample - event.atSample) * 1_000) / rateHz]
        : [],
    ),
    customerInterruptions: count('customer_interrupted'),
    agentInterruptions: starts.filter(({ startMs }) =>
      lines.some((line) => line.startMs < startMs && startMs < line.endMs),
    ).length,
    customerYields: count('customer_yielded'),
    backchannels: timeline.filter(({ kind }) => kind === 'backchannel').length,
    checkIns: timeline.filter(({ kind }) => kind === 'check_in').length,
    talkOverMs: lines.reduce((sum, line) => sum + overlapMs(line, talk), 0),
    longestSilenceMs: longestGap(timeline),
  };
}

function firstOfEachTurn(talk: readonly CallSegment[]): CallSegment[] {
  const first = new Map<number, CallSegment>();
  for (const segment of talk) if (!first.has(segment.turn)) first.set(segment.turn, segment);
  return [...first.values()];
}

/** Nothing for a message that did not wait for the end. */
function responseTo(start: CallSegment, lines: readonly CallSegment[]): number[] {
  const before = lines.filter((line) => line.startMs < start.startMs).at(-1);
  return before === undefined || before.endMs > start.startMs ? [] : [start.startMs - before.endMs];
}

function overlapMs(line: CallSegment, talk: readonly CallSegment[]): number {
  return talk.reduce(
    (sum, { startMs, endMs }) =>
      sum + Math.max(0, Math.min(endMs, line.endMs) - Math.max(startMs, line.startMs)),
    0,
  );
}

function longestGap(timeline: readonly CallSegment[]): number {
  let end = 0;
  let longest = 0;
  for (const segment of timeline) {
    longest = Math.max(longest, segment.startMs - end);
    end = Math.max(end, segment.endMs);
  }
  return longest;
}
