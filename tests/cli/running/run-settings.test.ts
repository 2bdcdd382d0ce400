import { describe, expect, it } from 'vitest';
import { settingsForResume, settingsFromFlags } from '../../../src/cli/running/run-settings.js';
import { makeManifest } from '../../evaluation/helpers/records.js';

describe('the settings of a new run', () => {
  it('are a demonstration when nothing is chosen: a few built-in tasks, spoken, with seeded faults', () => {
    expect(settingsFromFlags({})).toEqual({
      domain: 'retail',
      data: null,
      split: undefined,
      ids: null,
      count: 12,
      trials: 4,
      modes: ['speech'],
      agent: 'oracle',
      faults: 0.15,
      seed: 1,
      outcomeRule: null,
      maxTurns: 30,
      turnTaking: 'half-duplex',
      liveJudge: null,
    });
  });

  it('put in no faults that nobody asked for once an agent is chosen', () => {
    expect(settingsFromFlags({ agent: 'oracle' }).faults).toBe(0);
    expect(settingsFromFlags({ agent: 'oracle', faults: 0.5 }).faults).toBe(0.5);
  });

  it('take all tasks of a folder or a split', () => {
    expect(settingsFromFlags({ data: 'x' })).toMatchObject({ count: null, ids: null, split: undefined });
    expect(settingsFromFlags({ split: 'train' })).toMatchObject({ count: null, split: 'train' });
  });

  it('tell a number of tasks from ids', () => {
    expect(settingsFromFlags({ tasks: '17' })).toMatchObject({ count: 17, ids: null });
    expect(settingsFromFlags({ tasks: '17,' })).toMatchObject({ count: null, ids: ['17'], split: null });
    expect(settingsFromFlags({ tasks: 'a, b', split: 'test' })).toMatchObject({
      ids: ['a', 'b'],
      split: 'test',
    });
    expect(() => settingsFromFlags({ tasks: '0' })).toThrow('--tasks must be at least 1');
    expect(() => settingsFromFlags({ tasks: ' , ' })).toThrow('--tasks must be a number or ids');
  });

  it('play both modes, speech first', () => {
    expect(settingsFromFlags({ mode: 'both' }).modes).toEqual(['speech', 'text']);
  });
});

describe('the settings of a run that goes on', () => {
  const manifest = makeManifest({
    trials: 3,
    seed: 9,
    modes: ['text'],
    data: '../x',
    agent: { name: 'oracle', options: { faults: 0.5 }, labels: true },
  });

  it('are those it was started with', () => {
    expect(settingsForResume(manifest, {})).toEqual({
      domain: 'retail',
      data: '../x',
      split: 'test',
      ids: ['a', 'b'],
      count: null,
      trials: 3,
      modes: ['text'],
      agent: 'oracle',
      faults: 0.5,
      seed: 9,
      outcomeRule: 'tau2',
      maxTurns: 30,
      turnTaking: 'half-duplex',
      liveJudge: null,
    });
  });

  it('give way to flags, so that a difference is seen', () => {
    expect(settingsForResume(manifest, { seed: 3, mode: 'both', data: '../y' })).toMatchObject({
      seed: 3,
      modes: ['speech', 'text'],
      data: '../y',
    });
  });
});
