import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openNoRecord } from '../../../episodes/index.js';
import type { RetailDomain, ToolCall } from '../../../retail/index.js';
import { type Sandbox, startSandbox } from '../../../sandbox/index.js';
import { type Clock, sha256Hex } from '../../../shared/index.js';
import { type Speaker, type Voice, wavBytes } from '../../../speech/index.js';
import type { CustomerFactory } from '../../../user/index.js';
import { measure } from '../measure.js';
import { type ClientThread, startClientThread } from './client-thread.js';
import { benchFast, type FastTiming } from './fast-bench.js';
import { benchRealtime, quantile, type RealtimeTiming } from './realtime-bench.js';

export interface SandboxTiming {
  readonly realtime: RealtimeTiming;
  readonly fast: FastTiming;
  /** Heap and buffers of the server for one session more, bytes. */
  readonly idle: { readonly sessions: number; readonly connected: number; readonly inEpisode: number };
  readonly toolCall: {
    readonly calls: number;
    readonly directMs: number;
    readonly p50Ms: number;
    readonly p99Ms: number;
  };
}

export interface SandboxBenchOptions {
  readonly domain: RetailDomain;
  readonly clock: Clock;
  readonly sessions: number;
  /** Length of the utterance that each of them is sent in real time, and how often. */
  readonly realtimeSeconds: number;
  readonly realtimeRounds: number;
  /** Sound that is sent as quickly as it is read, and how often that is measured. */
  readonly fastSeconds: number;
  readonly fastRounds: number;
  readonly toolCalls: number;
}

const SAMPLE_RATE_HZ = 16_000;

/** Says one clip for everything, made once: synthesis is not what is measured here. */
function oneClipSpeaker(seconds: number): Speaker {
  const samples = new Int16Array(seconds * SAMPLE_RATE_HZ);
  for (let at = 0; at < samples.length; at += 1) samples[at] = ((at * 2_654_435_761) >>> 16) & 0x3fff;
  const clip = { samples, sampleRateHz: SAMPLE_RATE_HZ };
  const sha256 = sha256Hex(wavBytes(clip));
  const voice: Voice = {
    ...{ id: 'bench', engine: 'bench', engineVoice: 'bench', description: '', licence: 'none' },
    ...{ durationStretch: 1, pitchMeanHz: null },
  };
  return {
    voices: [voice],
    identify: async () => 'bench',
    chooseVoice: () => voice,
    speak: async (written) => ({
      ...{ written, spoken: written, clip, sha256, durationMs: seconds * 1_000, voiceId: voice.id },
    }),
    close: async () => undefined,
  };
}

const quietCustomers: CustomerFactory = {
  name: 'bench/1',
  create: () => ({
    name: 'bench/1',
    open: async () => ({ text: 'Hello.' }),
    reply: async () => ({ text: 'Go on.' }),
  }),
};

interface Parts {
  readonly options: SandboxBenchOptions;
  readonly clients: ClientThread;
  readonly task: string;
}

async function withSandbox<T>(
  { options, speechSeconds }: { options: SandboxBenchOptions; speechSeconds: number },
  use: (sandbox: Sandbox) => Promise<T>,
): Promise<T> {
  const { domain, clock, sessions } = options;
  const most = sessions + 10;
  const sandbox = await startSandbox({
    ...{ domain, clock, customers: quietCustomers, outcomeRule: 'tau2', openRecord: openNoRecord },
    speaker: oneClipSpeaker(speechSeconds),
    limits: { maxTurns: options.toolCalls + 10, agentTimeoutMs: 600_000 },
    http: { maxConnections: most, maxConnectionsPerAddress: most },
    websocket: { graceMs: 0, handshakeTimeoutMs: 600_000 },
  });
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** Bytes in use by this thread, which is the server's alone. */
function settledBytes(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  for (let round = 0; round < 3; round += 1) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function benchIdle({ options, clients, task }: Parts): Promise<SandboxTiming['idle']> {
  const { sessions } = options;
  return await withSandbox({ options, speechSeconds: 1 }, async ({ url }) => {
    const holding = async (held: string | null): Promise<number> => {
      // One session before, so that what is loaded once is not counted.
      await clients.run({ kind: 'hold', url, task: held, sessions: 1 });
      await clients.run({ kind: 'release' });
      const before = settledBytes();
      await clients.run({ kind: 'hold', url, task: held, sessions });
      const after = settledBytes();
      await clients.run({ kind: 'release' });
      return (after - before) / sessions;
    };
    return { sessions, connected: await holding(null), inEpisode: await holding(task) };
  });
}

async function benchCalls({ options, clients, task }: Parts): Promise<SandboxTiming['toolCall']> {
  const { domain, clock, toolCalls } = options;
  const call: ToolCall = {
    name: 'get_user_details',
    arguments: { user_id: [...domain.world.users.keys()][0] ?? '' },
  };
  const session = domain.openSession();
  const direct = measure('direct call', () => void session.call(call.name, call.arguments), { clock });
  return await withSandbox({ options, speechSeconds: 1 }, async ({ url }) => {
    const calls = Array.from({ length: toolCalls }, () => call);
    const { latenciesMs } = await clients.run({ kind: 'call', url, task, calls });
    return {
      ...{ calls: toolCalls, directMs: direct.microseconds / 1_000 },
      ...{ p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99) },
    };
  });
}

/** The sandbox under load, its clients included: everything in one process, the clients in a thread of their own. */
export async function benchSandbox(options: SandboxBenchOptions): Promise<SandboxTiming> {
  const task = options.domain.tasks[0]?.id;
  if (task === undefined) throw new RangeError('the bench needs a domain with tasks');
  const clients = startClientThread();
  try {
    const parts = { options, clients, task };
    const { sessions, clock, realtimeSeconds, realtimeRounds } = options;
    const realtime = await withSandbox({ options, speechSeconds: realtimeSeconds }, ({ url }) =>
      benchRealtime({
        ...{ clients, clock, url, task, sessions },
        ...{ seconds: realtimeSeconds, rounds: realtimeRounds },
      }),
    );
    const toolCall = await benchCalls(parts);
    const { fastSeconds: seconds, fastRounds: rounds } = options;
    const fast = await withSandbox({ options, speechSeconds: seconds }, ({ url }) =>
      benchFast({ clients, url, task, seconds, rounds }),
    );
    const idle = await benchIdle(parts);
    return { realtime, fast, idle, toolCall };
  } finally {
    await clients.close();
  }
}
