import createSpeexModule from '@echogarden/speex-resampler-wasm/simd';
import { AudioFormatError } from '../errors.js';
import { joinSamples } from '../pcm.js';

/**
 * Sample-rate conversion by the Speex resampler (Kaiser-windowed sinc) in WebAssembly, whose arithmetic is the same on every
 * machine. Loaded while this module is, so that converting needs no waiting. What each quality does to a tone is in docs/speech.md,
 * and tests/audio/resample measures it.
 */
const speex = await createSpeexModule();

/** `standard`: flat to 90 % of the lower Nyquist frequency; `fast`: to 85 %, in half the time. Both keep aliases below -90 dB. */
export type ResampleQuality = 'standard' | 'fast';
const SPEEX_QUALITY: Readonly<Record<ResampleQuality, number>> = { standard: 8, fast: 5 };

const MIN_RATE_HZ = 1000;
const MAX_RATE_HZ = 384_000;

const INPUT_SAMPLES = 8192;
const OUTPUT_SAMPLES = 32_768;
const FLUSH_SAMPLES = 256;
const inputAt = speex._malloc(INPUT_SAMPLES * 2);
const outputAt = speex._malloc(OUTPUT_SAMPLES * 2);
const lengthsAt = speex._malloc(8);

/** Converts a stream piece by piece; pieces of any size give the same samples as the whole at once. */
export interface Resampler {
  /** What can be made from the input so far, shape [k]. The filter looks ahead, so the last few milliseconds stay back. */
  push(samples: Int16Array): Int16Array;
  /** The rest; in all, round(input samples × toHz / fromHz) have then come out. The resampler is used up. */
  end(): Int16Array;
}

function checkRate(name: string, rateHz: number): void {
  if (Number.isInteger(rateHz) && rateHz >= MIN_RATE_HZ && rateHz <= MAX_RATE_HZ) return;
  throw new AudioFormatError(
    `${name} must be a whole number from ${MIN_RATE_HZ} to ${MAX_RATE_HZ}; got ${rateHz}`,
  );
}

/** A resampler that was dropped without `end()` gives its memory back when it is collected. */
const dropped = new FinalizationRegistry<number>((state) => speex._speex_resampler_destroy(state));

/** Feeds one stretch that fits the input buffer and calls back with views of the output, valid only during the call. */
function process(state: number, samples: Int16Array, take: (made: Int16Array) => void): void {
  for (let at = 0; at < samples.length; ) {
    const piece = samples.subarray(at, at + INPUT_SAMPLES);
    speex.HEAP16.set(piece, inputAt / 2);
    speex.HEAPU32[lengthsAt / 4] = piece.length;
    speex.HEAPU32[lengthsAt / 4 + 1] = OUTPUT_SAMPLES;
    speex._speex_resampler_process_int(state, 0, inputAt, lengthsAt, outputAt, lengthsAt + 4);
    const made = speex.HEAPU32[lengthsAt / 4 + 1] as number;
    take(speex.HEAP16.subarray(outputAt / 2, outputAt / 2 + made));
    at += speex.HEAPU32[lengthsAt / 4] as number;
  }
}

/** Throws `AudioFormatError` unless both rates are whole numbers from 1000 to 384000 Hz. */
export function createResampler(
  fromHz: number,
  toHz: number,
  quality: ResampleQuality = 'standard',
): Resampler {
  checkRate('fromHz', fromHz);
  checkRate('toHz', toHz);
  const state = speex._speex_resampler_init(1, fromHz, toHz, SPEEX_QUALITY[quality], 0);
  if (state === 0)
    throw new AudioFormatError(`cannot convert ${fromHz} Hz to ${toHz} Hz: no memory for the filter`);
  speex._speex_resampler_skip_zeros(state);
  let taken = 0;
  let made = 0;
  let ended = false;

  function convert(samples: Int16Array, limit: number): Int16Array {
    const parts: Int16Array[] = [];
    let length = 0;
    process(state, samples, (piece) => {
      const part = piece.slice(0, Math.max(0, limit - made - length));
      parts.push(part);
      length += part.length;
    });
    made += length;
    return joinSamples(parts);
  }

  const resampler: Resampler = {
    push(samples) {
      if (ended) throw new RangeError('this resampler has ended; create another for another stream');
      taken += samples.length;
      return convert(samples, Number.POSITIVE_INFINITY);
    },
    end() {
      if (ended) return new Int16Array(0);
      ended = true;
      const total = Math.round((taken * toHz) / fromHz);
      // Silence pushes the rest out of the filter, whatever its length.
      const silence = new Int16Array(FLUSH_SAMPLES);
      const parts: Int16Array[] = [];
      while (made < total) parts.push(convert(silence, total));
      dropped.unregister(resampler);
      speex._speex_resampler_destroy(state);
      return joinSamples(parts);
    },
  };
  dropped.register(resampler, state, resampler);
  return resampler;
}
