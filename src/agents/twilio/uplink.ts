import type { Clock } from '../../shared/index.js';
import { FRAME_BYTES, FRAME_MS, SILENT_BYTE } from './media-message.js';
import type { Pace } from './playout.js';

export interface UplinkOptions {
  readonly pace: Pace;
  readonly clock: Clock;
  /** In `fast` the silence that follows each utterance, so that the agent's own voice detection finds its end. */
  readonly tailSilenceMs: number;
  readonly send: (frame: Uint8Array, timestampMs: number) => void;
}

/**
 * The customer's side of the line. In `realtime` a frame goes out every 20 ms as on a telephone, silence while nobody speaks,
 * each one against the stream's start and not after the one before. In `fast` only what is said goes out, at once.
 */
export class Uplink {
  readonly #options: UplinkOptions;
  readonly #startMs: number;
  #frames: Uint8Array[] = [];
  #sent = 0;
  #onDrained: (() => void)[] = [];
  #cancelTimer: () => void = () => undefined;

  constructor(options: UplinkOptions) {
    this.#options = options;
    this.#startMs = options.clock.nowMs();
    if (options.pace === 'realtime') this.#tick();
  }

  /** Queues one utterance: µ-law at 8 kHz. */
  say(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += FRAME_BYTES) {
      const frame = new Uint8Array(FRAME_BYTES).fill(SILENT_BYTE);
      frame.set(bytes.subarray(at, at + FRAME_BYTES));
      this.#frames.push(frame);
    }
    if (this.#options.pace === 'realtime') return;
    const tailFrames = Math.ceil(this.#options.tailSilenceMs / FRAME_MS);
    for (let count = 0; count < tailFrames; count += 1)
      this.#frames.push(new Uint8Array(FRAME_BYTES).fill(SILENT_BYTE));
    while (this.#frames.length > 0) this.#sendFrame();
  }

  /** Resolves when all that was queued is on the line. */
  drained(): Promise<void> {
    if (this.#frames.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onDrained.push(resolve);
    });
  }

  /** Sends nothing more; safe twice. */
  stop(): void {
    this.#cancelTimer();
    this.#frames = [];
    this.#settle();
  }

  #settle(): void {
    const waiting = this.#onDrained;
    this.#onDrained = [];
    for (const resolve of waiting) resolve();
  }

  #sendFrame(): void {
    const frame = this.#frames.shift() ?? new Uint8Array(FRAME_BYTES).fill(SILENT_BYTE);
    this.#options.send(frame, this.#sent * FRAME_MS);
    this.#sent += 1;
    if (this.#frames.length === 0) this.#settle();
  }

  #tick(): void {
    const { clock } = this.#options;
    // After a late timer several frames are due: the line keeps its rate.
    while (this.#startMs + this.#sent * FRAME_MS <= clock.nowMs()) this.#sendFrame();
    this.#cancelTimer = clock.after(this.#startMs + this.#sent * FRAME_MS - clock.nowMs(), () =>
      this.#tick(),
    );
  }
}
