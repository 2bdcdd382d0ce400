import type { GrowingClip } from '../../speech/index.js';
import type { OutgoingEvent, SentSound } from './state.js';

/** The seam between a session and whatever carries it; it numbers everything that goes out. */
export interface SessionTransport {
  /** A closed connection swallows it, or keeps it for a resume. */
  send(event: OutgoingEvent): void;
  /**
   * Sends an utterance's sound in the format and at the pace that were agreed on. Resolves when the last of it was handed
   * over, or early when the session is gone or the signal says that nobody wants the rest. Rejects when the sound cannot be brought into that format.
   */
  sendAudio(audio: OutgoingAudio): Promise<SentSound>;
  /** The same for sound that is still being made; resolves when the clip has ended as well. Absent: only whole clips can be sent. */
  sendGrowing?(audio: GrowingAudio): Promise<SentSound>;
}

export interface GrowingAudio extends Pick<OutgoingAudio, 'utterance' | 'sampleOffset' | 'signal'> {
  /** When it breaks off, so does the sending: who made it tells the session. */
  readonly clip: GrowingClip;
}

export interface OutgoingAudio {
  readonly utterance: number;
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
  /** The stream's clock: samples of this episode that were sent before, counted as `SentSound` counts them. */
  readonly sampleOffset: number;
  readonly signal: AbortSignal;
  /** Only so many samples of it, counted at the rate at which it is sent; absent: all. */
  readonly limit?: number | undefined;
}
