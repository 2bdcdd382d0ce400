import { expect, it } from 'vitest';
import { createManualClock } from '../../../src/shared/index.js';
import { rawEpisode } from '../helpers/raw-client.js';
import { eventsOf, testSandbox } from '../helpers/sandbox.js';

/** An episode on a clock that starts here and moves by known steps. */
async function playOn(startMs: number) {
  const clock = createManualClock(startMs);
  const { sandbox, records, nextEnd } = await testSandbox({ clock, createToken: () => 'secret' });
  const client = await rawEpisode(sandbox.url, { mode: 'speech' });
  clock.advance(1_500);
  client.send({ type: 'tool.call', callId: 'a', name: 'calculate', arguments: { expression: '1 + 2' } });
  await client.next('tool.result');
  clock.advance(250);
  client.send({ type: 'agent.stop' });
  await client.next('episode.end');
  const { timing } = await nextEnd();
  return {
    wire: client.frames.map((data) => data.toString('latin1').replaceAll(`:${sandbox.port}/`, ':port/')),
    timing,
    record: eventsOf(records, timing.episode),
  };
}

it('there is one clock, and only differences of it are told: its origin shows nowhere (case 33)', async () => {
  const fromZero = await playOn(0);
  expect(fromZero.timing).toMatchObject({ durationMs: 1_750, agentMs: 1_750, toolMs: 0 });
  // As a wall clock counts, which taken for a monotonic one makes latencies of decades.
  expect(await playOn(1_800_000_000_000)).toEqual(fromZero);
});
