import { SPEECH_RULES, type SpeechRules } from './find-speech.js';

/** Somebody begins or ceases to speak, in samples of the stream. */
export interface SpeechEdge {
  readonly atSample: number;
  readonly speaks: boolean;
}

/**
 * Follows a stream frame by frame and finds the stretches of `findSpeech`, as soon as they can be told: a beginning once it
 * has lasted for `minSpeechMs`, an end once `minSilenceMs` have passed since.
 */
export interface SpeechEdges {
  push(probabilities: readonly number[]): SpeechEdge[];
  /** Nothing more comes, for now: whoever speaks has ceased. */
  cut(): SpeechEdge[];
}

export function createSpeechEdges(
  { frameMs, sampleRateHz }: { readonly frameMs: number; readonly sampleRateHz: number },
  rules: SpeechRules = {},
): SpeechEdges {
  const { threshold, minSilenceMs, minSpeechMs } = { ...SPEECH_RULES, ...rules };
  const toSample = (frame: number): number => Math.round((frame * frameMs * sampleRateHz) / 1_000);
  let frame = 0;
  let run: { readonly start: number; end: number; told: boolean } | null = null;

  function cut(): SpeechEdge[] {
    const ended = run;
    run = null;
    return ended?.told === true ? [{ atSample: toSample(ended.end), speaks: false }] : [];
  }
  function take(probability: number): SpeechEdge[] {
    const isVoice = probability >= threshold;
    const silent = run === null ? 0 : frame + (isVoice ? 0 : 1) - run.end;
    const ended = silent * frameMs >= minSilenceMs ? cut() : [];
    if (isVoice) {
      run ??= { start: frame, end: frame, told: false };
      run.end = frame + 1;
    }
    frame += 1;
    if (run === null || run.told || (run.end - run.start) * frameMs < minSpeechMs) return ended;
    run.told = true;
    return [...ended, { atSample: toSample(run.start), speaks: true }];
  }
  return { push: (probabilities) => probabilities.flatMap(take), cut };
}
