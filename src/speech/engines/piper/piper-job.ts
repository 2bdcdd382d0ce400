/** One sentence for a worker. */
export interface PiperJob {
  readonly modelPath: string;
  readonly ids: readonly number[];
  readonly lengthScale: number;
  /** Null for a model with one speaker. */
  readonly speaker: number | null;
}

/** Amplitudes, about -1 to 1, at the voice's own rate. */
export interface PiperSpeech {
  readonly amplitudes: Float32Array;
}
