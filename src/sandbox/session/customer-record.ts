import { pcmDurationMs } from '../../audio/index.js';
import type { RecordEvent } from '../../episodes/index.js';
import type { SpokenLine } from '../../speech/index.js';
import type { CustomerLine } from '../../user/index.js';
import { wordsOnRecord } from './speaking.js';

type CustomerEvent = Extract<RecordEvent, { type: 'customer' }>;

/** A line of the customer's as the record has it, but for where it stands on a call's clock. */
export function customerRecord({
  line,
  spoken,
  turn,
  utterance,
}: {
  readonly line: CustomerLine;
  readonly spoken: SpokenLine | null;
  readonly turn: number;
  readonly utterance: number;
}): CustomerEvent {
  return {
    ...{ type: 'customer', turn, utterance, text: line.text, spoken: spoken?.spoken ?? null },
    audio: spoken === null ? null : audioRef(spoken),
    ...wordsOnRecord(spoken?.words),
    ...conditionsOf(spoken),
    end: line.end ?? null,
  };
}

export function audioRef({
  sha256,
  durationMs,
  clip,
}: Pick<SpokenLine, 'sha256' | 'durationMs' | 'clip'>): NonNullable<CustomerEvent['audio']> {
  return { sha256, sampleRateHz: clip.sampleRateHz, samples: clip.samples.length, durationMs };
}

/** What the conditions of the line did, if they did anything. */
function conditionsOf(spoken: SpokenLine | null) {
  if (spoken?.clean === undefined) return {};
  const { clean, timeline: effects } = spoken;
  const durationMs = pcmDurationMs(clean.clip);
  return { clean: audioRef({ ...clean, durationMs }), ...(effects === undefined ? {} : { effects }) };
}
