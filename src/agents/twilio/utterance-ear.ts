import { decodeMuLaw, measureLevel } from '../../audio/index.js';
import type { Clock } from '../../shared/index.js';
import { FRAME_MS, MEDIA_RATE_HZ } from './media-message.js';

/** Something the agent said. */
export interface AgentUtterance {
  /** As heard, with a little silence at both ends. Empty: only a transcript came. */
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
  /** The words the agent itself gave for it, in order; null: none. */
  readonly transcript: string | null;
}

export interface EarOptions {
  readonly clock: Clock;
  /** Silence that ends an utterance. */
  readonly endSilenceMs: number;
  /** An utterance that does not end by itself is cut here. */
  readonly maxUtteranceMs: number;
  readonly onUtterance: (utterance: AgentUtterance) => void;
}

/** RMS of a frame, relative to full scale, above which it is speech: about -45 dBFS, above line noise, below a whisper. */
const SPEECH_RMS = 0.0056;
/** Fewer loud frames than this are a click. */
const MIN_LOUD_FRAMES = 3;
/** Silence kept before and after. */
const EDGE_FRAMES = 10;
const FRAME_SAMPLES = (MEDIA_RATE_HZ * FRAME_MS) / 1000;

/**
 * Finds where the agent's utterances begin and end, by energy: packets that hold silence are silence, however many come. The
 * end is a timer of its own, so an agent that just stops sending has ended too.
 */
export class UtteranceEar {
  readonly #options: EarOptions;
  #frames: Int16Array[] = [];
  #loudFrames = 0;
  /** Frames since the last loud one. */
  #quietFrames = 0;
  #words: string[] = [];
  #lastSignMs = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(options: EarOptions) {
    this.#options = options;
  }

  /** One frame of 20 ms of µ-law, as it was played. */
  hear(frame: Uint8Array): void {
    const samples = decodeMuLaw(frame);
    const isLoud = measureLevel(samples).rms >= SPEECH_RMS;
    this.#frames.push(samples);
    if (isLoud) {
      this.#loudFrames += 1;
      this.#quietFrames = 0;
      this.#sign();
    } else {
      this.#quietFrames += 1;
      // Before the first word only a little is kept; within an utterance pauses belong to it.
      if (this.#loudFrames === 0) this.#frames = this.#frames.slice(-EDGE_FRAMES);
    }
    if (this.#frames.length * FRAME_MS >= this.#options.maxUtteranceMs) this.end();
  }

  /** Words the agent gives for what it says. */
  read(words: string): void {
    this.#words.push(words);
    this.#sign();
  }

  /** The utterance is over, if there is one; e.g. because the agent says so or hangs up. */
  end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const isSpoken = this.#loudFrames >= MIN_LOUD_FRAMES;
    const transcript = this.#words.length === 0 ? null : this.#words.join(' ').trim();
    const heard = isSpoken
      ? this.#frames.slice(0, this.#frames.length - Math.max(0, this.#quietFrames - EDGE_FRAMES))
      : [];
    this.#frames = [];
    this.#loudFrames = 0;
    this.#quietFrames = 0;
    this.#words = [];
    if (!isSpoken && transcript === null) return;
    const samples = new Int16Array(heard.length * FRAME_SAMPLES);
    for (const [index, frame] of heard.entries()) samples.set(frame, index * FRAME_SAMPLES);
    this.#options.onUtterance({ samples, sampleRateHz: MEDIA_RATE_HZ, transcript });
  }

  /** Hears nothing more; safe twice. */
  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #sign(): void {
    this.#lastSignMs = this.#options.clock.nowMs();
    if (this.#cancelTimer === null) this.#wait(this.#options.endSilenceMs);
  }

  #wait(delayMs: number): void {
    const { clock, endSilenceMs } = this.#options;
    this.#cancelTimer = clock.after(delayMs, () => {
      this.#cancelTimer = null;
      const leftMs = this.#lastSignMs + endSilenceMs - clock.nowMs();
      if (leftMs > 0) this.#wait(leftMs);
      else this.end();
    });
  }
}
