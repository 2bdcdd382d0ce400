import { TimelineError } from '../errors.js';
import { peakOf, rmsOf } from './active-level.js';
import { BUTTERWORTH_2, BUTTERWORTH_4, lowPass } from './biquad.js';
import type { EntryOf, TicKind, TimelineEntry } from './conditions.js';
import { crowdSha256, findAside, type LineVoices, voiceAtRate } from './line-voices.js';
import { makeBed, needsVoices } from './noise/beds.js';
import { makeEvent } from './noise/events.js';
import { slowCurve } from './noise/slow-curve.js';
import { addReverberation } from './reverberation.js';
import { throughTelephone } from './telephony.js';

/** A line on its way through the effects, in steps of 16-bit samples but not yet rounded. */
interface Line {
  readonly sampleRateHz: number;
  readonly voices: LineVoices;
}

type Apply<K extends TimelineEntry['kind']> = (
  samples: Float32Array,
  entry: EntryOf<K>,
  line: Line,
) => Float32Array;

/** Level of a tic against the speech around it. */
const TIC_GAIN: Readonly<Record<TicKind, number>> = { cough: 1, sneeze: 1.2, sniffle: 0.4 };
/** Drift is worked out once in so many samples and runs straight in between. */
const DRIFT_STEP = 64;

function scale(samples: Float32Array, gain: number): Float32Array {
  for (let i = 0; i < samples.length; i += 1) samples[i] = gain * (samples[i] as number);
  return samples;
}

function mixIn(samples: Float32Array, sound: Float32Array, { startSample, endSample }: TimelineEntry): void {
  const count = Math.min(sound.length, endSample - startSample);
  for (let i = 0; i < count; i += 1)
    samples[startSample + i] = (samples[startSample + i] as number) + (sound[i] as number);
}

function atLevel(sound: Float32Array, rms: number): Float32Array {
  const level = rmsOf(sound);
  return level === 0 ? sound : scale(sound, rms / level);
}

const makeTic = (
  { tic, seed, referenceRms }: EntryOf<'tic'>['parameters'],
  sampleRateHz: number,
): Float32Array => atLevel(makeEvent(tic, seed, sampleRateHz), referenceRms * TIC_GAIN[tic]);

function drift(bed: Float32Array, options: { driftDb: number; curve: Float32Array }): void {
  const gainAt = (i: number): number => 10 ** ((options.driftDb * (options.curve[i] as number)) / 20);
  let gain = bed.length === 0 ? 1 : gainAt(0);
  for (let start = 0; start < bed.length; start += DRIFT_STEP) {
    const end = Math.min(bed.length, start + DRIFT_STEP);
    const step = (gainAt(Math.min(bed.length - 1, start + DRIFT_STEP)) - gain) / DRIFT_STEP;
    for (let i = start; i < end; i += 1) {
      bed[i] = (bed[i] as number) * gain;
      gain += step;
    }
  }
}

const APPLY: { readonly [K in TimelineEntry['kind']]: Apply<K> } = {
  level: (samples, { parameters }) => scale(samples, parameters.gain),

  tic(samples, { startSample, endSample, parameters }, line) {
    const longer = new Float32Array(samples.length + endSample - startSample);
    longer.set(samples.subarray(0, startSample));
    longer.set(makeTic(parameters, line.sampleRateHz).subarray(0, endSample - startSample), startSample);
    longer.set(samples.subarray(startSample), endSample);
    return longer;
  },

  tail(samples, { endSample }) {
    const longer = new Float32Array(endSample);
    longer.set(samples);
    return longer;
  },

  insert(samples, entry, line) {
    mixIn(samples, makeTic(entry.parameters, line.sampleRateHz), entry);
    return samples;
  },

  aside(samples, entry, { sampleRateHz, voices }) {
    const { phrase, sha256, cutoffHz, gain } = entry.parameters;
    const sound = voiceAtRate(findAside(voices, phrase, sha256), sampleRateHz).slice();
    lowPass(sound, { cutoffHz, sampleRateHz, qualities: BUTTERWORTH_2 });
    mixIn(samples, scale(sound, gain), entry);
    return samples;
  },

  muffling(samples, { startSample, endSample, parameters }, { sampleRateHz }) {
    const dull = samples.slice(startSample, endSample);
    lowPass(dull, { cutoffHz: parameters.cutoffHz, sampleRateHz, qualities: BUTTERWORTH_4 });
    const ramp = Math.max(1, parameters.transitionSamples);
    for (let i = 0; i < dull.length; i += 1) {
      const share = Math.min(1, (i + 1) / ramp, (dull.length - i) / ramp);
      const clear = samples[startSample + i] as number;
      samples[startSample + i] = clear + share * ((dull[i] as number) - clear);
    }
    return samples;
  },

  reverberation(samples, { parameters }, { sampleRateHz }) {
    addReverberation(samples, { ...parameters, sampleRateHz });
    return samples;
  },

  bed(samples, entry, { sampleRateHz, voices }) {
    const { bed, seed, snrDb, driftDb, variationHz, referenceRms, voicesSha256 } = entry.parameters;
    if (needsVoices(bed) && (voices.crowd.length === 0 || crowdSha256(voices) !== voicesSha256))
      throw new TimelineError(`the bed '${bed}' needs the voices that this line was made with`);
    const length = entry.endSample - entry.startSample;
    const crowd = needsVoices(bed) ? voices.crowd.map((voice) => voiceAtRate(voice, sampleRateHz)) : [];
    const sound = makeBed(bed, { length, sampleRateHz, seed, voices: crowd });
    if (driftDb > 0) drift(sound, { driftDb, curve: slowCurve(length, variationHz, { seed, sampleRateHz }) });
    mixIn(samples, atLevel(sound, referenceRms / 10 ** (snrDb / 20)), entry);
    return samples;
  },

  burst(samples, entry, { sampleRateHz }) {
    const { burst, seed, snrDb, referenceRms } = entry.parameters;
    mixIn(samples, atLevel(makeEvent(burst, seed, sampleRateHz), referenceRms / 10 ** (snrDb / 20)), entry);
    return samples;
  },

  clipping(samples, { parameters }) {
    const limit = peakOf(samples) / 10 ** (parameters.driveDb / 20);
    for (let i = 0; i < samples.length; i += 1)
      samples[i] = Math.max(-limit, Math.min(limit, samples[i] as number));
    return samples;
  },

  telephony: (samples, { parameters }, { sampleRateHz }) =>
    throughTelephone(samples, sampleRateHz, parameters),

  'packet-loss': (samples, { startSample, endSample }) => samples.fill(0, startSample, endSample),
};

/** Does one thing to a line; may change the samples that it is given. */
export function applyEntry(samples: Float32Array, entry: TimelineEntry, line: Line): Float32Array {
  // The table pairs every kind with its own entry; the compiler cannot follow the pairing through the look-up.
  const apply = APPLY[entry.kind] as Apply<TimelineEntry['kind']>;
  return apply(samples, entry as never, line);
}
