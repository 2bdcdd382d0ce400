import { type GrowingLine, type SpokenLine, type WordTime, wavBytes } from '../../speech/index.js';
import type { SessionParts } from './parts.js';
import type { SentSound } from './state.js';

type SpeakingParts = Pick<SessionParts, 'voice' | 'sink' | 'transport'>;

/** A line in the customer's voice; null in text mode and for silence. The sound is kept before the record names it. */
export async function speakLine(
  text: string,
  utterance: number,
  { voice, sink, transport }: SpeakingParts,
): Promise<SpokenLine | GrowingLine | null> {
  if (voice === null || text === '') return null;
  const place = { seed: voice.seed, utterance };
  const streams = voice.streams === true && transport.sendGrowing !== undefined;
  const said = await ((streams ? voice.speaker.stream?.(text, voice.voice, place) : undefined) ??
    voice.speaker.speak(text, voice.voice, place));
  if (!('growing' in said)) return keepSound(said, sink);
  const whole = said.whole.then((spoken) => keepSound(spoken, sink));
  // The session may be over before it asks.
  whole.catch(() => undefined);
  return { growing: said.growing, whole };
}

async function keepSound(spoken: SpokenLine, sink: SessionParts['sink']): Promise<SpokenLine> {
  const { clean } = spoken;
  if (clean !== undefined) await sink.audio(clean.sha256, wavBytes(clean.clip));
  await sink.audio(spoken.sha256, wavBytes(spoken.clip));
  return spoken;
}

/** The field of an event that has a sound. */
export function wordsOnRecord(words: readonly WordTime[] | undefined) {
  return words === undefined ? {} : { words: words.map(([...word]): [string, number, number] => word) };
}

/** Sent as it was spoken, with nothing left out and no silence after it. */
export function isWhole(sound: SentSound | null): boolean {
  return sound === null || sound.samples === (sound.wholeSamples ?? sound.samples);
}

/** Length of what was sent, to the millisecond. */
export function soundMs(sound: SentSound | null): number {
  return sound === null ? 0 : Math.round((sound.samples * 1_000) / sound.sampleRateHz);
}
