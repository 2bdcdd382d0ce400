import { describe, expect, it } from 'vitest';
import { createMemoryRecords } from '../../../src/episodes/index.js';
import { verify } from '../../../src/retail/index.js';
import { createEpisodeFactory, type EpisodeStart } from '../../../src/sandbox/episode-factory.js';
import type { OutgoingEvent } from '../../../src/sandbox/session/state.js';
import { createManualClock } from '../../../src/shared/index.js';
import { directTools, echoCustomers } from '../helpers/fakes.js';
import { smallDomain } from '../helpers/small-domain.js';

/** An episode without any socket, its customer having spoken. */
async function openEpisode() {
  const clock = createManualClock();
  const records = createMemoryRecords();
  const domain = smallDomain();
  const sent: OutgoingEvent[] = [];
  const factory = createEpisodeFactory(
    {
      ...{ domain, speaker: null, customers: echoCustomers, outcomeRule: 'tau2', clock },
      openRecord: records.open,
    },
    { connectTools: directTools, verify: (input) => verify(input, domain), measure: () => undefined },
  );
  const start: EpisodeStart = {
    ...{ type: 'episode.start', task: 'cancel-lamp', mode: 'text', seed: 1, trial: 0, agent: 'a' },
    pacing: 'fast',
  };
  const transport = {
    send: (event: OutgoingEvent) => void sent.push(event),
    sendAudio: async () => ({ samples: 0, sampleRateHz: 16_000 }),
  };
  const runner = await factory.open(start, transport, () => undefined);
  return { clock, records, sent, runner };
}

const add = (callId: string, expression: string) => ({
  ...{ callId, name: 'calculate', arguments: { expression } },
});
const message = { type: 'message', text: 'Hi', speech: null, reasoning: null } as const;

describe('a call from beside the transport [P-TOOL-8]', () => {
  it('waits for the turn, is a turn like others and is not told on the wire', async () => {
    const { runner, sent, records } = await openEpisode();
    const early = [runner.callTool(add('a', '1+1')), runner.callTool(add('b', '2+2'))];
    runner.dispatch({ type: 'begin' });
    expect(await Promise.all(early)).toEqual([
      { status: 'result', ok: true, content: '2' },
      { status: 'result', ok: true, content: '4' },
    ]);
    expect(await runner.callTool(add('a', '1+1'))).toMatchObject({ content: '2' });
    expect(await runner.callTool(add('a', '9+9'))).toMatchObject({ status: 'error', ok: false });
    expect(sent.map(({ type }) => type)).not.toContain('tool.result');
    // The fence of the WebSocket still names the turn that it was told of.
    expect(runner.dispatch({ ...message, turn: 0 })).toBe(true);
    const turns = [...records.episodes.values()][0]?.flatMap((event) =>
      event.type === 'tool_call' || event.type === 'agent' ? [event.turn] : [],
    );
    expect(turns).toEqual([1, 2, 3]);
  });

  it('is cancelled when the turn does not come, or the episode is over', async () => {
    const { runner, clock } = await openEpisode();
    const never = runner.callTool(add('a', '1+1'));
    clock.advance(120_000);
    expect(await never).toMatchObject({ status: 'cancelled', ok: false });
    const waiting = runner.callTool(add('b', '1+1'));
    runner.dispatch({ type: 'shutdown' });
    await runner.finished;
    expect(await waiting).toMatchObject({ status: 'cancelled' });
    expect(await runner.callTool(add('c', '1+1'))).toMatchObject({ status: 'cancelled' });
  });
});
