/** How loud a clip is; amplitudes relative to full scale (32768), so 0 to 1. */
interface Level {
  /** Root of the mean square over all samples. */
  readonly rms: number;
  /** Largest absolute sample. */
  readonly peak: number;
  /** Share of samples at the limit of the range, 0 to 1: more than a handful means clipping. */
  readonly clipped: number;
}

/** Level of samples of shape [n]; an empty array is silent (all zeros). */
export function measureLevel(samples: Int16Array): Level {
  let sumOfSquares = 0;
  let peak = 0;
  let clipped = 0;
  for (const sample of samples) {
    const size = Math.abs(sample);
    sumOfSquares += sample * sample;
    if (size > peak) peak = size;
    if (size >= 32767) clipped += 1;
  }
  const count = Math.max(1, samples.length);
  return { rms: Math.sqrt(sumOfSquares / count) / 32768, peak: peak / 32768, clipped: clipped / count };
}

/** A stretch of silence at either end of a clip, in milliseconds. */
interface EdgeSilence {
  readonly leadingMs: number;
  readonly trailingMs: number;
}

/** Silence before the first and after the last sample above the threshold (relative to full scale). A silent clip is all leading. */
export function measureEdgeSilence(samples: Int16Array, sampleRateHz: number, threshold = 0.01): EdgeSilence {
  const limit = threshold * 32768;
  const first = samples.findIndex((sample) => Math.abs(sample) > limit);
  if (first < 0) return { leadingMs: (samples.length * 1000) / sampleRateHz, trailingMs: 0 };
  const last = samples.findLastIndex((sample) => Math.abs(sample) > limit);
  return {
    leadingMs: (first * 1000) / sampleRateHz,
    trailingMs: ((samples.length - 1 - last) * 1000) / sampleRateHz,
  };
}
