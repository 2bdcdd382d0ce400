import { createRandom, deriveSeed } from '../../../shared/index.js';
import { BUTTERWORTH_2, bandPass, highPass, lowPass } from '../biquad.js';
import type { BedKind } from '../conditions.js';
import { slowCurve } from './slow-curve.js';
import { whiteNoise } from './white-noise.js';

/** What a bed is asked for; `voices` are speech of shape [k] at the same rate, for babble and the news. */
export interface BedRequest {
  readonly length: number;
  readonly sampleRateHz: number;
  readonly seed: number;
  readonly voices: readonly Float32Array[];
}

const BABBLE_STREAMS = 6;

function addScaled(into: Float32Array, from: Float32Array, gain: number): void {
  for (let i = 0; i < into.length; i += 1) into[i] = (into[i] as number) + gain * (from[i] as number);
}

/** One voice after another, in seeded order, entered somewhere in the middle of its first line. */
function addVoices(
  into: Float32Array,
  voices: readonly Float32Array[],
  options: { seed: number; gain: number },
): void {
  const random = createRandom(options.seed);
  let voice = random.pick(voices);
  let place = random.int(0, Math.max(0, voice.length - 1));
  for (let i = 0; i < into.length; ) {
    const count = Math.min(into.length - i, voice.length - place);
    for (let k = 0; k < count; k += 1)
      into[i + k] = (into[i + k] as number) + options.gain * (voice[place + k] as number);
    i += count;
    voice = random.pick(voices);
    place = 0;
  }
}

/** Several people at once, nearer and farther, behind the dull sound of a room. */
function babble({ length, sampleRateHz, seed, voices }: BedRequest): Float32Array {
  const bed = new Float32Array(length);
  for (let stream = 0; stream < BABBLE_STREAMS; stream += 1)
    addVoices(bed, voices, { seed: deriveSeed('babble', seed, stream), gain: 1 / (1 + stream / 3) });
  lowPass(bed, { cutoffHz: 3500, sampleRateHz, qualities: BUTTERWORTH_2 });
  return bed;
}

/** One speaker through a small loudspeaker, and the hum of the set. */
function televisionNews({ length, sampleRateHz, seed, voices }: BedRequest): Float32Array {
  const bed = new Float32Array(length);
  addVoices(bed, voices, { seed: deriveSeed('news', seed), gain: 1 });
  highPass(bed, { cutoffHz: 250, sampleRateHz, qualities: BUTTERWORTH_2 });
  lowPass(bed, { cutoffHz: 3000, sampleRateHz, qualities: BUTTERWORTH_2 });
  const hiss = whiteNoise(length, seed);
  lowPass(hiss, { cutoffHz: 400, sampleRateHz, qualities: BUTTERWORTH_2 });
  addScaled(bed, hiss, 0.05);
  return bed;
}

/** Tyres and engines: low noise, and cars that come and go. */
function street({ length, sampleRateHz, seed }: BedRequest): Float32Array {
  const bed = whiteNoise(length, deriveSeed('street', seed));
  lowPass(bed, { cutoffHz: 180, sampleRateHz, qualities: BUTTERWORTH_2 });
  const cars = whiteNoise(length, deriveSeed('cars', seed));
  bandPass(cars, 700, { quality: 0.5, sampleRateHz });
  const passing = slowCurve(length, 0.25, { seed: deriveSeed('passing', seed), sampleRateHz });
  for (let i = 0; i < length; i += 1) {
    const near = 0.5 + 0.5 * (passing[i] as number);
    bed[i] = (bed[i] as number) + 0.6 * near * near * (cars[i] as number);
  }
  return bed;
}

/** A train in a station: rumble that beats with the sleepers, hiss, and now and then a squeal of the brakes. */
function metro({ length, sampleRateHz, seed }: BedRequest): Float32Array {
  const bed = whiteNoise(length, deriveSeed('rumble', seed));
  lowPass(bed, { cutoffHz: 110, sampleRateHz, qualities: BUTTERWORTH_2 });
  const hiss = whiteNoise(length, deriveSeed('hiss', seed));
  bandPass(hiss, 1100, { quality: 0.6, sampleRateHz });
  const squeal = whiteNoise(length, deriveSeed('squeal', seed));
  bandPass(squeal, 2300, { quality: 40, sampleRateHz });
  const beat = slowCurve(length, 7, { seed: deriveSeed('beat', seed), sampleRateHz });
  const brakes = slowCurve(length, 0.3, { seed: deriveSeed('brakes', seed), sampleRateHz });
  for (let i = 0; i < length; i += 1) {
    const braking = Math.max(0, (brakes[i] as number) - 0.4);
    bed[i] =
      (bed[i] as number) * (1.5 + (beat[i] as number)) +
      0.25 * (hiss[i] as number) +
      3 * braking * (squeal[i] as number);
  }
  return bed;
}

/** Chords as ratios to the key, four to a round: tonic, sixth, fourth, fifth. */
const CHORDS = [
  [1, 5 / 4, 3 / 2],
  [5 / 6, 1, 5 / 4],
  [2 / 3, 5 / 6, 1],
  [3 / 4, 15 / 16, 9 / 8],
];
const PARTIALS = [1, 0.5, 0.25];
const NOTE_SECONDS = 0.3;

/** Plucked chords in a major key, as a radio in the next room might play. Each partial is a decaying resonator. */
function music({ length, sampleRateHz, seed }: BedRequest): Float32Array {
  const bed = new Float32Array(length);
  const random = createRandom(deriveSeed('music', seed));
  const keyHz = 196 * random.pick([1, 9 / 8, 5 / 4, 4 / 3]);
  const noteSamples = Math.round(NOTE_SECONDS * sampleRateHz);
  const decay = 1 - 5 / noteSamples;
  for (let start = 0, note = random.int(0, 15); start < length; start += noteSamples, note += 1) {
    const ratio = random.pick(CHORDS[(note >> 2) % CHORDS.length] as number[]);
    PARTIALS.forEach((share, place) => {
      const angle = (2 * Math.PI * keyHz * ratio * (place + 1)) / sampleRateHz;
      const twice = 2 * decay * Math.cos(angle);
      const damping = decay * decay;
      let last = share * Math.sin(angle);
      let before = 0;
      const end = Math.min(length, start + 2 * noteSamples);
      for (let i = start; i < end; i += 1) {
        bed[i] = (bed[i] as number) + last;
        const next = twice * last - damping * before;
        before = last;
        last = next;
      }
    });
  }
  return bed;
}

/** Noise that falls by about 3 dB an octave (P. Kellet's three poles). */
function pink({ length, seed }: BedRequest): Float32Array {
  const bed = whiteNoise(length, deriveSeed('pink', seed));
  let low = 0;
  let middle = 0;
  let high = 0;
  for (let i = 0; i < length; i += 1) {
    const white = bed[i] as number;
    low = 0.99765 * low + white * 0.099046;
    middle = 0.963 * middle + white * 0.2965164;
    high = 0.57 * high + white * 1.0526913;
    bed[i] = low + middle + high + white * 0.1848;
  }
  return bed;
}

const MAKERS: Readonly<Record<BedKind, (request: BedRequest) => Float32Array>> = {
  babble,
  'tv-news': televisionNews,
  street,
  metro,
  music,
  pink,
};

export const needsVoices = (bed: BedKind): boolean => bed === 'babble' || bed === 'tv-news';

/** A bed of any level, shape [length]; the caller sets the level. */
export function makeBed(bed: BedKind, request: BedRequest): Float32Array {
  return MAKERS[bed](request);
}
