import { describe, expect, it } from 'vitest';
import { createMemoryRecords, type RecordEvent } from '../../../src/episodes/index.js';
import { verify } from '../../../src/retail/index.js';
import { createEpisodeFactory, type EpisodeStart } from '../../../src/sandbox/episode-factory.js';
import type { LiveJudge } from '../../../src/sandbox/index.js';
import type { OutgoingEvent } from '../../../src/sandbox/session/state.js';
import { greetingOf } from '../../../src/sandbox/websocket/greeting.js';
import { createManualClock } from '../../../src/shared/index.js';
import { directTools, echoCustomers } from '../helpers/fakes.js';
import { testSandbox } from '../helpers/sandbox.js';
import { smallDomain } from '../helpers/small-domain.js';
import { call as envCall, envClient, reset, say } from '../openenv/helpers/env-client.js';

const message = { type: 'message', text: 'Hi', speech: null, reasoning: null } as const;
const add = (callId: string, expression = '1+1') => ({
  ...{ callId, name: 'calculate', arguments: { expression } },
});
const calls = (...asked: ReturnType<typeof add>[]) =>
  ({ type: 'calls', calls: asked, batched: asked.length > 1, wire: true }) as const;

/** A judge that says what the list says, one after the other, then nothing; it remembers what it was shown. */
function judgeOf(...objections: (string | null)[]): LiveJudge & { readonly shown: string[] } {
  const shown: string[] = [];
  return {
    name: 'fake-1',
    shown,
    review: (past, proposed) => {
      shown.push(`${past.map(({ type }) => type).join(' ')} | ${JSON.stringify(proposed)}`);
      return objections.shift() ?? null;
    },
  };
}

