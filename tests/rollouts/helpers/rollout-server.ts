import { onTestFinished } from 'vitest';
import { createRolloutPlayer } from '../../../src/cli/serving/rollouts/play-rollout.js';
import { createTurnRewards } from '../../../src/cli/serving/turn-rewards.js';
import { createMemoryRecords } from '../../../src/episodes/index.js';
import { builtInDomain } from '../../../src/retail/index.js';
import {
  createCallbackHosts,
  createRewardCourier,
  createRolloutDesk,
  openJournal,
  openNoJournal,
  type PlayRollout,
  type RolloutDesk,
  type RolloutView,
} from '../../../src/rollouts/index.js';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/index.js';
import { systemClock } from '../../../src/shared/index.js';
import { createScriptedCustomers } from '../../../src/user/index.js';

export const domain = builtInDomain();

export interface RolloutServerOptions {
  readonly sandbox?: Partial<SandboxOptions>;
  readonly journal?: string;
  readonly maxRunning?: number;
  readonly maxQueued?: number;
  readonly maxKept?: number;
  readonly allow?: readonly string[];
  readonly attempts?: number;
  readonly play?: PlayRollout;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into field by field
  readonly body: any;
}

export interface RolloutServer {
  readonly sandbox: Sandbox;
  readonly desk: RolloutDesk;
  readonly records: ReturnType<typeof createMemoryRecords>;
  readonly faults: string[];
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  post(body: unknown): Promise<Answer>;
  /** The view when it is over. */
  over(id: string): Promise<RolloutView>;
}

/** A sandbox that drives rollouts, on a free port, with retries that do not wait. */
export async function rolloutServer(options: RolloutServerOptions = {}): Promise<RolloutServer> {
  const records = createMemoryRecords();
  const hosts = createCallbackHosts(options.allow ?? []);
  const faults: string[] = [];
  let started: Sandbox | null = null;
  const play = createRolloutPlayer({
    sandbox: () => {
      if (started === null) throw new RangeError('not started');
      return started;
    },
    ...{ clock: systemClock, rateTurns: createTurnRewards(domain.policy), speakerFor: () => undefined },
  });
  const desk = createRolloutDesk({
    play: options.play ?? play,
    journal: options.journal === undefined ? openNoJournal() : openJournal(options.journal),
    courier: createRewardCourier({
      ...{ hosts, clock: systemClock },
      rules: { attempts: options.attempts ?? 3, firstDelayMs: 1, maxDelayMs: 5 },
    }),
    ...{ clock: systemClock, createId: () => crypto.randomUUID(), onFault: (text) => faults.push(text) },
    ...{ maxRunning: options.maxRunning ?? 8, maxQueued: options.maxQueued ?? 64, maxKept: options.maxKept },
  });
  const sandbox = await startSandbox({
    ...{ domain, speaker: null, customers: createScriptedCustomers(), outcomeRule: 'tau2' },
    ...{ openRecord: records.open, clock: systemClock, log: ({ message }) => void faults.push(message) },
    rollouts: {
      ...{ desk, hosts },
      refuseConditions: (name) => (name === 'regular' ? null : `no conditions ${name}`),
    },
    ...options.sandbox,
  });
  started = sandbox;
  onTestFinished(() => sandbox.close());
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`http://127.0.0.1:${sandbox.port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    ...{ sandbox, desk, records, faults, ask },
    post: (body) => ask('POST', '/v1/rollouts', body),
    over: async (id) => {
      for (;;) {
        const { body } = await ask('GET', `/v1/rollouts/${id}?wait=60`);
        if (body.state !== 'queued' && body.state !== 'running') return body as RolloutView;
      }
    },
  };
}
