import type { Pcm } from '../../../audio/index.js';

/** What may have been said. */
export interface Recognised {
  /** The best guess; empty when no words were found. */
  readonly text: string;
  /** What else it may have been, the likelier first, the best guess among them or not. */
  readonly others: readonly string[];
}

/** Speech to words, for one utterance. */
export interface Recogniser {
  /** Engine and model, for the run's manifest. */
  readonly name: string;
  recognise(speech: Pcm, signal: AbortSignal): Promise<Recognised>;
}
