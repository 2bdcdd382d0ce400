import { describe, expect, it } from 'vitest';
import { createChatAgent } from '../../src/agents/index.js';
import { createMemoryRecords } from '../../src/episodes/index.js';
import { createOpenAiChat, createProviderGates } from '../../src/models/index.js';
import { builtInDomain } from '../../src/retail/index.js';
import { startSandbox } from '../../src/sandbox/index.js';
import { createRandom, systemClock } from '../../src/shared/index.js';
import { createScriptedCustomers } from '../../src/user/index.js';
import { MODEL, taskOfSession } from '../agents/openai-compatible/play.js';
import { oracleChatPolicy } from '../helpers/oracle-chat-policy.js';
import { startStrictChatServer } from '../helpers/strict-chat-server.js';

/** 128 is the figure of docs/performance.md: PARLOR_BENCH_EPISODES=128 npx vitest run tests/scenarios/model-throughput.test.ts */
const EPISODES = Number(process.env.PARLOR_BENCH_EPISODES ?? 8);
const FIRST_TOKEN_MS = 40;
const MAX_REQUESTS = 24;

describe(`${EPISODES} episodes in flight against one server with a first token after ${FIRST_TOKEN_MS} ms`, () => {
  it('share its connections, keep to its places and all end well', { timeout: 600_000 }, async () => {
    const domain = builtInDomain();
    const tasks = domain.tasks.filter(({ splits }) => splits.includes('test'));
    const server = await startStrictChatServer({
      policy: oracleChatPolicy(domain, taskOfSession),
      firstTokenMs: FIRST_TOKEN_MS,
    });
    const records = createMemoryRecords();
    let passed = 0;
    const sandbox = await startSandbox({
      ...{ domain, speaker: null, customers: createScriptedCustomers(), outcomeRule: 'tau2' },
      ...{ openRecord: records.open, clock: systemClock, maxConnections: EPISODES + 10 },
      onEpisodeEnd: ({ outcome }) => {
        passed += outcome?.success === true ? 1 : 0;
      },
    });
    const chat = createOpenAiChat({
      ...{ baseUrl: server.baseUrl, model: MODEL, server: 'vllm' },
      ...{ clock: systemClock, random: createRandom(1) },
      gate: createProviderGates(MAX_REQUESTS)(server.baseUrl),
    });
    const agent = createChatAgent({ chat });
    try {
      const cpuBefore = process.cpuUsage();
      const startMs = performance.now();
      const reports = await Promise.all(
        Array.from({ length: EPISODES }, (_, index) =>
          agent.run(
            {
              ...{ url: sandbox.url, task: tasks[index % tasks.length]?.id ?? '', mode: 'text', seed: index },
              trial: Math.floor(index / tasks.length),
            },
            new AbortController().signal,
          ),
        ),
      );
      const wallMs = performance.now() - startMs;
      const { user, system } = process.cpuUsage(cpuBefore);
      const requests = server.seen.length;
      if (process.env.PARLOR_BENCH_EPISODES !== undefined)
        console.log(
          JSON.stringify({
            episodes: EPISODES,
            requests,
            wallMs,
            cpuMsPerRequest: (user + system) / 1000 / requests,
            heapMb: process.memoryUsage().heapUsed / 2 ** 20,
          }),
        );
      // A lost connection would show as an episode without a reason.
      expect(reports.filter(({ reason }) => reason === null)).toEqual([]);
      expect(passed).toBe(EPISODES);
      expect(server.refusals).toEqual([]);
      expect(server.mostAtOnce()).toBeLessThanOrEqual(MAX_REQUESTS);
      // A connection that is just being given back may not be there for the next request: a few more, not one per request.
      expect(server.connections()).toBeLessThanOrEqual(2 * MAX_REQUESTS);
      expect(requests).toBeGreaterThan(4 * server.connections());
    } finally {
      await sandbox.close();
      await server.close();
    }
  });
});
