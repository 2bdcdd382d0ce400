/** Frames that come later than the last one has been played by so much leave a gap; those in between are jitter. */
const JITTER_MS = 60;

/**
 * An upload as it is played to the customer while it comes: each sample when it has come, and after those before it. So who
 * sends at the pace of speech is heard at once, and who sends faster is heard at the pace of speech.
 */
export class UploadPlayout {
  /** Samples of the call's clock for one of the upload. */
  readonly #ratio: number;
  readonly #jitterSamples: number;
  /** Silence within it, in samples of the upload. */
  readonly #gaps: { readonly at: number; readonly samples: number }[] = [];
  #came = 0;
  #silence = 0;
  #startSample: number | null = null;

  constructor(uploadRateHz: number, callRateHz: number) {
    this.#ratio = callRateHz / uploadRateHz;
    this.#jitterSamples = (JITTER_MS * callRateHz) / 1_000;
  }

  /** On the call's clock; null: nothing has come. */
  get startSample(): number | null {
    return this.#startSample;
  }

  /** Where all that has come will have been heard. */
  get endSample(): number | null {
    if (this.#startSample === null) return null;
    return this.#startSample + Math.round((this.#came + this.#silence) * this.#ratio);
  }

  /** @returns the silence before them, in samples of the upload */
  add(samples: number, now: number): number {
    this.#startSample ??= now;
    const late = now - (this.endSample ?? now);
    const silence = late > this.#jitterSamples ? Math.round(late / this.#ratio) : 0;
    if (silence > 0) this.#gaps.push({ at: this.#came, samples: silence });
    this.#silence += silence;
    this.#came += samples;
    return silence;
  }

  /** Where a sample of the upload is in what `withSilence` gives. */
  moved(sample: number): number {
    return this.#gaps.reduce((sum, gap) => sum + (gap.at <= sample ? gap.samples : 0), sample);
  }

  /** The whole upload as it was heard. */
  withSilence(samples: Int16Array): Int16Array {
    if (this.#gaps.length === 0) return samples;
    const heard = new Int16Array(samples.length + this.#silence);
    let [from, to] = [0, 0];
    for (const gap of [...this.#gaps, { at: samples.length, samples: 0 }]) {
      heard.set(samples.subarray(from, gap.at), to);
      to += gap.at - from + gap.samples;
      from = gap.at;
    }
    return heard;
  }
}
