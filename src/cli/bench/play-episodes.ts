import pLimit from 'p-limit';
import type { Agent } from '../../agents/index.js';
import { createMemoryRecords, type MemoryRecords } from '../../episodes/index.js';
import { connectInMemory, type RetailDomain } from '../../retail/index.js';
import { startSandbox } from '../../sandbox/index.js';
import { type Clock, deriveSeed } from '../../shared/index.js';
import type { CustomerFactory } from '../../user/index.js';

export interface EpisodePlayer {
  /** Plays `count` episodes at once, as many as `concurrency` allows. Numbers decide task, trial and seed. */
  play(from: number, count: number): Promise<void>;
  readonly records: MemoryRecords;
  passed(): number;
}

export interface EpisodePlayerOptions {
  readonly domain: RetailDomain;
  readonly agent: Agent;
  readonly customers: CustomerFactory;
  readonly concurrency: number;
  /** Episodes in a row that play the same task. */
  readonly trials: number;
  readonly clock: Clock;
}

/** Text-mode episodes over a real socket, records in memory, for as long as `use` lasts. */
export async function withEpisodePlayer<T>(
  options: EpisodePlayerOptions,
  use: (player: EpisodePlayer) => Promise<T>,
): Promise<T> {
  const { domain, agent, customers, concurrency, trials, clock } = options;
  const records = createMemoryRecords();
  let passed = 0;
  const sandbox = await startSandbox({
    domain,
    speaker: null,
    customers,
    outcomeRule: domain.source === 'tau1' ? 'tau' : 'tau2',
    openRecord: records.open,
    clock,
    connectTools: (session) => connectInMemory({ session, domain }),
    onEpisodeEnd: ({ outcome }) => {
      if (outcome?.success === true) passed += 1;
    },
  });
  try {
    const limit = pLimit(concurrency);
    const playOne = (index: number) =>
      limit(async () => {
        const task = domain.tasks[Math.floor(index / trials) % domain.tasks.length];
        if (task === undefined) throw new RangeError('the bench needs a domain with tasks');
        await agent.run(
          { url: sandbox.url, task: task.id, mode: 'text', seed: deriveSeed('bench', index), trial: index },
          new AbortController().signal,
        );
      });
    return await use({
      records,
      passed: () => passed,
      play: async (from, count) => {
        await Promise.all(Array.from({ length: count }, (_, index) => playOne(from + index)));
      },
    });
  } finally {
    await sandbox.close();
  }
}
