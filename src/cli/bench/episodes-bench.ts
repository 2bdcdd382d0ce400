import pLimit from 'p-limit';
import type { Agent } from '../../agents/index.js';
import { createMemoryRecords } from '../../episodes/index.js';
import type { RetailDomain } from '../../retail/index.js';
import { connectInMemory } from '../../retail/index.js';
import { startSandbox } from '../../sandbox/index.js';
import { type Clock, deriveSeed } from '../../shared/index.js';
import type { CustomerFactory } from '../../user/index.js';

export interface EpisodesTiming {
  readonly episodes: number;
  readonly perSecond: number;
  readonly toolCalls: number;
  readonly passed: number;
}

export interface EpisodesBenchOptions {
  readonly domain: RetailDomain;
  readonly agent: Agent;
  readonly customers: CustomerFactory;
  readonly episodes: number;
  readonly concurrency: number;
  readonly clock: Clock;
}

/** Whole text-mode episodes, end to end: WebSocket, customer, MCP server and client, verifier, record in memory. */
export async function benchEpisodes(options: EpisodesBenchOptions): Promise<EpisodesTiming> {
  const { domain, agent, customers, episodes, concurrency, clock } = options;
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
    const play = (index: number) =>
      limit(async () => {
        const task = domain.tasks[index % domain.tasks.length];
        if (task === undefined) throw new RangeError('the bench needs a domain with tasks');
        await agent.run(
          { url: sandbox.url, task: task.id, mode: 'text', seed: deriveSeed('bench', index), trial: index },
          new AbortController().signal,
        );
      });
    // The first few pay for compiling the code.
    await Promise.all(Array.from({ length: 20 }, (_, index) => play(index)));
    passed = 0;
    const startMs = clock.nowMs();
    await Promise.all(Array.from({ length: episodes }, (_, index) => play(100 + index)));
    const seconds = (clock.nowMs() - startMs) / 1000;
    const toolCalls = [...records.episodes.values()].reduce(
      (sum, events) => sum + events.filter((event) => event.type === 'tool_call').length,
      0,
    );
    return { episodes, perSecond: episodes / seconds, toolCalls, passed };
  } finally {
    await sandbox.close();
  }
}
