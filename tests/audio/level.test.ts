import { describe, expect, it } from 'vitest';
import { measureEdgeSilence, measureLevel } from '../../src/audio/index.js';

describe('level', () => {
  it('measures a square wave by hand', () => {
    // |s| = 16384 everywhere: rms = peak = 16384 / 32768 = 0.5.
    expect(measureLevel(Int16Array.of(16384, -16384, 16384, -16384))).toEqual({
      rms: 0.5,
      peak: 0.5,
      clipped: 0,
    });
  });

  it('counts samples at the limit', () => {
    expect(measureLevel(Int16Array.of(32767, -32768, 0, 0)).clipped).toBe(0.5);
  });

  it('calls nothing silent', () => {
    expect(measureLevel(new Int16Array(0))).toEqual({ rms: 0, peak: 0, clipped: 0 });
  });

  it('finds the silence at both ends', () => {
    const samples = new Int16Array(1000);
    samples.fill(5000, 100, 900);
    expect(measureEdgeSilence(samples, 1000)).toEqual({ leadingMs: 100, trailingMs: 100 });
    expect(measureEdgeSilence(new Int16Array(500), 1000)).toEqual({ leadingMs: 500, trailingMs: 0 });
  });
});
