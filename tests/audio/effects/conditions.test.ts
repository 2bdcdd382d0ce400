import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ConditionsError,
  conditionPresets,
  findConditions,
  parseConditions,
  settleConditions,
} from '../../../src/audio/index.js';

describe('conditions', () => {
  it('there are presets for clean, control, regular and each factor alone', () => {
    const names = [...conditionPresets().keys()];
    for (const name of [
      'clean',
      'control',
      'regular',
      'telephony',
      'packet-loss',
      'muffling',
      'reverberation',
      'clipping',
      'bursts',
      'tics',
      'inserts',
      'level',
      'bed-babble',
    ])
      expect(names).toContain(name);
  });

  it('an unknown name is answered with those there are', () => {
    expect(() => findConditions('noisy')).toThrow(ConditionsError);
    expect(() => findConditions('noisy')).toThrow(
      "no conditions are called 'noisy'; there are clean, control, regular",
    );
  });

  it('parts left out are off', () => {
    expect(parseConditions({ name: 'mine' })).toEqual({ ...findConditions('clean'), name: 'mine' });
  });

  it('a bed without an environment that has one is refused, not silently off', () => {
    const bed = { snrDb: 15, driftDb: 3, variationHz: 0.5 };
    expect(() => parseConditions({ name: 'mine', bed })).toThrow("have 'bed' but there is no environment");
    const environments = [{ name: 'yard', beds: [], bursts: ['dog-bark'] }];
    expect(() => parseConditions({ name: 'mine', bed, environments })).toThrow(
      "the environment 'yard' has none",
    );
  });

  it('rubbish is a conditions error', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(() => parseConditions(value)).toThrow(ConditionsError);
      }),
    );
    expect(() => parseConditions({ name: 'mine', telefony: {} })).toThrow('telefony');
  });

  it('an episode keeps one environment and one bed, drawn by its seed', () => {
    const regular = findConditions('regular');
    const drawn = Array.from({ length: 60 }, (_, seed) => settleConditions(regular, seed).environments);
    for (const environments of drawn) {
      expect(environments.length).toBe(1);
      expect(environments[0]?.beds.length).toBe(1);
    }
    expect(new Set(drawn.map(([environment]) => environment?.beds[0]))).toEqual(
      new Set(['babble', 'tv-news', 'street', 'metro']),
    );
    expect(settleConditions(regular, 4)).toEqual(settleConditions(regular, 4));
  });
});
