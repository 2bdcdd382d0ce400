import { sha256Hex } from '../../shared/index.js';
import { TimelineError } from '../errors.js';
import type { Pcm } from '../pcm.js';
import { resample } from '../resample/resample.js';

/** Speech that effects are made from; the caller has it spoken. Clips are read, never changed. */
export interface LineVoices {
  /** What people in the background and on the television say: any lines by several speakers. */
  readonly crowd: readonly Pcm[];
  /** What the customer says to somebody else, by its text. */
  readonly asides: ReadonlyMap<string, Pcm>;
}

export const NO_VOICES: LineVoices = { crowd: [], asides: new Map() };

const digests = new WeakMap<Pcm, string>();
const converted = new WeakMap<Pcm, Map<number, Float32Array>>();

/** SHA-256 of rate and samples, as 16-bit little-endian on every machine that Node runs on. */
export function voiceSha256(pcm: Pcm): string {
  let digest = digests.get(pcm);
  if (digest === undefined) {
    const { samples } = pcm;
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    digest = sha256Hex(
      new Uint8Array([...new Uint8Array(Uint32Array.of(pcm.sampleRateHz).buffer), ...bytes]),
    );
    digests.set(pcm, digest);
  }
  return digest;
}

export function crowdSha256(voices: LineVoices): string {
  return sha256Hex(voices.crowd.map(voiceSha256).join('\n'));
}

/** A voice at the line's rate; kept, since every line of a run asks for the same. */
export function voiceAtRate(pcm: Pcm, sampleRateHz: number): Float32Array {
  let byRate = converted.get(pcm);
  if (byRate === undefined) {
    byRate = new Map();
    converted.set(pcm, byRate);
  }
  let samples = byRate.get(sampleRateHz);
  if (samples === undefined) {
    samples = Float32Array.from(resample(pcm.samples, pcm.sampleRateHz, sampleRateHz));
    byRate.set(sampleRateHz, samples);
  }
  return samples;
}

/** The clip of an aside. Throws `TimelineError` if it is missing or another one than the timeline was made with. */
export function findAside(voices: LineVoices, phrase: string, sha256: string): Pcm {
  const clip = voices.asides.get(phrase);
  if (clip === undefined)
    throw new TimelineError(`the line needs a clip of the aside "${phrase}"; none was given`);
  if (voiceSha256(clip) !== sha256)
    throw new TimelineError(`the clip of the aside "${phrase}" is not the one that this line was made with`);
  return clip;
}
