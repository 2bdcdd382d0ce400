import { createRandom, deriveSeed, type Random } from '../../../shared/index.js';
import { BUTTERWORTH_2, bandPass, highPass, lowPass } from '../biquad.js';
import type { BurstKind, TicKind } from '../conditions.js';
import { whiteNoise } from './white-noise.js';

/** Fades over this long at both ends keep an event from clicking. */
const FADE_MS = 6;

interface Sketch {
  readonly sampleRateHz: number;
  readonly random: Random;
  readonly seed: number;
}

const samplesOf = (seconds: number, sampleRateHz: number): number => Math.round(seconds * sampleRateHz);

/** Adds `seconds` of noise at `atSeconds`, shaped by a rise and an exponential fall. */
function addPuff(
  into: Float32Array,
  { sampleRateHz, seed }: Sketch,
  puff: { at: number; seconds: number; rise: number; gain: number; shape: (noise: Float32Array) => void },
): void {
  const noise = whiteNoise(samplesOf(puff.seconds, sampleRateHz), seed);
  puff.shape(noise);
  const start = samplesOf(puff.at, sampleRateHz);
  const rise = Math.max(1, samplesOf(puff.rise, sampleRateHz));
  const fall = 1 - 4 / noise.length;
  let level = puff.gain;
  for (let i = 0; i < noise.length && start + i < into.length; i += 1) {
    if (i > rise) level *= fall;
    into[start + i] = (into[start + i] as number) + Math.min(1, i / rise) * level * (noise[i] as number);
  }
}

/** Adds harmonics of a pitch that may glide; `level(t)` and `pitchHz(t)` take seconds since the tone's start. */
function addTone(
  into: Float32Array,
  { sampleRateHz }: Sketch,
  tone: {
    at: number;
    seconds: number;
    partials: readonly number[];
    pitchHz: (t: number) => number;
    level: (t: number) => number;
  },
): void {
  const start = samplesOf(tone.at, sampleRateHz);
  const count = Math.min(samplesOf(tone.seconds, sampleRateHz), into.length - start);
  let phase = 0;
  for (let i = 0; i < count; i += 1) {
    const t = i / sampleRateHz;
    phase += (2 * Math.PI * tone.pitchHz(t)) / sampleRateHz;
    let sum = 0;
    for (let k = 0; k < tone.partials.length; k += 1)
      sum += (tone.partials[k] as number) * Math.sin((k + 1) * phase);
    into[start + i] = (into[start + i] as number) + tone.level(t) * sum;
  }
}

const hump = (t: number, seconds: number): number => Math.sin((Math.PI * t) / seconds);

const MAKERS: Readonly<
  Record<BurstKind | TicKind, { seconds: number; draw: (into: Float32Array, sketch: Sketch) => void }>
