import { describe, expect, it } from 'vitest';
import { UploadPlayout } from '../../../src/sandbox/duplex/upload-playout.js';

describe('an upload as it is played', () => {
  it('is heard at the pace of speech, however far ahead it was sent', () => {
    const playout = new UploadPlayout(24_000, 8_000);
    expect(playout.endSample).toBeNull();
    expect(playout.add(24_000, 100)).toBe(0);
    expect(playout.add(12_000, 101)).toBe(0);
    expect([playout.startSample, playout.endSample]).toEqual([100, 100 + 12_000]);
    const samples = Int16Array.of(1, 2, 3);
    expect(playout.withSilence(samples)).toBe(samples);
  });

  it('takes what is a little late for jitter, and what is later for silence', () => {
    const playout = new UploadPlayout(8_000, 16_000);
    playout.add(2, 0);
    // 60 ms are 960 samples of the call.
    expect(playout.add(2, 4 + 960)).toBe(0);
    expect(playout.endSample).toBe(8);
    expect(playout.add(1, 8 + 970)).toBe(485);
    expect(playout.endSample).toBe(8 + 970 + 2);
    const heard = playout.withSilence(Int16Array.of(1, 2, 3, 4, 5));
    expect(heard).toHaveLength(490);
    expect([0, 3, 4].map((sample) => playout.moved(sample))).toEqual([0, 3, 489]);
    expect([...heard.subarray(0, 5), heard[489]]).toEqual([1, 2, 3, 4, 0, 5]);
  });
});
