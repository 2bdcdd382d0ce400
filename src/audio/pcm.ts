/** Mono 16-bit PCM: samples of shape [n], full scale ±32768. */
export interface Pcm {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
}

/** Length in milliseconds, rounded to the nearest. */
export function pcmDurationMs(pcm: Pcm): number {
  return Math.round((pcm.samples.length * 1000) / pcm.sampleRateHz);
}

/** One array of shape [sum of n] from parts of shape [n]. */
export function joinSamples(parts: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
