import type { Clock } from '../../shared/index.js';
import { FRAME_BYTES, FRAME_MS, SILENT_BYTE } from './media-message.js';

export type Pace = 'realtime' | 'fast';

export interface PlayoutOptions {
  /** `realtime`: a second of sound plays for a second. `fast`: everything has been played as soon as it has come. */
  readonly pace: Pace;
  readonly clock: Clock;
  /** A frame of 20 ms has been played: it was heard. */
  readonly onFrame: (frame: Uint8Array) => void;
  /** Everything before the mark has been played, or (`heard` false) thrown away. */
  readonly onMark: (name: string, heard: boolean) => void;
}

type Item =
  | { readonly type: 'frame'; readonly frame: Uint8Array; readonly dueMs: number }
  | { readonly type: 'mark'; readonly name: string; readonly dueMs: number };

/** Sound that waits to be played, at most; an agent that sends more does not mean a call. */
const MAX_WAITING_MS = 10 * 60_000;

/**
 * The telephone's loudspeaker: plays what the agent sends one after the other, and can be emptied. Each item knows when it is
 * due from the moment it comes, so delays of single timers do not add up.
 */
export class Playout {
  readonly #options: PlayoutOptions;
  #items: Item[] = [];
  /** When all that has come will have been played. */
  #endMs = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(options: PlayoutOptions) {
    this.#options = options;
  }

  /** How long what has come will still play. */
  get waitingMs(): number {
    return Math.max(0, this.#endMs - this.#options.clock.nowMs());
  }

  /** Takes µ-law bytes. False: there is too much already, nothing was taken. */
  push(bytes: Uint8Array): boolean {
    if (this.waitingMs > MAX_WAITING_MS) return false;
    this.#endMs = Math.max(this.#endMs, this.#options.clock.nowMs());
    for (let at = 0; at < bytes.length; at += FRAME_BYTES) {
      const part = bytes.subarray(at, at + FRAME_BYTES);
      const frame = new Uint8Array(FRAME_BYTES).fill(SILENT_BYTE);
      frame.set(part);
      if (this.#options.pace === 'realtime') this.#endMs += FRAME_MS;
      this.#items.push({ type: 'frame', frame, dueMs: this.#endMs });
    }
    this.#play();
    return true;
  }

  mark(name: string): void {
    const dueMs = Math.max(this.#endMs, this.#options.clock.nowMs());
    this.#items.push({ type: 'mark', name, dueMs });
    this.#play();
  }

  /** Throws away what has not been played; its marks come back at once. */
  clear(): void {
    this.stop();
    const dropped = this.#items;
    this.#items = [];
    this.#endMs = this.#options.clock.nowMs();
    for (const item of dropped) if (item.type === 'mark') this.#options.onMark(item.name, false);
  }

  /** Plays nothing more; safe twice. */
  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** Takes everything that is due, then waits for the next item. */
  #play(): void {
    const nowMs = this.#options.clock.nowMs();
    const waiting = this.#items.findIndex(({ dueMs }) => dueMs > nowMs);
    const due = this.#items.splice(0, waiting === -1 ? this.#items.length : waiting);
    for (const item of due) {
      if (item.type === 'frame') this.#options.onFrame(item.frame);
      else this.#options.onMark(item.name, true);
    }
    const next = this.#items[0];
    if (next === undefined || this.#cancelTimer !== null) return;
    this.#cancelTimer = this.#options.clock.after(next.dueMs - nowMs, () => {
      this.#cancelTimer = null;
      this.#play();
    });
  }
}
