import type { WordTime } from '../../word-times.js';

/** The closed list: flite answers an unknown name with its 8 kHz default voice and no error, so names are checked here. */
export const FLITE_VOICES = ['awb', 'kal16', 'rms', 'slt'] as const;
type FliteVoice = (typeof FLITE_VOICES)[number];

/** Mean pitch has no effect on this voice: its model carries its own pitch contour. */
export const FLITE_VOICES_OF_FIXED_PITCH: readonly string[] = ['rms'];

export const FLITE_SAMPLE_RATE_HZ = 16_000;

/** One utterance for a worker. */
export interface FliteJob {
  readonly voice: FliteVoice;
  /** Printable ASCII. */
  readonly text: string;
  readonly durationStretch: number;
  readonly pitchMeanHz: number | null;
}

/** Mono PCM16 as the engine gave it, and when each token is said, if that is known. */
export interface FliteSpeech {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
  readonly tokens: readonly WordTime[] | null;
}
