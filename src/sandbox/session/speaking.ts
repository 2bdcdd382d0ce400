import { type SpokenLine, wavBytes } from '../../speech/index.js';
import type { SessionParts } from './parts.js';
import type { SentSound } from './state.js';

/** A line in the customer's voice; null in text mode and for silence. The sound is kept before the record names it. */
export async function speakLine(
  text: string,
  utterance: number,
  { voice, sink }: Pick<SessionParts, 'voice' | 'sink'>,
): Promise<SpokenLine | null> {
  if (voice === null || text === '') return null;
  const spoken = await voice.speaker.speak(text, voice.voice, { seed: voice.seed, utterance });
  const { clean } = spoken;
  if (clean !== undefined) await sink.audio(clean.sha256, wavBytes(clean.clip));
  await sink.audio(spoken.sha256, wavBytes(spoken.clip));
  return spoken;
}

/** Sent as it was spoken, with nothing left out and no silence after it. */
export function isWhole(sound: SentSound | null): boolean {
  return sound === null || sound.samples === (sound.wholeSamples ?? sound.samples);
}

/** Length of what was sent, to the millisecond. */
export function soundMs(sound: SentSound | null): number {
  return sound === null ? 0 : Math.round((sound.samples * 1_000) / sound.sampleRateHz);
}
