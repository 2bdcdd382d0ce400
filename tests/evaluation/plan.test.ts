import { describe, expect, it } from 'vitest';
import { createPlan, selectTasks, splitNames } from '../../src/evaluation/plan.js';
import type { ToolDefinition } from '../../src/retail/index.js';
import { makeTask } from './helpers/records.js';

const tool = (name: string, kind: ToolDefinition['kind']): ToolDefinition => ({
  name,
  title: name,
  description: name,
  inputSchema: { type: 'object' },
  kind,
  destructive: false,
});
const call = (name: string) => ({ name, arguments: {} });
const domain = {
  tools: [tool('look', 'read'), tool('cancel', 'write'), tool('give_back', 'write')],
  tasks: [
    makeTask('c1', { groundTruth: [call('look'), call('cancel')] }),
    makeTask('c2', { groundTruth: [call('cancel')] }),
    makeTask('c3', { groundTruth: [call('cancel')], splits: ['train'] }),
    makeTask('r1', { groundTruth: [call('give_back')] }),
    makeTask('n1', { groundTruth: [call('look')] }),
  ],
};
const ids = (selection: Parameters<typeof selectTasks>[1]): string[] =>
  selectTasks(domain, selection).map((task) => task.id);

describe('the plan', () => {
  it('is tasks × trials × modes with trials outermost', () => {
    const plan = createPlan({ tasks: ['a', 'b'], trials: 2, modes: ['speech', 'text'], seed: 1 });
    expect(plan.map((episode) => `${episode.trial}${episode.task}${episode.mode}`)).toEqual([
      '0aspeech',
      '0atext',
      '0bspeech',
      '0btext',
      '1aspeech',
      '1atext',
      '1bspeech',
      '1btext',
    ]);
  });

  it('gives both modes of a trial the same seed, and every task and trial its own', () => {
    const plan = createPlan({ tasks: ['a', 'b'], trials: 2, modes: ['speech', 'text'], seed: 1 });
    expect(plan[0]?.seed).toBe(plan[1]?.seed);
    expect(new Set(plan.map((episode) => episode.seed)).size).toBe(4);
  });

  it('changes no seed when tasks, trials or modes are added', () => {
    const small = createPlan({ tasks: ['b'], trials: 1, modes: ['text'], seed: 5 });
    const large = createPlan({ tasks: ['a', 'b'], trials: 3, modes: ['speech', 'text'], seed: 5 });
    expect(large).toContainEqual(small[0]);
  });
});

describe('the selection of tasks', () => {
  it('takes a split', () => {
    expect(ids({ split: 'train' })).toEqual(['c3']);
    expect(splitNames(domain.tasks)).toEqual(['test', 'train']);
  });

  it('takes ids in the order in which they are given, once each', () => {
    expect(ids({ ids: ['r1', 'c1', 'r1'] })).toEqual(['r1', 'c1']);
  });

  it('spreads a count over the kinds of tasks, and a larger count holds the smaller', () => {
    expect(ids({ count: 3 })).toEqual(['c1', 'r1', 'n1']);
    expect(ids({ count: 4 })).toEqual(['c1', 'c2', 'r1', 'n1']);
  });

  it('names what is there when a split or an id is not', () => {
    expect(() => ids({ split: 'tset' })).toThrow('no split "tset" here; choose one of "test", "train"');
    expect(() => ids({ ids: ['x9'] })).toThrow('no task "x9"');
    expect(() => ids({ split: 'train', ids: ['c1'] })).toThrow('no task "c1" in split "train"');
    expect(() => ids({ count: 6 })).toThrow('6 tasks were asked for, and there are 5');
    expect(() => selectTasks({ tools: [], tasks: [] }, {})).toThrow('no tasks');
  });
});
