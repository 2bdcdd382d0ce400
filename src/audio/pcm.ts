/** Mono 16-bit PCM: samples of shape [n], full scale ±32768. */
export interface Pcm {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
}

/** Length in milliseconds, rounded to the nearest. */
export function pcmDurationMs(pcm: Pcm): number {
  return Math.round((pcm.samples.length * 1000) / pcm.sampleRateHz);
}
