import { median } from '../measure.js';
import { startBareSender } from './bare-sender.js';
import type { ClientThread } from './client-thread.js';
import type { Received } from './jobs.js';

export interface FastTiming {
  readonly rounds: number;
  /** Medians over the rounds, of the sandbox and of the bare sender. */
  readonly megabytesPerSecond: number;
  readonly bareMegabytesPerSecond: number;
  /** Processor time for a megabyte, sender and receiver together. */
  readonly cpuMsPerMegabyte: number;
  readonly bareCpuMsPerMegabyte: number;
  /** Median over the rounds of the one throughput over the other. */
  readonly ratio: number;
}

/** 100 ms of PCM16 at 16 kHz and its header. */
const FRAME_BYTES = 3_216;
const FRAMES_PER_SECOND = 10;

/**
 * How quickly one session is sent a long utterance, against a bare `ws` server. The same for both: number and size of the
 * frames, one connection without compression, the sender in this thread and the receiver in the clients', what the receiver
 * does with a frame, and the span, from the first frame's coming to the last one's. The bare sender has it easier in one way:
 * it sends one buffer again and again, where the sandbox cuts and numbers each frame. Rounds alternate, so that whatever else
 * the machine does meets both; a round before the first pays for compiling.
 */
export async function benchFast(options: {
  readonly clients: ClientThread;
  /** Of a sandbox whose customer's opening lasts this long. */
  readonly url: string;
  readonly task: string;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<FastTiming> {
  const { clients, url, task, seconds, rounds } = options;
  const bare = await startBareSender(FRAME_BYTES, seconds * FRAMES_PER_SECOND);
  const own: Received[] = [];
  const theirs: Received[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const sent = await clients.run({ kind: 'drain', url: bare.url });
      const heard = await clients.run({ kind: 'listen', url, task, sessions: 1, pacing: 'fast' });
      if (sent.bytes !== heard.bytes)
        throw new RangeError(`the bench compares ${heard.bytes} bytes with ${sent.bytes}`);
      if (round === 0) continue;
      own.push(heard);
      theirs.push(sent);
    }
  } finally {
    await bare.close();
  }
  const speed = ({ bytes, spanMs }: Received): number => bytes / spanMs / 1_000;
  const cpu = ({ bytes, cpuMs }: Received): number => (cpuMs * 1e6) / bytes;
  return {
    rounds,
    megabytesPerSecond: median(own.map(speed)),
    bareMegabytesPerSecond: median(theirs.map(speed)),
    cpuMsPerMegabyte: median(own.map(cpu)),
    bareCpuMsPerMegabyte: median(theirs.map(cpu)),
    ratio: median(own.map((one, round) => speed(one) / speed(theirs[round] ?? one))),
  };
}
