import fc from 'fast-check';
import { expect, it } from 'vitest';
import { delayOf } from '../../../src/agents/client/reconnection.js';
import { type EpisodeClient, MessageRefusedError, startEpisode } from '../../../src/agents/index.js';
import { createManualClock } from '../../../src/shared/index.js';
import { eventsOf, testSandbox } from '../../sandbox/helpers/sandbox.js';
import { type Cut, cuttingProxy } from './helpers/cutting-proxy.js';

const AT_ONCE = { attempts: 50, firstDelayMs: 0, maxDelayMs: 0 };
const CANCEL = {
  name: 'cancel_pending_order',
  arguments: { order_id: '#W0000001', reason: 'no longer needed' },
};
const SUM = { name: 'calculate', arguments: { expression: '1 + 2' } };

const actions = fc.array(
  fc.constantFrom('say', 'voice', 'voice without words', 'call', 'calls', 'refused', 'interrupt'),
  { maxLength: 7 },
);
const play = fc.record({
  actions,
  mode: fc.constantFrom('text' as const, 'speech' as const),
  audio: fc.constantFrom(
    {},
    { encoding: 'mulaw' as const, sampleRateHz: 8_000, frameMs: 20 },
    { sampleRateHz: 24_000, transport: 'base64' as const },
  ),
  window: fc.constantFrom(undefined, 4_096),
  ending: fc.constantFrom('bye', 'stop'),
});
const cuts = fc.array(
  fc.record({
    direction: fc.constantFrom('up' as const, 'down' as const),
    // The first bytes are the opening handshake.
    bytes: fc.oneof(fc.integer({ min: 300, max: 3_000 }), fc.integer({ min: 300, max: 60_000 })),
  }),
  { maxLength: 8 },
);

async function act(episode: EpisodeClient, action: string): Promise<unknown> {
  const voice = { samples: Int16Array.from({ length: 20_000 }, (_, at) => at), sampleRateHz: 16_000 };
  switch (action) {
    case 'say':
      return await episode.say('Good day.', { reasoning: 'manners' });
    case 'voice':
      return await episode.say({ text: 'Good day.', voice });
    case 'voice without words':
      return await episode.say({ voice: { ...voice, transcript: 'Good day.' } });
    case 'call':
      return await episode.call(CANCEL.name, CANCEL.arguments);
    case 'calls':
      return await episode.callAll([SUM, CANCEL, SUM], { reasoning: 'all at once' });
    case 'refused':
      return await episode.say('').catch((error: unknown) => {
        if (error instanceof MessageRefusedError) return error.wireCode;
        throw error;
      });
    case 'interrupt':
      // After the utterance, whose length is known: what is recorded does not depend on when it arrives.
      return episode.interrupt(5);
    case 'bye':
      return await episode.say('Good bye');
    default:
      return await episode.stop();
  }
}

/** Everything that the agent saw and everything that was recorded. */
async function playOver(
  cutsOf: readonly Cut[],
  { actions: script, ending, mode, audio, window }: typeof play extends fc.Arbitrary<infer T> ? T : never,
) {
  const { sandbox, records } = await testSandbox({
    websocket: { graceMs: 600_000 },
    limits: { maxErrors: 5 },
  });
  const proxy = await cuttingProxy(sandbox.url, cutsOf);
  const assignment = { url: proxy.url, task: 'cancel-lamp', mode, seed: 7, trial: 0 };
  const episode = await startEpisode(assignment, { agent: 'a', audio, window, reconnect: AT_ONCE });
  const saw: unknown[] = [episode.opening];
  for (const action of [...script, ending]) saw.push(await act(episode, action));
  saw.push(await episode.stop());
  episode.close();
  await sandbox.close();
  // Numbers of events tell of refusals that nobody needs to hear.
  const withoutSeq = JSON.parse(JSON.stringify(saw, (key, value) => (key === 'seq' ? undefined : value)));
  return {
    saw: withoutSeq,
    record: eventsOf(records, `cancel-lamp.${mode}.t0.s7`),
    made: proxy.connections(),
  };
}

it('an episode over a line that is cut at any byte is the same as over a good one [P-RESUME-1] [P-MSG-1]', async () => {
  let lines = 0;
  await fc.assert(
    fc.asyncProperty(play, cuts, async (script, places) => {
      const good = await playOver([], script);
      const bad = await playOver(places, script);
      expect(good.made).toBe(1);
      lines += bad.made - 1;
      expect(bad.saw).toEqual(good.saw);
      expect(bad.record).toEqual(good.record);
    }),
    { numRuns: 25 },
  );
  // Some drawn cuts lie behind what a short episode sends; with no line cut at all the test would show nothing.
  expect(lines).toBeGreaterThan(20);
}, 120_000);