> = {
  'phone-ring': {
    seconds: 1.2,
    draw(into, sketch) {
      for (const at of [0, 0.7])
        addTone(into, sketch, {
          at,
          seconds: 0.5,
          partials: [1, 0.2, 0.4],
          // Two bells by turns, twenty times a second.
          pitchHz: (t) => (Math.floor(t * 40) % 2 === 0 ? 950 : 1180),
          level: (t) => Math.min(1, (0.5 - t) * 20),
        });
    },
  },
  'dog-bark': {
    seconds: 1,
    draw(into, sketch) {
      const pitch = 380 + 160 * sketch.random.next();
      for (const at of [0, 0.33, 0.66]) {
        addTone(into, sketch, {
          at,
          seconds: 0.18,
          partials: [1, 0.8, 0.6, 0.5, 0.3, 0.2],
          pitchHz: (t) => pitch * (1.3 - 3 * t),
          level: (t) => hump(t, 0.18),
        });
        addPuff(into, sketch, {
          at,
          seconds: 0.16,
          rise: 0.01,
          gain: 1.2,
          shape: (noise) => bandPass(noise, 1200, { quality: 0.7, sampleRateHz: sketch.sampleRateHz }),
        });
      }
    },
  },
  'car-horn': {
    seconds: 0.9,
    draw(into, sketch) {
      for (const pitch of [420, 510])
        addTone(into, sketch, {
          at: 0,
          seconds: 0.9,
          partials: [1, 0.7, 0.6, 0.4, 0.3],
          pitchHz: () => pitch,
          level: (t) => Math.min(1, t * 40, (0.9 - t) * 30),
        });
    },
  },
  engine: {
    seconds: 2.5,
    draw(into, sketch) {
      const pitch = 26 + 10 * sketch.random.next();
      addTone(into, sketch, {
        at: 0,
        seconds: 2.5,
        partials: [0.4, 1, 0.6, 0.9, 0.4, 0.5, 0.3, 0.3],
        pitchHz: (t) => pitch * (1 + 0.5 * hump(t, 2.5)),
        level: (t) => hump(t, 2.5),
      });
      addPuff(into, sketch, {
        at: 0,
        seconds: 2.5,
        rise: 0.8,
        gain: 1,
        shape: (noise) =>
          lowPass(noise, { cutoffHz: 600, sampleRateHz: sketch.sampleRateHz, qualities: BUTTERWORTH_2 }),
      });
    },
  },
  siren: {
    seconds: 3,
    draw(into, sketch) {
      addTone(into, sketch, {
        at: 0,
        seconds: 3,
        partials: [1, 0.4, 0.2],
        pitchHz: (t) => 950 + 350 * Math.sin(2 * Math.PI * 0.7 * t),
        level: (t) => hump(t, 3),
      });
    },
  },
  cough: {
    seconds: 0.9,
    draw(into, sketch) {
      for (const at of [0, 0.3, 0.6])
        addPuff(into, sketch, {
          at,
          seconds: 0.24,
          rise: 0.008,
          gain: 1 - at,
          shape: (noise) => bandPass(noise, 900, { quality: 0.5, sampleRateHz: sketch.sampleRateHz }),
        });
    },
  },
  sneeze: {
    seconds: 0.9,
    draw(into, sketch) {
      addPuff(into, sketch, {
        at: 0,
        seconds: 0.4,
        rise: 0.35,
        gain: 0.25,
        shape: (noise) => bandPass(noise, 1500, { quality: 0.8, sampleRateHz: sketch.sampleRateHz }),
      });
      addPuff(into, sketch, {
        at: 0.45,
        seconds: 0.4,
        rise: 0.01,
        gain: 1,
        shape: (noise) =>
          highPass(noise, { cutoffHz: 900, sampleRateHz: sketch.sampleRateHz, qualities: BUTTERWORTH_2 }),
      });
    },
  },
  sniffle: {
    seconds: 0.9,
    draw(into, sketch) {
      for (const at of [0, 0.32, 0.64])
        addPuff(into, sketch, {
          at,
          seconds: 0.2,
          rise: 0.1,
          gain: 0.6,
          shape: (noise) =>
            highPass(noise, { cutoffHz: 1800, sampleRateHz: sketch.sampleRateHz, qualities: BUTTERWORTH_2 }),
        });
    },
  },
};

/** How many samples an event has, whatever its seed. */
export function eventLength(kind: BurstKind | TicKind, sampleRateHz: number): number {
  return samplesOf(MAKERS[kind].seconds, sampleRateHz);
}

/** A single sound of any level, shape [eventLength], faded at both ends; the caller sets the level. */
export function makeEvent(kind: BurstKind | TicKind, seed: number, sampleRateHz: number): Float32Array {
  const event = new Float32Array(eventLength(kind, sampleRateHz));
  const sketch = {
    sampleRateHz,
    seed: deriveSeed(kind, seed),
    random: createRandom(deriveSeed(kind, 'shape', seed)),
  };
  MAKERS[kind].draw(event, sketch);
  const fade = samplesOf(FADE_MS / 1000, sampleRateHz);
  for (let i = 0; i < fade; i += 1) {
    const last = event.length - 1 - i;
    event[i] = ((event[i] as number) * i) / fade;
    event[last] = ((event[last] as number) * i) / fade;
  }
  return event;
}
