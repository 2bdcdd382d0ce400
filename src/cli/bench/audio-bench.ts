import { type Conditions, findConditions, type Pcm, renderLine, resample } from '../../audio/index.js';
import type { Clock } from '../../shared/index.js';
import { measure, type Timing } from './measure.js';

/** Seconds of sound that each operation below is given. */
export const AUDIO_SECONDS = 3;

export interface AudioTimings {
  /** One line through everything that `regular` may do to it. */
  readonly effects: Timing;
  /** The same line from 24 to 16 kHz. */
  readonly resampling: Timing;
}

/** Three seconds of sound that comes and goes like syllables; how long effects take does not depend on the words. */
function soundLikeSpeech(sampleRateHz: number, seed: number): Pcm {
  const length = AUDIO_SECONDS * sampleRateHz;
  const noise: Conditions = {
    ...findConditions('clean'),
    environments: [{ name: 'pink', beds: ['pink'], bursts: [] }],
    bed: { snrDb: 0, driftDb: 12, variationHz: 4 },
  };
  return renderLine({ samples: new Int16Array(length), sampleRateHz }, noise, { seed }).clip;
}

/** Times what happens to a line between the engine and the wire. */
export function benchAudio(clock: Clock): AudioTimings {
  const regular = findConditions('regular');
  const line = soundLikeSpeech(16_000, 1);
  const crowd = [2, 3, 4, 5].map((seed) => soundLikeSpeech(16_000, seed));
  const phrases = regular.inserts?.phrases ?? [];
  const asides = new Map(phrases.map((phrase, i) => [phrase, crowd[i % crowd.length] ?? line]));
  const voices = { crowd, asides };
  const wide = soundLikeSpeech(24_000, 1);
  return {
    effects: measure('line under regular', (seed) => renderLine(line, regular, { seed, voices }), { clock }),
    resampling: measure('resample 24 to 16 kHz', () => resample(wide.samples, 24_000, 16_000), { clock }),
  };
}
