import type { AudioFormat, Pacing } from '../../protocol/index.js';
import type { Clock } from '../../shared/index.js';
import type { SentSound } from '../session/state.js';
import type { OutgoingAudio } from '../session/transport.js';
import type { Outbox } from './outbox.js';
import type { Pacer } from './pacer.js';
import { makeSound } from './sound.js';

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

/**
 * Sends an utterance frame by frame: as quickly as the client reads, or each frame at its own time, counted from the
 * start of the utterance. Late frames are sent at once, so a stall does not move the rest.
 */
export async function sendSound(
  audio: OutgoingAudio,
  { format, pacing, trailingSilenceMs }: SoundTerms,
  parts: { readonly outbox: Outbox; readonly timing: Timing },
): Promise<SentSound> {
  const { outbox, timing } = parts;
  const { signal, utterance, sampleOffset } = audio;
  const { sampleRateHz } = format;
  const sound = makeSound(audio, { utterance, format, sampleOffset, trailingSilenceMs });
  const startMs = timing.clock.nowMs();
  const dueMs = (sample: number): number => startMs + (sample * 1_000) / sampleRateHz;
  // One waiter at a time. A race against one promise for the whole utterance would leave a reaction at it for each frame.
  let wake = (): void => undefined;
  const aborted = (): void => wake();
  signal.addEventListener('abort', aborted, { once: true });
  const unwanted = (): boolean => signal.aborted || outbox.isClosed;
  const waitFor = (begin: (done: () => void) => void): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      begin(resolve);
    });
  const paced = (sample: number): Promise<void> | null =>
    pacing === 'fast' || unwanted() ? null : waitFor((done) => timing.pacer.at(dueMs(sample), done));

  const most = pacing === 'realtime' ? 1 : Number.POSITIVE_INFINITY;
  let at = 0;
  while (at < sound.samples) {
    await paced(at);
    while (!outbox.isReady && !unwanted()) await waitFor((done) => outbox.onChange(done));
    if (unwanted()) break;
    const { frames, full } = outbox.pushFrames(sound, at, most);
    at = Math.min(sound.samples, at + frames * sound.samplesPerFrame);
    if (full !== null) await full;
  }
  // The customer has spoken when the last sample has been heard, not when it was sent.
  await paced(at);
  signal.removeEventListener('abort', aborted);
  return { samples: at, sampleRateHz, wholeSamples: sound.wholeSamples };
}
