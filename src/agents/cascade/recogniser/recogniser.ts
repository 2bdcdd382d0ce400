import type { Pcm } from '../../../audio/index.js';

/** Speech to words, for one utterance. */
export interface Recogniser {
  /** Engine and model, for the run's manifest. */
  readonly name: string;
  /** Empty when no words were found. */
  recognise(speech: Pcm, signal: AbortSignal): Promise<string>;
}
