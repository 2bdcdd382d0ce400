/** Energy in frames of 20 ms: what a server's voice detector comes down to, without its model. */
const FRAME_MS = 20;
const LOUD = 120;

export type VadSign =
  | { readonly type: 'started'; readonly atMs: number }
  | { readonly type: 'stopped'; readonly atMs: number };

/** Listens to a stream of samples; times count from the session's first sample. */
export class StrictVad {
  readonly #frame: number;
  readonly #rateHz: number;
  #rest: number[] = [];
  #heardMs = 0;
  #quietMs = 0;
  speaking = false;

  constructor(rateHz: number) {
    this.#rateHz = rateHz;
    this.#frame = (rateHz * FRAME_MS) / 1000;
  }

  /** Signs in order, each with the samples that lie before it. */
  push(samples: Int16Array, silenceMs: number): VadSign[] {
    const signs: VadSign[] = [];
    for (const sample of samples) {
      this.#rest.push(sample);
      if (this.#rest.length < this.#frame) continue;
      const rms = Math.sqrt(this.#rest.reduce((sum, value) => sum + value * value, 0) / this.#rest.length);
      this.#rest = [];
      this.#heardMs += FRAME_MS;
      if (rms >= LOUD) {
        this.#quietMs = 0;
        if (!this.speaking) signs.push({ type: 'started', atMs: this.#heardMs - FRAME_MS });
        this.speaking = true;
      } else if (this.speaking) {
        this.#quietMs += FRAME_MS;
        if (this.#quietMs < silenceMs) continue;
        this.speaking = false;
        signs.push({ type: 'stopped', atMs: this.#heardMs });
      }
    }
    return signs;
  }

  get rateHz(): number {
    return this.#rateHz;
  }
}