async function openEpisode(liveJudge: LiveJudge) {
  const clock = createManualClock();
  const records = createMemoryRecords();
  const domain = smallDomain();
  const sent: OutgoingEvent[] = [];
  let wake = (): void => undefined;
  const factory = createEpisodeFactory(
    {
      ...{ domain, speaker: null, customers: echoCustomers, outcomeRule: 'tau2', clock, liveJudge },
      openRecord: records.open,
    },
    { connectTools: directTools, verify: (input) => verify(input, domain), measure: () => undefined },
  );
  const start: EpisodeStart = {
    ...{ type: 'episode.start', task: 'cancel-lamp', mode: 'text', seed: 1, trial: 0, agent: 'a' },
    pacing: 'fast',
  };
  const transport = {
    send: (event: OutgoingEvent) => {
      sent.push(event);
      wake();
    },
    sendAudio: async () => ({ samples: 0, sampleRateHz: 16_000 }),
  };
  const runner = await factory.open(start, transport, () => undefined);
  /** Waits for the next event of a kind. */
  const next = async <T extends OutgoingEvent['type']>(type: T) => {
    for (;;) {
      const at = sent.findIndex((event) => event.type === type);
      if (at >= 0) return sent.splice(0, at + 1).at(-1) as Extract<OutgoingEvent, { type: T }>;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const ready = await next('episode.ready');
  runner.dispatch({ type: 'begin' });
  await next('customer.end');
  return {
    ...{ clock, runner, next, ready, sent },
    events: (): readonly RecordEvent[] => [...records.episodes.values()][0] ?? [],
  };
}

const typesIn = (events: readonly RecordEvent[]): string[] => events.map(({ type }) => type);

describe('a live judge', () => {
  it('is named to the client and in the record, or neither knows the word [P-LIVE-1]', async () => {
    const { ready, events } = await openEpisode(judgeOf());
    expect(ready.liveJudge).toBe('fake-1');
    expect(events()[0]).toMatchObject({ type: 'episode', liveJudge: 'fake-1' });
    const options = {
      ...{ domain: smallDomain(), speaker: null, customers: echoCustomers, outcomeRule: 'tau2' as const },
      ...{ openRecord: createMemoryRecords().open, clock: createManualClock() },
    };
    expect(greetingOf({ ...options, liveJudge: judgeOf() }).capabilities).toContain('live_judge');
    expect(greetingOf(options).capabilities).not.toContain('live_judge');
  });

  it('sees what happened and what is proposed, and what it lets pass goes on as ever', async () => {
    const judge = judgeOf();
    const { runner, next } = await openEpisode(judge);
    runner.dispatch(message);
    await next('customer.end');
    runner.dispatch(calls(add('a')));
    await next('tool.result');
    expect(judge.shown).toEqual([
      'episode customer | {"type":"message","text":"Hi"}',
      'episode customer agent customer | {"type":"call","name":"calculate","arguments":{"expression":"1+1"}}',
    ]);
  });

  it('breaks in at most twice a turn, at no cost; then the agent has its way [P-LIVE-2]', async () => {
    const judge = judgeOf('no', 'no', 'no');
    const { runner, next, events } = await openEpisode(judge);
    for (const count of [1, 2]) {
      expect(runner.dispatch({ ...message, turn: 0 })).toBe(true);
      expect(await next('intervention')).toEqual({
        ...{ type: 'intervention', turn: 1, count, message: 'no', callIds: [] },
      });
    }
    runner.dispatch({ ...message, turn: 0 });
    expect(await next('customer.end')).toMatchObject({ turn: 1 });
    expect(judge.shown).toHaveLength(2);
    expect(typesIn(events())).toEqual([
      'episode',
      'customer',
      'intervention',
      'intervention',
      'agent',
      'customer',
    ]);
    // The next turn has interventions of its own.
    runner.dispatch(message);
    expect(await next('intervention')).toMatchObject({ turn: 2, count: 1 });
  });

  it('gives calls back: the one in question and those behind it, with their ids [P-LIVE-3]', async () => {
    const { runner, next, events } = await openEpisode(judgeOf(null, 'no'));
    runner.dispatch(calls(add('a'), add('b'), add('c')));
    expect(await next('tool.result')).toMatchObject({ callId: 'a', ok: true });
    expect(await next('intervention')).toMatchObject({ turn: 2, count: 1, callIds: ['b', 'c'] });
    expect(events().at(-1)).toMatchObject({
      ...{ type: 'intervention', text: null, behind: ['c'] },
      call: { callId: 'b', name: 'calculate' },
    });
    runner.dispatch(calls(add('b', '3+3')));
    expect(await next('tool.result')).toMatchObject({ callId: 'b', turn: 2, content: '6' });
    expect(typesIn(events())).not.toContain('agent_error');
  });

  it('answers a call from beside the transport there, and says nothing on the wire', async () => {
    const { runner, sent } = await openEpisode(judgeOf('no'));
    const answer = await runner.callTool(add('a'));
    expect(answer).toEqual({
      ...{ status: 'cancelled', ok: false, content: 'Error: not done, a judge broke in: no' },
    });
    expect(sent.map(({ type }) => type)).not.toContain('intervention');
    expect(await runner.callTool(add('a'))).toMatchObject({ content: '2' });
  });

  it('that fails, or is too slow, has nothing to say [P-LIVE-4]', async () => {
    const broken: LiveJudge = {
      name: 'broken',
      review: () => {
        throw new Error('no idea');
      },
    };
    const first = await openEpisode(broken);
    first.runner.dispatch(message);
    await first.next('customer.end');
    let answer: (objection: string) => void = () => undefined;
    const slow: LiveJudge = {
      name: 'slow',
      review: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    };
    const second = await openEpisode(slow);
    second.runner.dispatch(message);
    expect(second.runner.dispatch(message)).toBe(false);
    second.clock.advance(120_000);
    await second.next('customer.end');
    answer('too late');
    second.runner.dispatch({ type: 'disconnected' });
    await second.next('episode.end');
    expect(typesIn(second.events())).not.toContain('intervention');
    expect(typesIn(second.events()).filter((type) => type === 'agent')).toHaveLength(1);
  });

  it('whose agent goes meanwhile leaves the action undone', async () => {
    const { runner, next, events } = await openEpisode({
      ...{ name: 'slow', review: () => new Promise<null>(() => undefined) },
    });
    runner.dispatch(calls(add('a')));
    runner.dispatch({ type: 'disconnected' });
    await next('episode.end');
    expect(typesIn(events())).toEqual(['episode', 'customer', 'tool_cancelled', 'end', 'outcome']);
  });

  it('reaches OpenEnv trainers as an error of the step', async () => {
    const { sandbox } = await testSandbox({ liveJudge: judgeOf('no', 'no') });
    const client = await envClient(sandbox);
    await client.ask(reset());
    for (const action of [say('Hello?'), envCall('calculate', { expression: '1+1' })]) {
      const { data } = await client.ask(action);
      expect(data).toMatchObject({ done: false, reward: 0 });
      expect(data.observation).toMatchObject({
        ...{ result: null, error: { message: 'not done, a judge broke in: no' } },
      });
    }
    const { data } = await client.ask(say('Hello?'));
    expect(data.observation.result.data).toBe('You said: Hello?');
  });
});
