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
  /** Of the utterance, if it were sent to its end; without the silence after it. */
  readonly wholeSamples: number;
  /** The stream's clock at the first sample. */
  readonly sampleOffset: number;
  /** Of a sound that is still being made; then `samples` grows, and `wholeSamples` is known when it is whole. */
  readonly growth?: SoundGrowth | undefined;
}

export interface SoundGrowth {
  readonly state: 'growing' | 'whole' | 'broken';
  /** Calls once, when there is more or there will be no more. */
  onChange(call: () => void): void;
}

/** Frames that can be cut from sample `at` on. The last one may be short, but only where it is the last. */
export function framesFrom({ samples, samplesPerFrame, growth }: Sound, at: number): number {
  const frames = (samples - at) / samplesPerFrame;
  return growth === undefined || growth.state === 'whole' ? Math.ceil(frames) : Math.floor(frames);
}

export function samplesPerFrameOf({ sampleRateHz, frameMs }: AudioFormat): number {
  return Math.max(1, Math.round((sampleRateHz * frameMs) / 1_000));
}

export const encodeSamples = (samples: Int16Array, { encoding }: AudioFormat): Uint8Array =>
  encoding === 'mulaw' ? encodeMuLaw(samples) : pcm16ToBytes(samples);

export const silentSamples = (silentMs: number, { sampleRateHz }: AudioFormat): number =>
  Math.round((silentMs * sampleRateHz) / 1_000);

/** What is sent of an utterance, with the silence after it; and how long the utterance would be as a whole. */
export function makeSound(
  clip: {
    readonly samples: Int16Array;
    readonly sampleRateHz: number;
    /** Only so many samples, at the wire's rate. */
    readonly limit?: number | undefined;
  },
  parts: {
    readonly utterance: number;
    readonly format: AudioFormat;
    readonly sampleOffset: number;
    readonly trailingSilenceMs?: number | undefined;
  },
): Sound {
  const { utterance, format, sampleOffset, trailingSilenceMs = 0 } = parts;
  const { sampleRateHz } = format;
  const whole = resample(clip.samples, clip.sampleRateHz, sampleRateHz);
  const said = whole.subarray(0, clip.limit ?? whole.length);
  const silence = silentSamples(trailingSilenceMs, format);
  const samples =
    silence === 0 ? said : Int16Array.from({ length: said.length + silence }, (_, at) => said[at] ?? 0);
  const data = encodeSamples(samples, format);
  const samplesPerFrame = samplesPerFrameOf(format);
  return {
    ...{ utterance, format, sampleOffset, data, samples: samples.length, samplesPerFrame },
    wholeSamples: whole.length,
  };
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
