import type { Pcm } from '../pcm.js';
import { createPowerSpectrum } from './fft.js';

const FRAME = 512;
/** What is drawn darkest and brightest, in dB of a full-scale sine. */
const FLOOR_DB = -90;
const CEILING_DB = -15;

/** An image of one byte a pixel, rows from the top. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/**
 * Sound over time (left to right) and frequency (0 Hz at the bottom, `topHz` at the top): 0 is -90 dB of full scale or less,
 * 255 is -15 dB or more. A column shows the loudest of the frames that it covers, so that nothing short is lost.
 */
export function drawSpectrogram(
  pcm: Pcm,
  size: { width: number; height: number; topHz?: number },
): GreyImage {
  const { width, height, topHz = pcm.sampleRateHz / 2 } = size;
  const pixels = new Uint8Array(width * height);
  const spectrum = createPowerSpectrum(FRAME);
  const window = Float32Array.from(
    { length: FRAME },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / FRAME),
  );
  const frame = new Float32Array(FRAME);
  const power = new Float32Array(FRAME / 2);
  // A full-scale sine has |X| = sum of the window / 2 = FRAME / 4.
  const fullScale = (FRAME / 4) ** 2;
  const samplesPerColumn = pcm.samples.length / width;
  for (let column = 0; column < width; column += 1) {
    const loudest = new Float32Array(FRAME / 2);
    const first = Math.floor(column * samplesPerColumn);
    const last = Math.max(first, Math.floor((column + 1) * samplesPerColumn) - 1);
    for (let centre = first; centre <= last; centre += FRAME / 2) {
      for (let i = 0; i < FRAME; i += 1)
        frame[i] = ((pcm.samples[centre - FRAME / 2 + i] ?? 0) / 32_768) * (window[i] as number);
      spectrum(frame, power);
      for (let bin = 0; bin < power.length; bin += 1)
        if ((power[bin] as number) > (loudest[bin] as number)) loudest[bin] = power[bin] as number;
    }
    for (let row = 0; row < height; row += 1) {
      const frequencyHz = ((height - row - 0.5) / height) * topHz;
      const bin = Math.min(FRAME / 2 - 1, Math.round((frequencyHz * FRAME) / pcm.sampleRateHz));
      const levelDb = 10 * Math.log10((loudest[bin] as number) / fullScale + 1e-12);
      const share = (levelDb - FLOOR_DB) / (CEILING_DB - FLOOR_DB);
      pixels[row * width + column] = Math.max(0, Math.min(255, Math.round(255 * share)));
    }
  }
  return { width, height, pixels };
}
