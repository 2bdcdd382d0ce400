import { describe, expect, it } from 'vitest';
import { compareRuns, DIFFERENCE_KINDS, renderComparison } from '../../../src/evaluation/index.js';
import type { RunManifest } from '../../../src/evaluation/manifest.js';
import { makeManifest, makeRecord, makeTask } from '../helpers/records.js';

const IDS = Array.from({ length: 20 }, (_, index) => `task-${index}`);

/** @param fails tasks of which trial 0 fails; trial 1 always passes */
function runOf(name: string, fails: readonly string[], overrides: Partial<RunManifest> = {}) {
  const manifest = makeManifest({ tasks: IDS, trials: 2, ...overrides });
  const records = manifest.tasks.flatMap((task) =>
    [0, 1].map((trial) => makeRecord({ task, trial, success: trial === 1 || !fails.includes(task) })),
  );
  return { name, run: { manifest, records, labels: [] } };
}

describe('runs beside each other', () => {
  it('differ by the mean of their tasks’ differences, which is paired', () => {
    const { modes } = compareRuns([runOf('a', []), runOf('b', IDS.slice(0, 10)), runOf('c', [])]);
    const [one, two] = modes[0]?.rows ?? [];
    // Ten of twenty tasks pass in one of two trials: pass^1 (10 + 10/2) / 20, pass^2 10 / 20.
    expect(one?.runs.map(({ pass }) => pass.mean)).toEqual([1, 0.75, 1]);
    expect(two?.runs.map(({ pass }) => pass.mean)).toEqual([1, 0.5, 1]);
    expect(one?.runs[1]?.difference?.mean).toBeCloseTo(-0.25);
    expect(one?.runs[1]?.difference?.high).toBeLessThan(0);
    expect(one?.runs[1]?.tasks).toEqual({ better: 0, worse: 10, same: 10 });
    expect(one?.runs[0]?.difference).toBeNull();
  });

  it('that agree everywhere are open, not equal', () => {
    const comparison = compareRuns([runOf('a', ['task-1']), runOf('b', ['task-1'])]);
    const difference = comparison.modes[0]?.rows[0]?.runs[1]?.difference;
    expect(difference?.mean).toBeCloseTo(0);
    expect(difference?.low).toBeLessThan(-0.01);
    expect(difference?.high).toBeGreaterThan(0.01);
    expect(renderComparison(comparison)).toMatch(/1 +b +97\.5 .* 0\.0 .* open +0 \/ 0 \/ 20$/m);
  });

  it('tell a difference that their own intervals would hide', () => {
    const hard = IDS.slice(0, 12);
    const { modes } = compareRuns([runOf('a', hard), runOf('b', hard.slice(5))]);
    const [a, b] = modes[0]?.rows[1]?.runs ?? [];
    expect(a?.pass.high).toBeGreaterThan(b?.pass.low ?? 1);
    expect(b?.difference?.low).toBeGreaterThan(0);
  });

  it('count the tasks that all have and say what is left out; other seeds are noted', () => {
    const comparison = compareRuns([
      runOf('a', []),
      runOf('b', [], { tasks: [...IDS.slice(0, 5), 'x'], seed: 2 }),
    ]);
    expect(comparison.modes[0]).toMatchObject({ sharedTasks: 5, otherTasks: 16 });
    expect(comparison.modes[0]?.rows[0]?.runs[0]?.pass.tasks).toBe(5);
    expect(renderComparison(comparison)).toContain('seeds differ');
  });

  it('leave invalid episodes out of every run, and say so', () => {
    const b = runOf('b', []);
    const records = b.run.records.map((record) =>
      record.header.task.id === 'task-0'
        ? makeRecord({
            task: 'task-0',
            trial: record.header.trial,
            success: false,
            reason: 'customer_failed',
          })
        : record,
    );
    const comparison = compareRuns([runOf('a', []), { name: 'b', run: { ...b.run, records } }]);
    expect(comparison.modes[0]?.rows[0]?.runs.map(({ pass }) => pass.tasks)).toEqual([19, 19]);
    expect(renderComparison(comparison)).toContain('(2 episodes invalid)');
    expect(renderComparison(comparison)).toContain('19 tasks have 1 valid trials in all runs');
  });

  it('without a task in common are a usage error', () => {
    expect(() => compareRuns([runOf('a', []), runOf('b', [], { tasks: ['x'] })])).toThrow('share no task');
    expect(() => compareRuns([runOf('a', []), runOf('b', [], { modes: ['speech'] })])).toThrow('same mode');
  });
});

describe('runs that do not measure the same are refused, unless it is asked for', () => {
  const { domain } = makeManifest();
  it.each<[string, string, Partial<RunManifest>]>([
    ['customers', 'customer is', { customer: 'model/1 Qwen (prompt 0123)' }],
    ['customers', 'customer options', { customerOptions: { temperature: 1 } }],
    ['worlds', 'world is', { domain: { ...domain, worldHash: 'other' } }],
    ['worlds', 'policy', { domain: { ...domain, policyHash: 'other' } }],
    ['worlds', 'tools', { domain: { ...domain, toolsHash: 'other' } }],
    ['rules', 'outcome rule', { rule: 'tau' }],
    ['rules', 'limits', { limits: { maxTurns: 60, maxErrors: 10 } }],
    ['rules', 'live judge', { liveJudge: 'rules/1' }],
  ])('%s: %s', (kind, words, overrides) => {
    const runs = [runOf('a', []), runOf('b', [], overrides)];
    expect(() => compareRuns(runs)).toThrow(words);
    expect(() => compareRuns(runs)).toThrow(`--different-${kind}`);
    expect(() => compareRuns(runs, new Set(DIFFERENCE_KINDS.filter((each) => each !== kind)))).toThrow();
    const comparison = compareRuns(runs, new Set(DIFFERENCE_KINDS.filter((each) => each === kind)));
    expect(renderComparison(comparison)).toContain('note  by request');
  });

  it('conditions: the voice, where both speak', () => {
    const voices = ['flite/1', 'flite/2'].map((speech, at) => runOf(`r${at}`, [], { speech }));
    expect(() => compareRuns(voices)).toThrow('--different-conditions');
    expect(() => compareRuns([runOf('a', []), runOf('b', [], { speech: 'flite/1' })])).not.toThrow();
  });

  it('worlds: a task of the same id that is another task', () => {
    const changed = runOf('b', []);
    const records = [makeRecord({ task: makeTask('task-3', { instruction: 'Something else.' }) })];
    expect(() => compareRuns([runOf('a', []), { name: 'b', run: { ...changed.run, records } }])).toThrow(
      'e.g. task-3',
    );
  });
});
