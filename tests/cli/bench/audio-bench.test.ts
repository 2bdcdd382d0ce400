import { describe, expect, it } from 'vitest';
import { benchAudio } from '../../../src/cli/bench/audio-bench.js';
import { systemClock } from '../../../src/shared/index.js';

describe('the bench of what happens to a line', () => {
  it('times effects and resampling on lines that differ', () => {
    const { effects, resampling } = benchAudio(systemClock);
    expect(effects.operations).toBeGreaterThan(10);
    expect(effects.microseconds).toBeGreaterThan(0);
    expect(resampling.operations).toBeGreaterThan(10);
  });
});
