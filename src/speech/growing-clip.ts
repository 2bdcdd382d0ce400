import { SynthesisError } from './errors.js';
import type { Clip, TakeSamples } from './synthesizer.js';

/** A clip that is still being made. */
export interface GrowingClip {
  readonly sampleRateHz: number;
  /**
   * Hands over what is there, and then what comes, in order. Resolves when that was the whole clip; rejects with what kept it from
   * being finished.
   */
  follow(take: (samples: Int16Array) => void): Promise<void>;
}

/** The end of it at which it grows. */
export interface ClipGrowth {
  /** Resolves with the clip when its first samples are there; never, if it comes in one piece or not at all. */
  readonly begun: Promise<GrowingClip>;
  readonly add: TakeSamples;
  /** The clip that it has become. Throws `SynthesisError` when what was handed over before is no part of that. */
  finish(clip: Clip): void;
  fail(error: unknown): void;
}

interface Follower {
  readonly take: (samples: Int16Array) => void;
  readonly end: (error: unknown) => void;
}

export function createClipGrowth(): ClipGrowth {
  const pieces: Int16Array[] = [];
  const followers: Follower[] = [];
  let rateHz = 0;
  /** Null while it grows; `error` null: it is whole. */
  let ended: { readonly error: unknown } | null = null;
  let begin: (clip: GrowingClip) => void = () => undefined;
  const begun = new Promise<GrowingClip>((resolve) => {
    begin = resolve;
  });

  const follow: GrowingClip['follow'] = (take) =>
    new Promise((resolve, reject) => {
      for (const piece of pieces) take(piece);
      const end = (error: unknown): void => (error === null ? resolve() : reject(error));
      if (ended === null) followers.push({ take, end });
      else end(ended.error);
    });

  const add: TakeSamples = (samples, sampleRateHz) => {
    if (ended !== null || samples.length === 0) return;
    if (rateHz === 0) {
      rateHz = sampleRateHz;
      begin({ sampleRateHz, follow });
    }
    pieces.push(samples);
    for (const { take } of followers) take(samples);
  };

  const end = (error: unknown): void => {
    if (ended !== null) return;
    ended = { error };
    for (const follower of followers.splice(0)) follower.end(error);
  };

  return {
    begun,
    add,
    finish(clip) {
      if (ended !== null || rateHz === 0) return;
      let at = 0;
      for (const piece of pieces) {
        if (!piece.every((sample, place) => sample === clip.samples[at + place])) break;
        at += piece.length;
      }
      const given = pieces.reduce((sum, { length }) => sum + length, 0);
      if (at !== given || rateHz !== clip.sampleRateHz)
        throw new SynthesisError(
          `the engine handed over ${given} samples at ${rateHz} Hz that are not how its clip of ${clip.samples.length} at ${clip.sampleRateHz} Hz begins`,
        );
      add(clip.samples.subarray(given), rateHz);
      end(null);
    },
    fail: end,
  };
}
