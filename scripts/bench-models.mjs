// Episodes in flight against a model server in its own process: node scripts/bench-models.mjs [in flight] [rounds] [ms per token …].
// For each pace of the server one row: how long the episodes took, how long they would have taken had all but the server cost
// nothing, and how long a bare loop of the `openai` package takes to send the same bodies. docs/performance.md explains. Needs a build.
import { fork, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import OpenAI from 'openai';
import { createChatAgent } from '../dist/agents/index.js';
import { openNoRecord } from '../dist/episodes/index.js';
import { createOpenAiChat, createProviderGates } from '../dist/models/index.js';
import { requestText } from '../dist/models/openai/request-text.js';
import { builtInDomain } from '../dist/retail/index.js';
import { startSandbox } from '../dist/sandbox/index.js';
import { createRandom, systemClock } from '../dist/shared/index.js';
import { createScriptedCustomers } from '../dist/user/index.js';

const root = join(import.meta.dirname, '..');
const [inFlight = 128, rounds = 3, ...paces] = process.argv.slice(2).map(Number);
const FIRST_TOKEN_MS = 40;
const MS_PER_TOKEN = paces.length > 0 ? paces : [20, 5, 0];
const MODEL = { model: 'Qwen/Qwen2.5-Omni-7B', server: 'vllm' };

// The strict server is a test helper in TypeScript; compiled beside the packages that it imports.
const out = join(root, 'node_modules/.cache/parlor-bench-models');
const compiledAtMs = existsSync(out) ? statSync(out).mtimeMs : 0;
const helpers = join(root, 'tests/helpers');
if (readdirSync(helpers).some((name) => statSync(join(helpers, name)).mtimeMs > compiledAtMs)) {
  rmSync(out, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['-p', join(root, 'tsconfig.test.json'), '--noEmit', 'false', '--outDir', out];
  const compiled = spawnSync(process.execPath, [tsc, ...options], { stdio: 'inherit' });
  if (compiled.status !== 0) process.exit(1);
  rmSync(join(out, 'src'), { recursive: true });
  symlinkSync(join(root, 'dist'), join(out, 'src'));
}
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
function memoryMb() {
  for (let round = 0; round < 3; round += 1) collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMb: Math.round((heapUsed + external) / 2 ** 20), rssMb: Math.round(rss / 2 ** 20) };
}

/** Jobs in order, never more than `inFlight` at once. */
async function eachInFlight(jobs, work) {
  let next = 0;
  const worker = async () => {
    while (next < jobs.length) await work(jobs[next++]);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

/** How long the jobs take when each lasts so long and nothing else takes any time. */
function idealWallMs(durations) {
  const free = Array.from({ length: inFlight }, () => 0);
  for (const ms of durations) {
    const first = free.indexOf(Math.min(...free));
    free[first] += ms;
  }
  return Math.max(...free);
}

async function timed(work) {
  const cpu = process.cpuUsage();
  const elu = performance.eventLoopUtilization();
  const startMs = performance.now();
  await work();
  const wallMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  const loop = performance.eventLoopUtilization(elu).utilization;
  return { wallMs, cpuMs: (user + system) / 1000, loop };
}

const percent = (share) => `${(share * 100).toFixed(1)} %`;

async function measure(msPerToken) {
  const child = fork(join(out, 'tests/helpers/strict-chat-process.js'), {
    env: { ...process.env, FIRST_TOKEN_MS: String(FIRST_TOKEN_MS), TOKEN_MS: String(msPerToken) },
    execArgv: [],
  });
  const told = () => new Promise((resolve) => child.once('message', resolve));
  const { baseUrl } = await told();
  const counts = () => {
    const answer = told();
    child.send('counts');
    return answer;
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
    ...{ ...MODEL, baseUrl, clock: systemClock, random: createRandom(1) },
    gate: createProviderGates(inFlight)(baseUrl),
  });
  const asked = new Map();
  const agent = createChatAgent({
    chat: {
      ...chat,
      complete: (request, signal) => {
        const before = asked.get(request.scope);
        if (before === undefined) asked.set(request.scope, [request]);
        else before.push(request);
        return chat.complete(request, signal);
      },
    },
  });
  const play = (index) =>
    agent.run(
      {
        ...{ url: sandbox.url, task: tasks[index % tasks.length].id, mode: 'text', seed: index },
        trial: Math.floor(index / tasks.length),
      },
      new AbortController().signal,
    );
  const range = (from, count) => Array.from({ length: count }, (_, place) => from + place);

  const warmUp = Math.min(32, inFlight);
  await eachInFlight(range(0, warmUp), play); // compiles the code
  asked.clear();
  const passedBefore = passed;
  const before = await counts();
  const ours = await timed(() => eachInFlight(range(warmUp, inFlight * rounds), play));
  const after = await counts();
  const memory = memoryMb();
  const requests = after.requests - before.requests;
  const episodes = inFlight * rounds;

  const bareClient = new OpenAI({ baseURL: baseUrl, apiKey: 'none', logLevel: 'off', maxRetries: 4 });
  const scopes = [...asked.entries()];
  const bodies = scopes.map(([scope, requestsOf]) => ({
    headers: { 'x-session-id': encodeURIComponent(scope) },
    bodies: requestsOf.map((request) => JSON.parse(requestText(request, { ...MODEL, baseUrl }))),
  }));
  const sendBare = async ({ headers, bodies }) => {
    for (const body of bodies) await bareClient.chat.completions.create(body, { headers });
  };
  await eachInFlight(bodies.slice(0, warmUp), sendBare);
  await counts();
  const bare = await timed(() => eachInFlight(bodies, sendBare));
  const bareAfter = await counts();
  child.kill();
  await sandbox.close();

  const pacesOf = new Map(after.paces);
  const idealMs = idealWallMs(scopes.map(([scope]) => pacesOf.get(encodeURIComponent(scope)) ?? 0));
  const replyMs = after.paces.reduce((sum, [, ms]) => sum + ms, 0) / requests;
  const each = (ms) => +(ms / requests).toFixed(2);
  return {
    ...{ inFlight, firstTokenMs: FIRST_TOKEN_MS, msPerToken, replyMs: Math.round(replyMs) },
    ...{ episodes, passed: passed - passedBefore, requests, refusals: after.refusals },
    ...{ wallMs: Math.round(ours.wallMs), idealMs: Math.round(idealMs), bareMs: Math.round(bare.wallMs) },
    ...{ lostToAll: percent(1 - idealMs / ours.wallMs), lostToBare: percent(1 - idealMs / bare.wallMs) },
    // What everything here but the sending of bodies adds to the time.
    ownShare: percent((ours.wallMs - bare.wallMs) / ours.wallMs),
    ...{ cpuMsEach: each(ours.cpuMs), bareCpuMsEach: each(bare.cpuMs) },
    serverCpuMsEach: each(bareAfter.cpuMs - after.cpuMs),
    ...{ loop: percent(ours.loop), connections: after.connections, mostAtOnce: after.mostAtOnce, ...memory },
  };
}

for (const msPerToken of MS_PER_TOKEN) console.log(JSON.stringify(await measure(msPerToken)));
