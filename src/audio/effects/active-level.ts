const FRAME_MS = 20;
/** Frames this far below the loudest are pauses. */
const RANGE_DB = 35;

/** Root of the mean square of samples of shape [n], in their own unit; 0 of nothing. */
export function rmsOf(samples: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const sample = samples[i] as number;
    sum += sample * sample;
  }
  return Math.sqrt(sum / Math.max(1, samples.length));
}

/** The largest distance from zero, of samples of shape [n]; 0 of nothing. */
export function peakOf(samples: ArrayLike<number>): number {
  let peak = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const size = Math.abs(samples[i] as number);
    if (size > peak) peak = size;
  }
  return peak;
}

/**
 * How loud speech is while somebody speaks: the RMS over all frames of 20 ms that lie within 35 dB of the loudest one, in steps
 * of 16-bit samples; 0 of silence. (The idea of ITU-T P.56, without its hangover.)
 */
export function activeRms(samples: ArrayLike<number>, sampleRateHz: number): number {
  const frame = Math.max(1, Math.round((sampleRateHz * FRAME_MS) / 1000));
  const energies: number[] = [];
  for (let start = 0; start < samples.length; start += frame) {
    const end = Math.min(samples.length, start + frame);
    let sum = 0;
    for (let i = start; i < end; i += 1) sum += (samples[i] as number) * (samples[i] as number);
    energies.push(sum / (end - start));
  }
  let loudest = 0;
  for (const energy of energies) loudest = Math.max(loudest, energy);
  if (loudest === 0) return 0;
  const threshold = loudest / 10 ** (RANGE_DB / 10);
  let sum = 0;
  let count = 0;
  for (const energy of energies) {
    if (energy < threshold) continue;
    sum += energy;
    count += 1;
  }
  return Math.sqrt(sum / count);
}
