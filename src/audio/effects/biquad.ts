/**
 * Second-order filters after R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients"; a Butterworth of
 * fourth order is two of them with these quality factors. Filters change the array they are given.
 */
export const BUTTERWORTH_2 = [Math.SQRT1_2] as const;
export const BUTTERWORTH_4 = [0.541196100146197, 1.3065629648763766] as const;

/** A corner close to half the sample rate leaves nothing to remove. */
const HIGHEST_SHARE = 0.49;

function applySection(
  samples: Float32Array,
  b: readonly [number, number, number],
  a: readonly [number, number],
): void {
  const [b0, b1, b2] = b;
  const [a1, a2] = a;
  let z1 = 0;
  let z2 = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const x = samples[i] as number;
    const y = b0 * x + z1;
    z1 = b1 * x - a1 * y + z2;
    z2 = b2 * x - a2 * y;
    samples[i] = y;
  }
}

interface Corner {
  readonly cutoffHz: number;
  readonly sampleRateHz: number;
  readonly qualities: readonly number[];
}

/** Removes what lies above the cutoff (-3 dB there). */
export function lowPass(samples: Float32Array, { cutoffHz, sampleRateHz, qualities }: Corner): void {
  if (cutoffHz >= HIGHEST_SHARE * sampleRateHz) return;
  const angle = (2 * Math.PI * cutoffHz) / sampleRateHz;
  const cosine = Math.cos(angle);
  for (const quality of qualities) {
    const alpha = Math.sin(angle) / (2 * quality);
    const a0 = 1 + alpha;
    const edge = (1 - cosine) / 2 / a0;
    applySection(samples, [edge, 2 * edge, edge], [(-2 * cosine) / a0, (1 - alpha) / a0]);
  }
}

/** Removes what lies below the cutoff (-3 dB there). */
export function highPass(samples: Float32Array, { cutoffHz, sampleRateHz, qualities }: Corner): void {
  const angle = (2 * Math.PI * Math.min(cutoffHz, HIGHEST_SHARE * sampleRateHz)) / sampleRateHz;
  const cosine = Math.cos(angle);
  for (const quality of qualities) {
    const alpha = Math.sin(angle) / (2 * quality);
    const a0 = 1 + alpha;
    const edge = (1 + cosine) / 2 / a0;
    applySection(samples, [edge, -2 * edge, edge], [(-2 * cosine) / a0, (1 - alpha) / a0]);
  }
}

/** Keeps what lies around the centre; `quality` is centre over bandwidth. The centre keeps its level. */
export function bandPass(
  samples: Float32Array,
  centreHz: number,
  options: { quality: number; sampleRateHz: number },
): void {
  const angle =
    (2 * Math.PI * Math.min(centreHz, HIGHEST_SHARE * options.sampleRateHz)) / options.sampleRateHz;
  const alpha = Math.sin(angle) / (2 * options.quality);
  const a0 = 1 + alpha;
  applySection(samples, [alpha / a0, 0, -alpha / a0], [(-2 * Math.cos(angle)) / a0, (1 - alpha) / a0]);
}
