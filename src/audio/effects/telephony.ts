import { decodeMuLaw, encodeMuLaw } from '../mu-law.js';
import { resample } from '../resample/resample.js';
import { peakOf } from './active-level.js';
import { BUTTERWORTH_4, highPass, lowPass } from './biquad.js';
import { toPcm16 } from './to-pcm16.js';

const TELEPHONE_HZ = 8000;

/**
 * What a telephone leaves of samples of shape [n]: its band, peaks within the headroom (a share of full scale), 8 kHz and µ-law;
 * then back at the rate it came with, shape [n].
 */
export function throughTelephone(
  samples: Float32Array,
  sampleRateHz: number,
  { lowHz, highHz, headroom }: { lowHz: number; highHz: number; headroom: number },
): Float32Array {
  highPass(samples, { cutoffHz: lowHz, sampleRateHz, qualities: BUTTERWORTH_4 });
  lowPass(samples, { cutoffHz: highHz, sampleRateHz, qualities: BUTTERWORTH_4 });
  const limit = headroom * 32_767;
  const peak = peakOf(samples);
  if (peak > limit)
    for (let i = 0; i < samples.length; i += 1) samples[i] = ((samples[i] as number) * limit) / peak;
  const narrow = resample(toPcm16(samples), sampleRateHz, TELEPHONE_HZ, 'fast');
  const heard = resample(decodeMuLaw(encodeMuLaw(narrow)), TELEPHONE_HZ, sampleRateHz, 'fast');
  samples.fill(0);
  samples.set(heard.subarray(0, samples.length));
  return samples;
}
