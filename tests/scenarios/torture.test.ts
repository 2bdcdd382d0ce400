import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { connectInMemory } from '../../src/retail/index.js';
import type { ConnectTools } from '../../src/sandbox/index.js';
import { createManualClock, createRandom, deriveSeed } from '../../src/shared/index.js';
import { type TestSandbox, testSandbox } from '../sandbox/helpers/sandbox.js';
import { smallDomain } from '../sandbox/helpers/small-domain.js';
import { type Audit, auditedRecords, snapshotVerdict } from './torture/audited-records.js';
import { BEHAVIOURS, type Behaviour } from './torture/behaviours.js';
import { HostileClient } from './torture/hostile-client.js';

const EPISODES = 200;
const WARM_UP_EPISODES = 60;
const SEED = 4;

interface Scene {
  readonly tested: TestSandbox;
  readonly audit: Audit;
  readonly clock: ReturnType<typeof createManualClock>;
}

interface Played {
  readonly name: string;
  readonly client: HostileClient;
}

/** What the sandbox believes to have at the moment. */
async function countsOf(url: string): Promise<{ connections: number; episodes: number }> {
  const response = await fetch(`http://${new URL(url).host}/health`, { headers: { connection: 'close' } });
  return (await response.json()) as { connections: number; episodes: number };
}

/** Sessions that are kept for a client, with a connection or without. */
async function sessionsOf(url: string): Promise<string | undefined> {
  const response = await fetch(`http://${new URL(url).host}/metrics`, { headers: { connection: 'close' } });
  return /^parlor_sessions (\d+)$/m.exec(await response.text())?.[1];
}

function behaviourOf(name: string): Behaviour {
  const behaviour = BEHAVIOURS[name];
  if (behaviour === undefined) throw new RangeError(name);
  return behaviour;
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Most turns of the event loop that a call takes: enough for the sandbox to notice meanwhile that its client is gone. */
const SLOWEST_CALL_TURNS = 40;

/** The MCP server behind a line that takes its time, so that results also come when nobody is there to be told. */
function slowTools(domain: ReturnType<typeof smallDomain>): ConnectTools {
  const rng = createRandom(deriveSeed(SEED, 'tools'));
  return async (session) => {
    const tools = await connectInMemory({ session, domain });
    return {
      ...tools,
      call: async (name, args) => {
        for (let turns = rng.int(0, SLOWEST_CALL_TURNS); turns > 0; turns -= 1) await nextTick();
        return tools.call(name, args);
      },
    };
  };
}

/** Plays `count` episodes at once and lets every one of them come to its end. Returns what went wrong. */
async function torture({ tested, audit, clock }: Scene, from: number, count: number): Promise<string[]> {
  const { sandbox, summaries } = tested;
  const names = Object.keys(BEHAVIOURS);
  const already = summaries.length;
  const open = async (index: number): Promise<Played> => {
    const name = names[index % names.length] ?? '';
    const { mode, window } = behaviourOf(name);
    const client = await HostileClient.connect(sandbox.url);
    client.acknowledges = window !== undefined;
    client.send({
      ...{ type: 'episode.start', task: 'cancel-lamp', mode, seed: index, trial: from + index },
      ...(window === undefined ? {} : { window }),
    });
    await client.next('customer.end');
    return { name, client };
  };
  const played = await Promise.all(Array.from({ length: count }, (_, index) => open(index)));
  expect(await countsOf(sandbox.url)).toMatchObject({ episodes: count, connections: count });
  await Promise.all(
    played.map(({ name, client }, index) =>
      behaviourOf(name).play(client, createRandom(deriveSeed(SEED, from + index))),
    ),
  );

  // Time stands still until the sandbox knows who is gone; then it passes for those who sleep.
  const alive = () => played.filter(({ client }) => client.socket.readyState === client.socket.OPEN).length;
  while ((await countsOf(sandbox.url)).connections > alive()) await nextTick();
  clock.advance(30_000);
  clock.advance(90_000);
  while (summaries.length < already + count) await nextTick();
  for (const { client } of played) client.drop();
  while ((await countsOf(sandbox.url)).connections > 0) await nextTick();
  clock.advance(30_000);
  expect(await sessionsOf(sandbox.url)).toBe('0');
  return played.flatMap((one) => faultsOf(one, { tested, audit, clock }));
}

function faultsOf({ name, client }: Played, { tested, audit }: Scene): string[] {
  const episode = client.ready?.episode ?? '';
  const faults = client.faults.map((fault) => `${name}: ${fault}`);
  const reason = tested.summaries.find((summary) => summary.episode === episode)?.reason;
  if (reason !== BEHAVIOURS[name]?.ends) faults.push(`${name}: ended as ${reason}`);
  if (client.end !== null && client.end.reason !== reason)
    faults.push(`${name}: was told ${client.end.reason}`);
  const recorded = audit.take(episode);
  if (recorded === undefined) return [...faults, `${name}: has no record`];
  for (const [callId, { content, status }] of client.results)
    if (recorded.get(callId) !== (status === 'cancelled' ? 'cancelled' : content))
      faults.push(`${name}: ${callId} was acknowledged and is not recorded so`);
  // Who stayed to the end has heard of every call.
  if (client.end !== null && recorded.size !== client.results.size)
    faults.push(`${name}: ${recorded.size} calls recorded, ${client.results.size} acknowledged`);
  return faults;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes that are in use once everything has settled. */
async function settledBytes(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    await nextTick();
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it('200 episodes at once with clients that drop, garble, repeat, stall, interrupt and flood: each ends for its reason, its database is what was acknowledged, and nothing stays in memory', async () => {
  const clock = createManualClock();
  const domain = smallDomain();
  const audit = auditedRecords(domain);
  const tested = await testSandbox({
    ...{ domain, clock, openRecord: audit.open, verify: snapshotVerdict, limits: { maxTurns: 40 } },
    connectTools: slowTools(domain),
    ...{ http: { heartbeatMs: 0 }, websocket: { graceMs: 30_000 } },
  });
  const scene = { tested, audit, clock };
  expect(await torture(scene, 0, WARM_UP_EPISODES)).toEqual([]);
  const before = await settledBytes();
  expect(await torture(scene, WARM_UP_EPISODES, EPISODES)).toEqual([]);
  const after = await settledBytes();
  expect(audit.faults).toEqual([]);
  expect(tested.logged).toEqual([]);
  expect(tested.summaries).toHaveLength(WARM_UP_EPISODES + EPISODES);
  expect(after / before).toBeLessThan(1.1);
}, 120_000);
