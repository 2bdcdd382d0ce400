import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EpisodeKey, episodeId, splitAttempt } from '../../src/episodes/index.js';

const key = fc.record<EpisodeKey>({
  task: fc.oneof(fc.string({ minLength: 1, maxLength: 90 }), fc.constantFrom('a', 'A', 'a-', 'a b', '7')),
  mode: fc.constantFrom('text', 'speech'),
  trial: fc.nat(20),
  seed: fc.nat(20),
});

describe('the episode id', () => {
  it('reads as task, mode, trial and seed', () => {
    expect(episodeId({ task: '17', mode: 'speech', trial: 0, seed: 42 })).toBe('17.speech.t0.s42');
  });

  it('is a plain file name and different for different episodes', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        expect(episodeId(a)).toMatch(/^[a-z0-9-]{1,70}\.(text|speech)\.t\d+\.s\d+$/);
        const same = JSON.stringify(a) === JSON.stringify(b);
        expect(episodeId(a).toLowerCase() === episodeId(b).toLowerCase()).toBe(same);
      }),
    );
  });

  it('splits into the first attempt and the number of the attempt', () => {
    expect(splitAttempt('17.text.t0.s1')).toEqual({ base: '17.text.t0.s1', attempt: 1 });
    expect(splitAttempt('17.text.t0.s1~12')).toEqual({ base: '17.text.t0.s1', attempt: 12 });
  });
});
