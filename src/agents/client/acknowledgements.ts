import { type Incoming, seqOf } from './connection.js';

/** Of a frame beside its samples, at most: the window counts whole frames. */
const OVERHEAD_BYTES = 160;

function bytesOf(item: Incoming): number {
  if (item.kind === 'audio') return item.frame.data.byteLength + OVERHEAD_BYTES;
  return item.event.type === 'customer.audio' ? item.event.data.length + OVERHEAD_BYTES : 0;
}

/** Counts the audio that is taken from the queue, against the window of the episode. */
export class Acknowledgements {
  #windowBytes = 0;
  #unacknowledgedBytes = 0;

  open(windowBytes: number): void {
    this.#windowBytes = windowBytes;
  }

  /**
   * Half a window at a time: the sandbox never waits for a client that reads.
   * @returns the number to acknowledge now, null when there is none
   */
  taken(item: Incoming): number | null {
    if (this.#windowBytes === 0) return null;
    this.#unacknowledgedBytes += bytesOf(item);
    if (this.#unacknowledgedBytes < this.#windowBytes / 2) return null;
    this.#unacknowledgedBytes = 0;
    return seqOf(item);
  }
}
