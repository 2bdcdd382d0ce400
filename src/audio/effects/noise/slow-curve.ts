import { createRandom } from '../../../shared/index.js';

/**
 * A curve that wanders between -1 and 1, shape [n]: random values at regular knots, two per swing, joined by smooth steps
 * (3t² - 2t³), so that it never jumps or leaves the range.
 */
export function slowCurve(
  length: number,
  swingsPerSecond: number,
  options: { seed: number; sampleRateHz: number },
): Float32Array {
  const curve = new Float32Array(length);
  const random = createRandom(options.seed);
  const knotSamples = Math.max(1, Math.round(options.sampleRateHz / (2 * swingsPerSecond)));
  let from = 2 * random.next() - 1;
  for (let start = 0; start < length; start += knotSamples) {
    const to = 2 * random.next() - 1;
    const end = Math.min(length, start + knotSamples);
    for (let i = start; i < end; i += 1) {
      const t = (i - start) / knotSamples;
      curve[i] = from + (to - from) * t * t * (3 - 2 * t);
    }
    from = to;
  }
  return curve;
}
