import type { Pcm } from '../pcm.js';
import type { VoiceDetector } from './voice-activity.js';

/** A stretch of speech; `endSample` is the first sample after it. */
export interface SpeechStretch {
  readonly startSample: number;
  readonly endSample: number;
}

export interface SpeechRules {
  /** Probability from which a frame is voice. */
  readonly threshold?: number;
  /** Shorter silences do not end a stretch. */
  readonly minSilenceMs?: number;
  /** Shorter stretches are clicks. */
  readonly minSpeechMs?: number;
}

export const SPEECH_RULES = { threshold: 0.5, minSilenceMs: 240, minSpeechMs: 60 } as const;

/** Stretches of speech from the frames' probabilities, in samples of a clip of the given rate and length. */
export function stretchesOf(
  probabilities: readonly number[],
  clip: { frameMs: number; sampleRateHz: number; length: number },
  rules: SpeechRules = {},
): SpeechStretch[] {
  const { threshold, minSilenceMs, minSpeechMs } = { ...SPEECH_RULES, ...rules };
  const runs: { start: number; end: number }[] = [];
  probabilities.forEach((probability, frame) => {
    if (probability < threshold) return;
    const last = runs.at(-1);
    if (last !== undefined && (frame - last.end) * clip.frameMs < minSilenceMs) last.end = frame + 1;
    else runs.push({ start: frame, end: frame + 1 });
  });
  const toSample = (frame: number): number =>
    Math.min(clip.length, Math.round((frame * clip.frameMs * clip.sampleRateHz) / 1000));
  return runs
    .filter(({ start, end }) => (end - start) * clip.frameMs >= minSpeechMs)
    .map(({ start, end }) => ({ startSample: toSample(start), endSample: toSample(end) }));
}

/** Where somebody speaks in a clip. */
export async function findSpeech(
  pcm: Pcm,
  detector: VoiceDetector,
  rules: SpeechRules = {},
): Promise<SpeechStretch[]> {
  const stream = detector.open(pcm.sampleRateHz);
  const probabilities = [...(await stream.push(pcm.samples)), ...(await stream.end())];
  const { frameMs } = stream;
  return stretchesOf(
    probabilities,
    { frameMs, sampleRateHz: pcm.sampleRateHz, length: pcm.samples.length },
    rules,
  );
}

/** The clip from its first to its last speech, with `keepMs` of what lies around; all of it if nobody speaks. */
export function trimToSpeech(pcm: Pcm, stretches: readonly SpeechStretch[], keepMs = 50): Pcm {
  const [first] = stretches;
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return pcm;
  const keep = Math.round((keepMs * pcm.sampleRateHz) / 1000);
  const samples = pcm.samples.subarray(Math.max(0, first.startSample - keep), last.endSample + keep);
  return { samples, sampleRateHz: pcm.sampleRateHz };
}
