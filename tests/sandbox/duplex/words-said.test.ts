import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateSpeechMs } from '../../../src/sandbox/duplex/agent-talk.js';
import { wordsSaid } from '../../../src/sandbox/duplex/words-said.js';
import { readFixtures } from '../../helpers/audio-fixtures.js';
import '../../helpers/property-seed.js';

const whole = (samples: number) => ({ talks: [{ startSample: 0, endSample: samples }] });

describe('the words that were said by then', () => {
  it('are those whose letters’ share of the time is over', () => {
    // 4 + 4 + 2 letters over 1000 samples: the words end at 400, 800 and 1000.
    expect(wordsSaid('four more go', whole(1_000), 399)).toBe('');
    expect(wordsSaid('four more go', whole(1_000), 400)).toBe('four');
    expect(wordsSaid('four more go', whole(1_000), 999)).toBe('four more');
    expect(wordsSaid('four more go', whole(1_000), 1_000)).toBe('four more go');
  });

  it('take no time in pauses, and more where more is to be said', () => {
    const talks = [
      { startSample: 100, endSample: 500 },
      { startSample: 900, endSample: 1_500 },
    ];
    expect(wordsSaid('four more go', { talks }, 899)).toBe('four');
    // "$129.95" is read in many letters, so it is not over when half of the time is.
    expect(wordsSaid('It costs $129.95 now', whole(1_000), 500)).toBe('It costs');
  });

  it('are the beginning of what is said, and more as time goes on', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(2_000), fc.nat(2_000), (text, a, b) => {
        const [early, late] = [Math.min(a, b), Math.max(a, b)].map((at) => wordsSaid(text, whole(1_500), at));
        expect(text.trim().startsWith(late ?? '')).toBe(true);
        expect(late?.startsWith(early ?? '')).toBe(true);
      }),
    );
  });

  it('are estimated to last about as long as our own voice needs', () => {
    const clean = readFixtures().filter(({ file }) => !/telephone|babble|street|loss|24k/.test(file));
    for (const { transcript, durationMs, voice } of clean) {
      const ratio = estimateSpeechMs(transcript) / (durationMs / voice.durationStretch);
      expect(ratio, transcript).toBeGreaterThan(0.6);
      expect(ratio, transcript).toBeLessThan(1.4);
    }
  });
});