it('a session that is not there any more is told as a lost connection, and attempts are bounded', async () => {
  const clock = createManualClock();
  const changes: string[] = [];
  const { sandbox } = await testSandbox({ websocket: { graceMs: 1_000 } });
  const proxy = await cuttingProxy(sandbox.url, [{ direction: 'up', bytes: 500 }]);
  const assignment = { url: proxy.url, task: 'cancel-lamp', mode: 'text' as const, seed: 1, trial: 0 };
  let lost = (): void => undefined;
  const isLost = new Promise<void>((resolve) => {
    lost = resolve;
  });
  const episode = await startEpisode(assignment, {
    ...{ agent: 'a', clock, reconnect: { attempts: 3, firstDelayMs: 2_000, maxDelayMs: 9_000 } },
    onConnection: (change) => {
      changes.push(change);
      lost();
    },
  });
  const answer = episode.say('x'.repeat(500));
  await isLost;
  // The first attempt would come after the session's time of grace.
  await expect(answer).rejects.toMatchObject({ code: 'connection-lost' });
  await expect(episode.say('again')).rejects.toMatchObject({ code: 'connection-lost' });
  expect(changes).toEqual(['lost']);
  episode.close();
});

it('chance takes a part of the pause before a line is taken up again, no more than it may', async () => {
  expect(delayOf({ attempts: 9, firstDelayMs: 100, maxDelayMs: 500 }, 1, 1)).toBe(200);
  expect(delayOf({ attempts: 9, firstDelayMs: 100, maxDelayMs: 500, jitter: 0.5 }, 4, 0)).toBe(500);
  expect(delayOf({ attempts: 9, firstDelayMs: 100, maxDelayMs: 500, jitter: 0.5 }, 4, 1)).toBe(250);
  const clock = createManualClock();
  const { sandbox } = await testSandbox({ websocket: { graceMs: 60_000 } });
  const proxy = await cuttingProxy(sandbox.url, [{ direction: 'up', bytes: 500 }]);
  const assignment = { url: proxy.url, task: 'cancel-lamp', mode: 'text' as const, seed: 1, trial: 0 };
  let tellLost = (): void => undefined;
  const lost = new Promise<void>((resolve) => {
    tellLost = resolve;
  });
  const episode = await startEpisode(assignment, {
    ...{ agent: 'a', clock, random: { next: () => 0.8 } },
    reconnect: { attempts: 3, firstDelayMs: 1_000, maxDelayMs: 9_000, jitter: 0.5 },
    onConnection: (change) => {
      if (change === 'lost') tellLost();
    },
  });
  const answer = episode.say('x'.repeat(500));
  await lost;
  clock.advance(599);
  expect(proxy.connections()).toBe(1);
  clock.advance(1);
  expect(await answer).toMatchObject({ kind: 'customer' });
  episode.close();
});

it('a server that has forgotten the session says so, and the agent is told', async () => {
  const first = await testSandbox({ websocket: { graceMs: 60_000 } });
  const proxy = await cuttingProxy(first.sandbox.url, [{ direction: 'up', bytes: 500 }]);
  const assignment = { url: proxy.url, task: 'cancel-lamp', mode: 'text' as const, seed: 1, trial: 0 };
  const episode = await startEpisode(assignment, {
    ...{ agent: 'a', reconnect: AT_ONCE },
    onConnection: () => void first.sandbox.close(),
  });
  await expect(episode.say('x'.repeat(500))).rejects.toMatchObject({ code: 'connection-lost' });
});

it('without `reconnect` a lost connection is the end', async () => {
  const { sandbox, nextEnd } = await testSandbox({ websocket: { graceMs: 0 } });
  const proxy = await cuttingProxy(sandbox.url, [{ direction: 'up', bytes: 500 }]);
  const assignment = { url: proxy.url, task: 'cancel-lamp', mode: 'text' as const, seed: 1, trial: 0 };
  const episode = await startEpisode(assignment, { agent: 'a', reconnect: false });
  await expect(episode.say('x'.repeat(500))).rejects.toMatchObject({ code: 'connection-lost' });
  expect(await nextEnd()).toMatchObject({ reason: 'agent_disconnected', owner: 'agent' });
});
