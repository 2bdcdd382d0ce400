import { joinSamples } from '../pcm.js';
import { createResampler, type ResampleQuality } from './resampler.js';

/**
 * A whole clip at another rate: PCM16 of shape [n] → shape [round(n × toHz / fromHz)], aligned in time with the input. Equal rates
 * give the samples back as they are. Throws `AudioFormatError` unless both rates are whole numbers from 1000 to 384000 Hz.
 */
export function resample(
  samples: Int16Array,
  fromHz: number,
  toHz: number,
  quality: ResampleQuality = 'standard',
): Int16Array {
  if (fromHz === toHz) return samples;
  const resampler = createResampler(fromHz, toHz, quality);
  return joinSamples([resampler.push(samples), resampler.end()]);
}
