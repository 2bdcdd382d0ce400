import { AudioFormatError } from '../errors.js';
import type { Pcm } from '../pcm.js';
import { resample } from '../resample/resample.js';

/** Something that was said, at a time on the call's clock. */
export interface CallUtterance {
  readonly startMs: number;
  readonly clip: Pcm;
}

/** A call of two: customer left, agent right, both of shape [n]. */
export interface StereoCall {
  readonly left: Int16Array;
  readonly right: Int16Array;
  readonly sampleRateHz: number;
}

/** Two hours at 24 kHz; a bound against times that only pretend to belong to a call. */
const MAX_SAMPLES = 200_000_000;

function addTrack(track: Int16Array, utterances: readonly CallUtterance[], sampleRateHz: number): void {
  for (const { startMs, clip } of utterances) {
    const start = Math.round((startMs * sampleRateHz) / 1000);
    const samples = resample(clip.samples, clip.sampleRateHz, sampleRateHz);
    for (let i = 0; i < samples.length; i += 1) {
      const sum = (track[start + i] as number) + (samples[i] as number);
      track[start + i] = Math.max(-32_768, Math.min(32_767, sum));
    }
  }
}

/**
 * Both sides of a call on one clock. Clips of other rates are converted; clips of one side that overlap are added. Throws
 * `AudioFormatError` on a time before the call or beyond all calls.
 */
export function mixCall(
  sides: { customer: readonly CallUtterance[]; agent: readonly CallUtterance[] },
  sampleRateHz: number,
): StereoCall {
  let length = 0;
  for (const { startMs, clip } of [...sides.customer, ...sides.agent]) {
    if (!(startMs >= 0))
      throw new AudioFormatError(`an utterance starts at ${startMs} ms; a call starts at 0`);
    const start = Math.round((startMs * sampleRateHz) / 1000);
    length = Math.max(length, start + Math.round((clip.samples.length * sampleRateHz) / clip.sampleRateHz));
  }
  if (length > MAX_SAMPLES)
    throw new AudioFormatError(`a call may have ${MAX_SAMPLES} samples; this one has ${length}`);
  const call = { left: new Int16Array(length), right: new Int16Array(length), sampleRateHz };
  addTrack(call.left, sides.customer, sampleRateHz);
  addTrack(call.right, sides.agent, sampleRateHz);
  return call;
}
