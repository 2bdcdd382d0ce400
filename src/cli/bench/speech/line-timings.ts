import {
  type Conditions,
  createSileroDetector,
  createWebRtcDetector,
  findConditions,
  findSpeech,
  type Pcm,
  renderLine,
  type VoiceDetector,
  VoiceDetectorError,
} from '../../../audio/index.js';
import { measure, type Stopwatch } from '../measure.js';

/** What is done to sound, as times real time: seconds of sound for a second of one core's time. */
export interface LineTimings {
  /** One line through everything that `regular` may do to it. */
  readonly effects: number;
  /** By detector's name; null where its package is not installed. */
  readonly detectors: readonly { readonly name: string; readonly timesRealTime: number | null }[];
}

interface LineOptions {
  readonly clock: Stopwatch;
  /** Of sound, for the detectors. */
  readonly seconds: number;
  /** Effects are rare each, so many lines pass before all their code is compiled. */
  readonly warmUpLines: number;
  readonly budgetMs: number;
}

const LINE_SECONDS = 3;
const DETECTOR_ROUNDS = 5;

/** Sound that comes and goes like syllables; how long effects take does not depend on the words. */
export function soundLikeSpeech(
  seconds: number,
  { sampleRateHz, seed }: { sampleRateHz: number; seed: number },
): Pcm {
  const noise: Conditions = {
    ...findConditions('clean'),
    environments: [{ name: 'pink', beds: ['pink'], bursts: [] }],
    bed: { snrDb: 0, driftDb: 12, variationHz: 4 },
  };
  return renderLine({ samples: new Int16Array(seconds * sampleRateHz), sampleRateHz }, noise, { seed }).clip;
}

function timeEffects({ clock, warmUpLines, budgetMs }: LineOptions): number {
  const regular = findConditions('regular');
  const line = soundLikeSpeech(LINE_SECONDS, { sampleRateHz: 16_000, seed: 1 });
  const crowd = [2, 3, 4, 5].map((seed) => soundLikeSpeech(LINE_SECONDS, { sampleRateHz: 16_000, seed }));
  const phrases = regular.inserts?.phrases ?? [];
  const asides = new Map(phrases.map((phrase, i) => [phrase, crowd[i % crowd.length] ?? line]));
  const voices = { crowd, asides };
  const render = (seed: number) => renderLine(line, regular, { seed, voices });
  for (let seed = 0; seed < warmUpLines; seed += 1) render(seed);
  const { microseconds } = measure('line under regular', render, { clock, budgetMs });
  return (LINE_SECONDS * 1e6) / microseconds;
}

/** The quickest of a few rounds over the same sound: what disturbs a round only makes it longer. */
async function timeDetector(
  make: () => Promise<VoiceDetector>,
  { sound, clock }: { sound: Pcm; clock: Stopwatch },
): Promise<number | null> {
  let detector: VoiceDetector;
  try {
    detector = await make();
  } catch (error) {
    if (error instanceof VoiceDetectorError) return null;
    throw error;
  }
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < DETECTOR_ROUNDS; round += 1) {
    const startMs = clock.nowMs();
    await findSpeech(sound, detector);
    best = Math.min(best, clock.nowMs() - startMs);
  }
  await detector.close();
  return (sound.samples.length * 1000) / sound.sampleRateHz / best;
}

/** Times what happens to a line between the engine and the wire, and the listening for its ends. */
export async function timeLines(options: LineOptions): Promise<LineTimings> {
  const { clock, seconds } = options;
  const sound = soundLikeSpeech(seconds, { sampleRateHz: 16_000, seed: 7 });
  return {
    effects: timeEffects(options),
    detectors: [
      {
        name: 'WebRTC',
        timesRealTime: await timeDetector(() => createWebRtcDetector(), { sound, clock }),
      },
      { name: 'Silero', timesRealTime: await timeDetector(() => createSileroDetector(), { sound, clock }) },
    ],
  };
}
