import type { AudioFormat, Pacing } from '../../protocol/index.js';
import type { Clock } from '../../shared/index.js';
import type { SentSound } from '../session/state.js';
import type { GrowingAudio, OutgoingAudio } from '../session/transport.js';
import { GrowingSound } from './growing-sound.js';
import type { Outbox } from './outbox.js';
import type { Pacer } from './pacer.js';
import { framesFrom, makeSound, type Sound } from './sound.js';

/** How the sound of one episode goes out. */
export interface SoundTerms {
  readonly format: AudioFormat;
  readonly pacing: Pacing;
  /** Sent after each utterance. */
  readonly trailingSilenceMs: number;
}

/** What keeps the time of `realtime` streams. */
export interface Timing {
  readonly clock: Clock;
  readonly pacer: Pacer;
}

interface SenderParts {
  readonly outbox: Outbox;
  readonly timing: Timing;
}

export async function sendSound(
  audio: OutgoingAudio,
  terms: SoundTerms,
  parts: SenderParts,
): Promise<SentSound> {
  const { utterance, sampleOffset, signal } = audio;
  const sound = makeSound(audio, { ...terms, utterance, sampleOffset });
  return sendFrames(sound, { ...parts, signal, pacing: terms.pacing });
}

/** The same frames, each as soon as it is there. Returns when the clip has ended, however much of it was wanted. */
export async function sendGrowingSound(
  { clip, utterance, sampleOffset, signal }: GrowingAudio,
  terms: SoundTerms,
  parts: SenderParts,
): Promise<SentSound> {
  const sound = new GrowingSound(clip, { ...terms, utterance, sampleOffset });
  const sent = await sendFrames(sound, { ...parts, signal, pacing: terms.pacing });
  await sound.ended;
  return { ...sent, wholeSamples: sound.wholeSamples };
}

/**
 * Sends an utterance frame by frame: as quickly as the client reads, or each frame at its own time, counted from the
 * start of the utterance. Late frames are sent at once, so a stall does not move the rest.
 */
async function sendFrames(
  sound: Sound,
  parts: SenderParts & { readonly signal: AbortSignal; readonly pacing: Pacing },
): Promise<SentSound> {
  const { outbox, timing, signal, pacing } = parts;
  const { sampleRateHz } = sound.format;
  const startMs = timing.clock.nowMs();
  const dueMs = (sample: number): number => startMs + (sample * 1_000) / sampleRateHz;
  // One waiter at a time. A race against one promise for the whole utterance would leave a reaction at it for each frame.
  let wake = (): void => undefined;
  const aborted = (): void => wake();
  signal.addEventListener('abort', aborted, { once: true });
  const unwanted = (): boolean => signal.aborted || outbox.isClosed || sound.growth?.state === 'broken';
  const waitFor = (begin: (done: () => void) => void): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      begin(resolve);
    });
  const paced = (sample: number): Promise<void> | null =>
    pacing === 'fast' || unwanted() ? null : waitFor((done) => timing.pacer.at(dueMs(sample), done));
  const isGrowing = (): boolean => sound.growth?.state === 'growing';
  /** What the frame at this sample waits for; null: nothing. */
  const missing = (sample: number): ((done: () => void) => void) | null => {
    if (unwanted()) return null;
    if (!outbox.isReady) return (done) => outbox.onChange(done);
    if (isGrowing() && framesFrom(sound, sample) === 0) return (done) => sound.growth?.onChange(done);
    return null;
  };

  const most = pacing === 'realtime' ? 1 : Number.POSITIVE_INFINITY;
  let at = 0;
  while (at < sound.samples || isGrowing()) {
    await paced(at);
    for (let what = missing(at); what !== null; what = missing(at)) await waitFor(what);
    if (unwanted()) break;
    const ready = framesFrom(sound, at);
    if (ready === 0) continue;
    const { frames, full } = outbox.pushFrames(sound, at, Math.min(most, ready));
    at = Math.min(sound.samples, at + frames * sound.samplesPerFrame);
    if (full !== null) await full;
  }
  // The customer has spoken when the last sample has been heard, not when it was sent.
  await paced(at);
  signal.removeEventListener('abort', aborted);
  return { samples: at, sampleRateHz, wholeSamples: sound.wholeSamples };
}
