import { encodeMuLaw, resample } from '../../audio/index.js';
import { type AudioFormat, BYTES_PER_SAMPLE, encodeAudioFrame, pcm16ToBytes } from '../../protocol/index.js';

/** One utterance as it goes over the wire. Frames are cut out of it when they are sent, and again when they are replayed. */
export interface Sound {
  readonly utterance: number;
  readonly format: AudioFormat;
  /** All samples, in the wire's encoding and at its rate. */
  readonly data: Uint8Array;
  readonly samples: number;
  readonly samplesPerFrame: number;
  /** The stream's clock at the first sample. */
  readonly sampleOffset: number;
}

export function makeSound(
  clip: { readonly samples: Int16Array; readonly sampleRateHz: number },
  parts: { readonly utterance: number; readonly format: AudioFormat; readonly sampleOffset: number },
): Sound {
  const { format } = parts;
  const samples = resample(clip.samples, clip.sampleRateHz, format.sampleRateHz);
  const data = format.encoding === 'mulaw' ? encodeMuLaw(samples) : pcm16ToBytes(samples);
  const samplesPerFrame = Math.max(1, Math.round((format.sampleRateHz * format.frameMs) / 1_000));
  return { ...parts, data, samples: samples.length, samplesPerFrame };
}

/** The frame that begins at sample `at` of the utterance: binary, or a `customer.audio` event. */
export function cutFrame(sound: Sound, at: number, seq: number): string | Uint8Array {
  const width = BYTES_PER_SAMPLE[sound.format.encoding];
  const data = sound.data.subarray(at * width, (at + sound.samplesPerFrame) * width);
  const { utterance } = sound;
  const sampleOffset = sound.sampleOffset + at;
  if (sound.format.transport === 'binary')
    return encodeAudioFrame({ kind: 'customer', seq, utterance, sampleOffset, data });
  const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  const samples = data.byteLength / width;
  return JSON.stringify({ type: 'customer.audio', utterance, sampleOffset, samples, data: base64, seq });
}
