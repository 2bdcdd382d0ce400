import { parentPort } from 'node:worker_threads';
import pLimit from 'p-limit';
import { WebSocket } from 'ws';
import { AUDIO_HEADER_BYTES, DEFAULT_AUDIO } from '../../../protocol/index.js';
import { describeError } from '../../../shared/index.js';
import type {
  BenchAnswer,
  BenchJob,
  CallJob,
  CallResult,
  HoldJob,
  ListenJob,
  ListenResult,
  Received,
} from './jobs.js';

/** The clients of the bench, in a thread of their own. They do with a frame what any client must: read its header. */

const OPENING_AT_ONCE = 50;
const STARTING_AT_ONCE = 4;
let held: WebSocket[] = [];

function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
}

const start = (task: string, parts: object): string =>
  JSON.stringify({ type: 'episode.start', task, seed: 1, agent: 'bench', ...parts });

/** One connection's frames: when each came, and how many samples. */
interface Heard {
  readonly atMs: number[];
  startMs: number;
  samples: number;
  bytes: number;
  announced: number;
  cpuAtFirst: NodeJS.CpuUsage | undefined;
}

const nothingHeard = (): Heard => ({
  ...{ atMs: [], startMs: 0, samples: 0, bytes: 0, announced: 0, cpuAtFirst: undefined },
});

/** What is done with a binary frame, whoever sent it. */
function take(heard: Heard, data: Buffer, nowMs: number): void {
  heard.cpuAtFirst ??= process.cpuUsage();
  heard.atMs.push(nowMs);
  heard.bytes += data.length;
  heard.samples += (data.length - AUDIO_HEADER_BYTES) / 2;
}

function received(all: readonly Heard[]): Received {
  const first = (one: Heard): number => one.atMs[0] ?? Number.POSITIVE_INFINITY;
  const last = (one: Heard): number => one.atMs.at(-1) ?? 0;
  const cpu = process.cpuUsage(
    all.reduce((found, one) => (first(one) < first(found) ? one : found)).cpuAtFirst,
  );
  return {
    bytes: all.reduce((total, one) => total + one.bytes, 0),
    spanMs: Math.max(...all.map(last)) - Math.min(...all.map(first)),
    cpuMs: (cpu.user + cpu.system) / 1_000,
  };
}

function hear(socket: WebSocket, message: string): { begun: Promise<void>; done: Promise<Heard> } {
  const heard = nothingHeard();
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const done = new Promise<Heard>((resolve, reject) => {
    socket.on('close', (code) => reject(new Error(`the sandbox closed a connection of the bench (${code})`)));
    socket.on('message', (data: Buffer, isBinary) => {
      const nowMs = performance.now();
      if (isBinary) {
        take(heard, data, nowMs);
        return;
      }
      const event = JSON.parse(data.toString());
      if (event.type === 'customer.start') {
        heard.startMs = nowMs;
        begin();
      }
      if (event.type === 'error') reject(new Error(event.message));
      if (event.type !== 'customer.end') return;
      heard.announced = event.samples;
      socket.removeAllListeners('close');
      socket.close();
      resolve(heard);
    });
    socket.send(message);
  });
  return { begun: Promise.race([begun, done.then(() => undefined)]), done };
}

/**
 * Frame k of a session is due k frames after the sound began. The beginning is when `customer.start` came or, where that was
 * late itself, what the session's earliest frame says it was.
 */
function latenessOf({ atMs, startMs }: Heard, fromMs: number, toMs: number): number[] {
  const { frameMs } = DEFAULT_AUDIO;
  const beganMs = atMs.reduce((least, at, place) => Math.min(least, at - place * frameMs), startMs);
  return atMs.flatMap((at, place) => {
    const dueMs = beganMs + place * frameMs;
    return dueMs >= fromMs && dueMs <= toMs ? [at - dueMs] : [];
  });
}

