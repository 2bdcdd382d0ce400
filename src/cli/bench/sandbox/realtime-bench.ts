import type { Clock } from '../../../shared/index.js';
import { startBareStreams } from './bare-streams.js';
import type { ClientThread } from './client-thread.js';
import type { ListenResult } from './jobs.js';

/** How late frames came that were due while all sessions were being sent sound. */
export interface Lateness {
  /** Frames that came, and those of them that were counted. */
  readonly frames: number;
  readonly counted: number;
  readonly togetherSeconds: number;
  /** Samples announced and never received, as frames. */
  readonly dropped: number;
  /** More than a frame's length after its time. */
  readonly late: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Processor time of server and clients over that of one core. */
  readonly cores: number;
}

export interface RealtimeTiming {
  readonly sessions: number;
  readonly rounds: number;
  readonly own: Lateness;
  readonly bare: Lateness;
}

/** 100 ms of PCM16 at 16 kHz, and with the header. */
const FRAME = { ms: 100, samples: 1_600, bytes: 3_216 } as const;

export function quantile(ascending: Float64Array, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

interface Round extends ListenResult {
  readonly spentMs: number;
  readonly tookMs: number;
}

function latenessOf(rounds: readonly Round[]): Lateness {
  const sum = (pick: (round: Round) => number): number =>
    rounds.reduce((total, round) => total + pick(round), 0);
  const latenessMs = Float64Array.from(rounds.flatMap((round) => [...round.latenessMs])).sort();
  return {
    ...{ frames: sum(({ frames }) => frames), counted: latenessMs.length },
    togetherSeconds: sum(({ togetherMs }) => togetherMs) / 1_000,
    dropped: Math.ceil(sum(({ missingSamples }) => missingSamples) / FRAME.samples),
    late: latenessMs.filter((late) => late > FRAME.ms).length,
    ...{
      p50Ms: quantile(latenessMs, 0.5),
      p99Ms: quantile(latenessMs, 0.99),
      maxMs: quantile(latenessMs, 1),
    },
    cores: sum(({ spentMs }) => spentMs) / sum(({ tookMs }) => tookMs),
  };
}

/**
 * How punctual the frames of many spoken sessions are, against a plain `ws` server with a timer for each connection that sends
 * one prepared buffer as often, to the same clients. Rounds alternate: what else the machine does meets both, and the tail is
 * mostly that.
 */
export async function benchRealtime(options: {
  readonly clients: ClientThread;
  readonly clock: Clock;
  /** Of a sandbox whose customer's opening lasts this long. */
  readonly url: string;
  readonly task: string;
  readonly sessions: number;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<RealtimeTiming> {
  const { clients, clock, url, task, sessions, seconds, rounds } = options;
  const frames = (seconds * 1_000) / FRAME.ms;
  const streams = await startBareStreams({ frameMs: FRAME.ms, frameBytes: FRAME.bytes, frames });
  const listen = async (from: string): Promise<Round> => {
    const startMs = clock.nowMs();
    const cpu = process.cpuUsage();
    const heard = await clients.run({ kind: 'listen', url: from, task, sessions, pacing: 'realtime' });
    const { user, system } = process.cpuUsage(cpu);
    return { ...heard, spentMs: (user + system) / 1_000, tookMs: clock.nowMs() - startMs };
  };
  const own: Round[] = [];
  const bare: Round[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      own.push(await listen(url));
      bare.push(await listen(streams.url));
    }
  } finally {
    await streams.close();
  }
  return { sessions, rounds, own: latenessOf(own), bare: latenessOf(bare) };
}
