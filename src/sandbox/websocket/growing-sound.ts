import { createResampler } from '../../audio/index.js';
import { type AudioFormat, BYTES_PER_SAMPLE } from '../../protocol/index.js';
import type { GrowingClip } from '../../speech/index.js';
import { encodeSamples, type Sound, type SoundGrowth, samplesPerFrameOf, silentSamples } from './sound.js';

interface GrowingSoundParts {
  readonly utterance: number;
  readonly format: AudioFormat;
  readonly sampleOffset: number;
  readonly trailingSilenceMs?: number | undefined;
}

type Resampler = ReturnType<typeof createResampler>;

const FIRST_BYTES = 65_536;

/**
 * The sound of a clip that is still being made, converted piece by piece. What is there does not change any more, so that a frame
 * which is replayed is the frame that was sent; in the end all of it is what `makeSound` makes of the whole clip.
 */
export class GrowingSound implements Sound {
  readonly utterance: number;
  readonly format: AudioFormat;
  readonly sampleOffset: number;
  readonly samplesPerFrame: number;
  readonly growth: SoundGrowth;
  /** Resolves when nothing more comes, for whatever reason. */
  readonly ended: Promise<void>;
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #wholeSamples = 0;
  #state: SoundGrowth['state'] = 'growing';
  #waiting: (() => void)[] = [];

  constructor(clip: GrowingClip, parts: GrowingSoundParts) {
    const { utterance, format, sampleOffset, trailingSilenceMs = 0 } = parts;
    this.utterance = utterance;
    this.format = format;
    this.sampleOffset = sampleOffset;
    this.samplesPerFrame = samplesPerFrameOf(format);
    const getState = (): SoundGrowth['state'] => this.#state;
    this.growth = {
      get state() {
        return getState();
      },
      onChange: (call) => this.#waiting.push(call),
    };
    const { sampleRateHz: fromHz } = clip;
    const resampler = fromHz === format.sampleRateHz ? null : createResampler(fromHz, format.sampleRateHz);
    this.ended = this.#follow(clip, resampler, silentSamples(trailingSilenceMs, format));
  }

  get data(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  get samples(): number {
    return this.#length / BYTES_PER_SAMPLE[this.format.encoding];
  }

  /** 0 until it is whole. */
  get wholeSamples(): number {
    return this.#wholeSamples;
  }

  async #follow(clip: GrowingClip, resampler: Resampler | null, silence: number): Promise<void> {
    try {
      await clip.follow((samples) => this.#add(resampler?.push(samples) ?? samples));
      if (resampler !== null) this.#add(resampler.end());
      this.#wholeSamples = this.samples;
      this.#add(new Int16Array(silence));
      this.#state = 'whole';
    } catch {
      // Who makes the clip tells the session why.
      this.#state = 'broken';
    }
    this.#wake();
  }

  #add(samples: Int16Array): void {
    const data = encodeSamples(samples, this.format);
    const length = this.#length + data.length;
    if (length > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      bytes.set(this.data);
      this.#bytes = bytes;
    }
    this.#bytes.set(data, this.#length);
    this.#length = length;
    this.#wake();
  }

  #wake(): void {
    for (const call of this.#waiting.splice(0)) call();
  }
}