async function listen({ url, task, sessions, pacing }: ListenJob): Promise<ListenResult> {
  const limit = pLimit(OPENING_AT_ONCE);
  const opened = await Promise.all(Array.from({ length: sessions }, () => limit(() => open(url))));
  // A few episodes are set up at a time, as if their agents came one after the other.
  const setUp = pLimit(STARTING_AT_ONCE);
  const heard = await Promise.all(
    opened.map(async (socket) => {
      const session = await setUp(async () => {
        const hearing = hear(socket, start(task, { mode: 'speech', pacing }));
        await hearing.begun;
        return { done: hearing.done };
      });
      return await session.done;
    }),
  );
  const first = (one: Heard): number => one.atMs[0] ?? Number.POSITIVE_INFINITY;
  const last = (one: Heard): number => one.atMs.at(-1) ?? 0;
  const fromMs = Math.max(...heard.map(first));
  const toMs = Math.min(...heard.map(last));
  const sum = (pick: (one: Heard) => number): number => heard.reduce((total, one) => total + pick(one), 0);
  return {
    frames: sum((one) => one.atMs.length),
    missingSamples: sum((one) => one.announced - one.samples),
    ...received(heard),
    togetherMs: toMs - fromMs,
    latenessMs: Float64Array.from(heard.flatMap((one) => latenessOf(one, fromMs, toMs))).sort(),
  };
}

function drain(url: string): Promise<Received> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const heard = nothingHeard();
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => take(heard, data, performance.now()));
    socket.on('close', () => resolve(received([heard])));
  });
}

async function hold({ url, task, sessions }: HoldJob): Promise<null> {
  const limit = pLimit(OPENING_AT_ONCE);
  held = await Promise.all(Array.from({ length: sessions }, () => limit(() => open(url))));
  const until = (socket: WebSocket, type: string): Promise<void> =>
    new Promise((resolve, reject) => {
      socket.on('close', () => reject(new Error('the sandbox closed a connection of the bench')));
      socket.on('message', (data: Buffer) => {
        if (JSON.parse(data.toString()).type === type) resolve();
      });
    });
  if (task !== null)
    await Promise.all(
      held.map((socket) => {
        const opened = until(socket, 'customer.end');
        socket.send(start(task, { mode: 'text' }));
        return opened;
      }),
    );
  return null;
}

async function release(): Promise<null> {
  await Promise.all(
    held.splice(0).map((socket) => {
      socket.removeAllListeners('close');
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.close();
      return closed;
    }),
  );
  return null;
}

async function call({ url, task, calls }: CallJob): Promise<CallResult> {
  const socket = await open(url);
  let wake: (type: string) => void = () => undefined;
  socket.on('message', (data: Buffer) => wake(JSON.parse(data.toString()).type));
  const until = (wanted: string): Promise<void> =>
    new Promise((resolve, reject) => {
      wake = (type) => {
        if (type === wanted) resolve();
        else if (type === 'error' || type === 'episode.end') reject(new Error(`got ${type}`));
      };
    });
  const opened = until('customer.end');
  socket.send(start(task, { mode: 'text' }));
  await opened;
  const latenciesMs: number[] = [];
  for (const [place, one] of calls.entries()) {
    const message = JSON.stringify({ type: 'tool.call', callId: `call-${place}`, ...one });
    const answered = until('tool.result');
    const sentMs = performance.now();
    socket.send(message);
    await answered;
    latenciesMs.push(performance.now() - sentMs);
  }
  socket.close();
  return { latenciesMs: Float64Array.from(latenciesMs).sort() };
}

function work(job: BenchJob): Promise<ListenResult | Received | CallResult | null> {
  switch (job.kind) {
    case 'listen':
      return listen(job);
    case 'drain':
      return drain(job.url);
    case 'hold':
      return hold(job);
    case 'call':
      return call(job);
    case 'release':
      return release();
  }
}

parentPort?.on('message', (job: BenchJob) => {
  const answer = (message: BenchAnswer): void => parentPort?.postMessage(message);
  work(job).then(
    (result) => answer({ ok: true, result }),
    (error: unknown) => answer({ ok: false, message: describeError(error) }),
  );
});
