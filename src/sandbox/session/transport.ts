import type { OutgoingEvent } from './state.js';

/** The seam between a session and whatever carries it; it numbers everything that goes out. */
export interface SessionTransport {
  /** A closed connection swallows it. */
  send(event: OutgoingEvent): void;
  /**
   * Sends an utterance's samples as frames, as quickly as the other side reads them.
   * Resolves when the last one was handed over, or early when the connection is closed or nobody wants it any more.
   */
  sendAudio(audio: OutgoingAudio): Promise<void>;
}

export interface OutgoingAudio {
  readonly utterance: number;
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
  /** Asked before each frame. */
  readonly stillWanted: () => boolean;
}
