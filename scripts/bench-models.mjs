// Episodes in flight against a model server in its own process: node scripts/bench-models.mjs [episodes] [places] [first token ms].
// Prints one JSON line per size: what sandbox, agents and customers take of processor and memory. Needs a build.
import { fork, spawnSync } from 'node:child_process';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createChatAgent } from '../dist/agents/index.js';
import { openNoRecord } from '../dist/episodes/index.js';
import { createOpenAiChat, createProviderGates } from '../dist/models/index.js';
import { builtInDomain } from '../dist/retail/index.js';
import { startSandbox } from '../dist/sandbox/index.js';
import { createRandom, systemClock } from '../dist/shared/index.js';
import { createScriptedCustomers } from '../dist/user/index.js';

const root = join(import.meta.dirname, '..');
const [inFlight = 128, places = 128, firstTokenMs = 40] = process.argv.slice(2).map(Number);
const ROUNDS = [1, 3];

// The strict server is a test helper in TypeScript; compiled beside the packages that it imports.
const out = join(root, 'node_modules/.cache/parlor-bench-models');
if (!existsSync(join(out, 'tests/helpers/strict-chat-process.js')) || process.env.FRESH !== undefined) {
  rmSync(out, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', join(root, 'tsconfig.test.json'), '--noEmit', 'false', '--outDir', out];
  const compiled = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (compiled.status !== 0) process.exit(1);
  rmSync(join(out, 'src'), { recursive: true });
  symlinkSync(join(root, 'dist'), join(out, 'src'));
}

const child = fork(join(out, 'tests/helpers/strict-chat-process.js'), {
  env: { ...process.env, FIRST_TOKEN_MS: String(firstTokenMs) },
  execArgv: [],
});
const told = () => new Promise((resolve) => child.once('message', resolve));
const { baseUrl } = await told();
const counts = () => {
  const answer = told();
  child.send('counts');
  return answer;
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const memoryMb = () => {
  for (let round = 0; round < 3; round += 1) collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMb: Math.round((heapUsed + external) / 2 ** 20), rssMb: Math.round(rss / 2 ** 20) };
};

const domain = builtInDomain();
const tasks = domain.tasks.filter(({ splits }) => splits.includes('test'));
let passed = 0;
const sandbox = await startSandbox({
  ...{ domain, speaker: null, customers: createScriptedCustomers(), outcomeRule: 'tau2' },
  ...{ openRecord: openNoRecord, clock: systemClock, ownAgents: true },
  http: { maxConnections: inFlight + 10, maxConnectionsPerAddress: inFlight + 10 },
  onEpisodeEnd: ({ outcome }) => {
    passed += outcome?.success === true ? 1 : 0;
  },
});
const chat = createOpenAiChat({
  ...{ baseUrl, model: 'Qwen/Qwen2.5-Omni-7B', server: 'vllm', clock: systemClock, random: createRandom(1) },
  gate: createProviderGates(places)(baseUrl),
});
const agent = createChatAgent({ chat });
let next = 0;

/** `episodes` in all, never more than `inFlight` at once. */
async function play(episodes) {
  const last = next + episodes;
  const walls = [];
  const worker = async () => {
    while (next < last) {
      const index = next++;
      const startMs = performance.now();
      await agent.run(
        {
          ...{ url: sandbox.url, task: tasks[index % tasks.length].id, mode: 'text', seed: index },
          trial: Math.floor(index / tasks.length),
        },
        new AbortController().signal,
      );
      walls.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return walls;
}

await play(Math.min(16, inFlight)); // compiles the code
for (const rounds of ROUNDS) {
  const before = await counts();
  const passedBefore = passed;
  const cpu = process.cpuUsage();
  const elu = performance.eventLoopUtilization();
  const startMs = performance.now();
  const walls = await play(inFlight * rounds);
  const wallMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  const cpuMs = (user + system) / 1000;
  const loop = performance.eventLoopUtilization(elu).utilization;
  const after = await counts();
  const requests = after.requests - before.requests;
  const episodeMs = walls.reduce((sum, wall) => sum + wall, 0);
  console.log(
    JSON.stringify({
      ...{ episodes: walls.length, passed: passed - passedBefore, inFlight, places, firstTokenMs, requests },
      ...{ wallMs: Math.round(wallMs), cpuMsPerRequest: +(cpuMs / requests).toFixed(2) },
      // Of all the time that episodes were under way, the part in which this process worked on one of them.
      ...{ shareOfEpisodeTime: +(cpuMs / episodeMs).toFixed(4), loop: +loop.toFixed(3) },
      ...{ modelMsPerEpisode: Math.round((requests * firstTokenMs) / walls.length) },
      ...{ episodeMs: Math.round(episodeMs / walls.length), connections: after.connections },
      ...{ mostAtOnce: after.mostAtOnce, refusals: after.refusals, ...memoryMb() },
    }),
  );
}
child.kill();
await sandbox.close();
