import { createRandom, deriveSeed } from '../../shared/index.js';
import { rmsOf } from './active-level.js';

/**
 * A room by M. Schroeder's scheme: six combs with damping side by side, then two all-passes. Delays of 25 to 45 ms are spread by
 * the seed; each comb's feedback makes it decay by 60 dB in `rt60Ms`.
 */
const COMBS = 6;
const ALL_PASS_MS = [5.1, 1.7];
const ALL_PASS_GAIN = 0.7;
const DAMPING = 0.25;
const PRE_DELAY_MS = 12;

function addComb(
  into: Float32Array,
  source: Float32Array,
  comb: { delay: number; feedback: number; start: number },
): void {
  const line = new Float32Array(comb.delay);
  let place = 0;
  let dull = 0;
  for (let i = comb.start; i < into.length; i += 1) {
    const out = line[place] as number;
    dull = out + DAMPING * (dull - out);
    line[place] = (source[i - comb.start] as number) + comb.feedback * dull;
    into[i] = (into[i] as number) + out;
    place = place + 1 === comb.delay ? 0 : place + 1;
  }
}

function allPass(samples: Float32Array, delay: number): void {
  const line = new Float32Array(delay);
  let place = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const delayed = line[place] as number;
    const input = (samples[i] as number) + ALL_PASS_GAIN * delayed;
    line[place] = input;
    samples[i] = delayed - ALL_PASS_GAIN * input;
    place = place + 1 === delay ? 0 : place + 1;
  }
}

export interface Room {
  readonly rt60Ms: number;
  readonly directToReverberantDb: number;
  readonly seed: number;
  readonly sampleRateHz: number;
}

/** Adds the room's answer to the samples, `directToReverberantDb` below them; what rings beyond the end is cut. */
export function addReverberation(samples: Float32Array, room: Room): void {
  const random = createRandom(deriveSeed('room', room.seed));
  const wet = new Float32Array(samples.length);
  const toSamples = (ms: number): number => Math.round((ms * room.sampleRateHz) / 1000);
  for (let comb = 0; comb < COMBS; comb += 1) {
    const delayMs = 25 + (20 * (comb + random.next())) / COMBS;
    addComb(wet, samples, {
      delay: toSamples(delayMs),
      feedback: 10 ** ((-3 * delayMs) / room.rt60Ms),
      start: toSamples(PRE_DELAY_MS),
    });
  }
  for (const delayMs of ALL_PASS_MS) allPass(wet, toSamples(delayMs));
  const level = rmsOf(wet);
  if (level === 0) return;
  const gain = rmsOf(samples) / level / 10 ** (room.directToReverberantDb / 20);
  for (let i = 0; i < samples.length; i += 1) samples[i] = (samples[i] as number) + gain * (wet[i] as number);
}
