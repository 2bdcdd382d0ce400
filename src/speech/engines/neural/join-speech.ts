import { SynthesisError } from '../../errors.js';

const JOIN_PAUSE_MS = 200;
/** Below it nothing is made louder: that would be noise. */
const LEAST_PEAK = 0.01;

/** Peaks at 90 % of full scale: a graph's own level differs from sentence to sentence. */
function toPcm16(amplitudes: Float32Array): Int16Array {
  let peak = LEAST_PEAK;
  for (const value of amplitudes) peak = Math.max(peak, Math.abs(value));
  if (!Number.isFinite(peak)) throw new SynthesisError('the voice model gave numbers that are no sound');
  const scale = (0.9 * 32_767) / peak;
  return Int16Array.from(amplitudes, (value) => Math.round(value * scale));
}

/** The pieces of a line one after the other, 200 ms apart. */
export function joinSpeech(pieces: readonly Float32Array[], sampleRateHz: number): Int16Array {
  const pause = Math.round((JOIN_PAUSE_MS * sampleRateHz) / 1000);
  const parts = pieces.map(toPcm16);
  const total = parts.reduce((sum, part) => sum + part.length + pause, -pause);
  const samples = new Int16Array(Math.max(0, total));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length + pause;
  }
  return samples;
}
