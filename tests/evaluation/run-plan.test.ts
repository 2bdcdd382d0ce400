import { describe, expect, it } from 'vitest';
import type { Agent, AgentAssignment } from '../../src/agents/index.js';
import type { EpisodeRecord } from '../../src/episodes/index.js';
import { createPlan, episodeKey } from '../../src/evaluation/plan.js';
import { type RunEvent, runPlan } from '../../src/evaluation/run-plan.js';
import { makeRecord } from './helpers/records.js';

/** An agent whose episodes end as the script says; what it "played" lands in `records` as a sandbox would put it there. */
function scriptedRun(script: (assignment: AgentAssignment, attempt: number) => EpisodeRecord | null | Error) {
  const records = new Map<string, EpisodeRecord>();
  const attempts = new Map<string, number>();
  const events: RunEvent[] = [];
  let running = 0;
  let mostRunning = 0;
  const agent: Agent = {
    name: 'fake',
    async run(assignment) {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await Promise.resolve();
      running -= 1;
      const key = episodeKey(assignment);
      const attempt = (attempts.get(key) ?? 0) + 1;
      attempts.set(key, attempt);
      const result = script(assignment, attempt);
      if (result instanceof Error) throw result;
      if (result !== null) records.set(key, result);
      return { episode: result?.header.episode ?? null, reason: result?.end?.reason ?? null, faults: [] };
    },
  };
  const stop = new AbortController();
  const abort = new AbortController();
  return {
    events,
    attempts,
    stop,
    mostRunning: () => mostRunning,
    options: {
      agent,
      url: 'ws://127.0.0.1:1/v1',
      concurrency: 2,
      stop: stop.signal,
      abort: abort.signal,
      findRecord: async (plan: Parameters<typeof episodeKey>[0]) => records.get(episodeKey(plan)) ?? null,
      onEvent: (event: RunEvent) => void events.push(event),
    },
  };
}

const plan = createPlan({ tasks: ['a', 'b', 'c'], trials: 1, modes: ['text'], seed: 1 });

describe('running a plan', () => {
  it('plays every episode with its task, mode, seed and trial, no more at once than allowed', async () => {
    const run = scriptedRun((assignment) => {
      expect(assignment).toMatchObject({ mode: 'text', trial: 0, url: 'ws://127.0.0.1:1/v1' });
      return makeRecord({ task: assignment.task });
    });
    expect(await runPlan(plan, run.options)).toEqual({ finished: 3, invalid: 0, notRun: 0, gaveUp: null });
    expect(run.mostRunning()).toBe(2);
    expect(new Set(run.events.map((event) => event.plan.task))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('tries what the platform spoiled again, at most twice more, and then reports it as invalid', async () => {
    const run = scriptedRun(({ task }, attempt) =>
      task === 'a' || (task === 'b' && attempt < 3)
        ? makeRecord({ task, reason: 'platform_failed', success: false })
        : makeRecord({ task }),
    );
    expect(await runPlan(plan, run.options)).toEqual({ finished: 2, invalid: 1, notRun: 0, gaveUp: null });
    expect(Object.fromEntries(run.attempts)).toEqual({ 'text/0/a': 3, 'text/0/b': 3, 'text/0/c': 1 });
    expect(run.events.find((event) => event.kind === 'invalid')).toMatchObject({
      plan: { task: 'a' },
      reason: 'the episode ended as platform_failed',
    });
  });

  it("keeps an agent's crash as its result once the episode has begun, and harms no sibling", async () => {
    const crashed = makeRecord({ task: 'a', reason: 'agent_disconnected', success: false });
    const run = scriptedRun(({ task }) => (task === 'a' ? crashed : makeRecord({ task })));
    const { agent } = run.options;
    const crashing: Agent = {
      name: 'crashing',
      async run(assignment, signal) {
        const report = await agent.run(assignment, signal);
        if (assignment.task === 'a') throw new Error('out of memory');
        return report;
      },
    };
    const result = await runPlan(plan, { ...run.options, agent: crashing });
    expect(result).toEqual({ finished: 3, invalid: 0, notRun: 0, gaveUp: null });
    expect(run.attempts.get('text/0/a')).toBe(1);
  });

  it('reports an episode that no attempt could begin as invalid, with the reason', async () => {
    const run = scriptedRun(({ task }) =>
      task === 'b' ? new Error('connect ECONNREFUSED') : makeRecord({ task }),
    );
    expect(await runPlan(plan, run.options)).toMatchObject({ finished: 2, invalid: 1 });
    expect(run.events.find((event) => event.kind === 'invalid')).toMatchObject({
      reason: 'the agent failed: connect ECONNREFUSED',
    });
  });

  it('starts nothing more after a stop, and lets what is under way finish', async () => {
    const run = scriptedRun(({ task }) => {
      run.stop.abort();
      return makeRecord({ task });
    });
    expect(await runPlan(plan, run.options)).toEqual({ finished: 2, invalid: 0, notRun: 1, gaveUp: null });
  });

  const long = createPlan({
    tasks: Array.from({ length: 40 }, (_, index) => `t${index}`),
    trials: 1,
    modes: ['text'],
    seed: 1,
  });

  it('gives up when the agent’s server is down attempt after attempt; what was not played stays to do', async () => {
    const run = scriptedRun(({ task }) =>
      task === 't0'
        ? makeRecord({ task })
        : makeRecord({ task, reason: 'agent_unavailable', success: false }),
    );
    const result = await runPlan(long, run.options);
    expect(result.gaveUp).toMatch(
      /^8 attempts in a row .* is down \(the episode ended as agent_unavailable\)$/,
    );
    expect(result.finished).toBe(1);
    expect(result.notRun).toBeGreaterThan(34);
    expect([...run.attempts.values()].reduce((sum, count) => sum + count)).toBeLessThan(12);
  });

  it.each([
    ['customer_failed', 'the customer’s model could not be asked'],
    ['platform_failed', 'no space left on device'],
  ] as const)(
    'gives up when episodes of several tasks in a row end as %s, and says why',
    async (reason, why) => {
      const run = scriptedRun(({ task }) => {
        if (task === 't0') return makeRecord({ task });
        const { end, ...record } = makeRecord({ task, reason, success: false });
        return { ...record, end: end === null ? null : { ...end, detail: why } };
      });
      const result = await runPlan(long, run.options);
      expect(result.gaveUp).toBe(
        `14 attempts in a row, of 5 tasks, failed by no fault of the agent (the episode ended as ${reason}: ${why})`,
      );
      expect(result.finished).toBe(1);
      expect([...run.attempts.values()].reduce((sum, count) => sum + count)).toBeLessThan(18);
    },
  );

  it('does not give up over single tasks that nobody can play', async () => {
    const broken = ['t1', 't2', 't3'];
    const run = scriptedRun(({ task }) =>
      broken.includes(task)
        ? makeRecord({ task, reason: 'customer_failed', success: false })
        : makeRecord({ task }),
    );
    const result = await runPlan(long, { ...run.options, concurrency: 1 });
    expect(result).toMatchObject({ finished: 37, invalid: 3, gaveUp: null });
  });

  it('does not give up over outages that pass', async () => {
    const run = scriptedRun(({ task }, attempt) =>
      attempt < 3 ? makeRecord({ task, reason: 'agent_unavailable', success: false }) : makeRecord({ task }),
    );
    expect(await runPlan(long, run.options)).toMatchObject({ finished: 40, invalid: 0, gaveUp: null });
  });
});
