import { endianness } from 'node:os';
import { ParlorError } from '../shared/index.js';

/**
 * The binary frame: 16 bytes of header, little-endian, then PCM16 samples (mono, little-endian).
 *
 * | byte | type | field        | meaning                                                               |
 * | ---- | ---- | ------------ | --------------------------------------------------------------------- |
 * | 0    | u8   | magic        | 0x50, "P"                                                             |
 * | 1    | u8   | version      | 1                                                                     |
 * | 2    | u8   | kind         | 1: audio of the customer                                              |
 * | 3    | u8   | reserved     | 0                                                                     |
 * | 4    | u32  | seq          | the connection's counter, shared with the text events                 |
 * | 8    | u32  | utterance    | which utterance of the customer, as in `customer.start`               |
 * | 12   | u32  | sampleOffset | samples of this utterance before the frame: a gap would show at once  |
 * | 16   | i16… | samples      | at least one                                                          |
 */
export interface AudioFrame {
  readonly seq: number;
  readonly utterance: number;
  readonly sampleOffset: number;
  readonly samples: Int16Array;
}

export const AUDIO_HEADER_BYTES = 16;
const HOST_IS_LITTLE_ENDIAN = endianness() === 'LE';
const MAGIC = 0x50;
const VERSION = 1;
const KIND_CUSTOMER_AUDIO = 1;

/** A binary frame that is not an audio frame of this protocol. */
export class BadAudioFrameError extends ParlorError {
  constructor(message: string) {
    super('bad-audio-frame', message);
  }
}

export function encodeAudioFrame(frame: AudioFrame): Uint8Array {
  const bytes = new Uint8Array(AUDIO_HEADER_BYTES + frame.samples.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, MAGIC);
  view.setUint8(1, VERSION);
  view.setUint8(2, KIND_CUSTOMER_AUDIO);
  view.setUint32(4, frame.seq, true);
  view.setUint32(8, frame.utterance, true);
  view.setUint32(12, frame.sampleOffset, true);
  const { buffer, byteOffset, byteLength } = frame.samples;
  bytes.set(new Uint8Array(buffer, byteOffset, byteLength), AUDIO_HEADER_BYTES);
  if (!HOST_IS_LITTLE_ENDIAN) Buffer.from(bytes.buffer, AUDIO_HEADER_BYTES).swap16();
  return bytes;
}

/** Reads a frame from any bytes; the samples are a copy. Throws `BadAudioFrameError`, never anything else. */
export function decodeAudioFrame(bytes: Uint8Array): AudioFrame {
  const sampleBytes = bytes.byteLength - AUDIO_HEADER_BYTES;
  if (sampleBytes < 2 || sampleBytes % 2 !== 0)
    throw new BadAudioFrameError(
      `an audio frame is ${AUDIO_HEADER_BYTES} bytes of header and an even number of sample bytes, at least 2; got ${bytes.byteLength} bytes in all`,
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = [view.getUint8(0), view.getUint8(1), view.getUint8(2), view.getUint8(3)];
  if (found.join() !== [MAGIC, VERSION, KIND_CUSTOMER_AUDIO, 0].join())
    throw new BadAudioFrameError(
      `an audio frame of version ${VERSION} starts with the bytes ${MAGIC} ${VERSION} ${KIND_CUSTOMER_AUDIO} 0; got ${found.join(' ')}`,
    );
  // A copy at an even address: what comes from a socket may lie anywhere.
  const body = Buffer.alloc(sampleBytes);
  body.set(bytes.subarray(AUDIO_HEADER_BYTES));
  if (!HOST_IS_LITTLE_ENDIAN) body.swap16();
  const samples = new Int16Array(body.buffer, body.byteOffset, sampleBytes / 2);
  return {
    seq: view.getUint32(4, true),
    utterance: view.getUint32(8, true),
    sampleOffset: view.getUint32(12, true),
    samples,
  };
}
