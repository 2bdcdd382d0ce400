import { createWebRtcDetector, findSpeech, trimToSpeech, type VoiceDetector } from '../../../audio/index.js';
import type { CustomerTurn } from '../../episode-client.js';
import type { Recogniser } from '../recogniser/recogniser.js';
import { toWrittenForm } from './written-form.js';

/** Kept around what the detector takes for speech: quiet consonants at both ends. */
const KEEP_MS = 250;

export interface Heard {
  /** As the recogniser gave it; null where the customer wrote. */
  readonly raw: string | null;
  /** As the dialogue reads it. */
  readonly text: string;
  /** What else it may have been, the likelier first. */
  readonly others: readonly string[];
}

export type Ear = (turn: CustomerTurn) => Promise<Heard>;

/** Text is read. Sound goes through voice activity detection and the recogniser, whatever text may come with it. */
export function createEar(recogniser: Recogniser | null, signal: AbortSignal): Ear {
  let detector: Promise<VoiceDetector> | undefined;
  return async ({ text, audio }) => {
    if (audio === null || recogniser === null) return { raw: null, text: text ?? '', others: [] };
    detector ??= createWebRtcDetector();
    const stretches = await findSpeech(audio, await detector);
    if (stretches.length === 0) return { raw: '', text: '', others: [] };
    const { text: raw, others } = await recogniser.recognise(trimToSpeech(audio, stretches, KEEP_MS), signal);
    return { raw, text: toWrittenForm(raw), others: others.map(toWrittenForm) };
  };
}
