import { endianness } from 'node:os';
import { ParlorError } from '../shared/index.js';

/**
 * The binary frame: 16 bytes of header, little-endian, then samples (mono) in the negotiated encoding.
 *
 * | byte | type | field        | meaning                                                                    |
 * | ---- | ---- | ------------ | -------------------------------------------------------------------------- |
 * | 0    | u8   | magic        | 0x50, "P"                                                                  |
 * | 1    | u8   | version      | 1                                                                          |
 * | 2    | u8   | kind         | 1: audio of the customer; 2: audio of the agent                            |
 * | 3    | u8   | reserved     | 0                                                                          |
 * | 4    | u32  | seq          | the session's counter, shared with the text events; 0 from the agent       |
 * | 8    | u32  | utterance    | as in `customer.start`; from the agent: `speech`                           |
 * | 12   | u32  | sampleOffset | samples before the frame: of the episode's stream; from the agent, of the speech |
 * | 16   | …    | data         | at least one sample: PCM16 little-endian, or one µ-law byte each           |
 */
export interface AudioFrame {
  readonly kind: FrameKind;
  readonly seq: number;
  readonly utterance: number;
  readonly sampleOffset: number;
  /** Samples as they are written on the wire. */
  readonly data: Uint8Array;
}

export type FrameKind = 'customer' | 'agent';

export const AUDIO_HEADER_BYTES = 16;
const HOST_IS_LITTLE_ENDIAN = endianness() === 'LE';
const MAGIC = 0x50;
const VERSION = 1;
const KINDS: readonly FrameKind[] = ['customer', 'agent'];

/** A binary frame that is not an audio frame of this protocol. */
export class BadAudioFrameError extends ParlorError {
  constructor(message: string) {
    super('bad-audio-frame', message);
  }
}

export function encodeAudioFrame({ data, ...header }: AudioFrame): Uint8Array {
  // From Node's pool, and every byte is written below: thousands of frames a second are made.
  const bytes = Buffer.allocUnsafe(AUDIO_HEADER_BYTES + data.byteLength);
  writeAudioHeader(bytes, 0, header);
  bytes.set(data, AUDIO_HEADER_BYTES);
  return bytes;
}

/** Writes `AUDIO_HEADER_BYTES` from `at` on, for whoever puts many frames into one piece of memory. */
export function writeAudioHeader(
  bytes: Buffer,
  at: number,
  { kind, seq, utterance, sampleOffset }: Omit<AudioFrame, 'data'>,
): void {
  bytes[at] = MAGIC;
  bytes[at + 1] = VERSION;
  bytes[at + 2] = KINDS.indexOf(kind) + 1;
  bytes[at + 3] = 0;
  bytes.writeUInt32LE(seq, at + 4);
  bytes.writeUInt32LE(utterance, at + 8);
  bytes.writeUInt32LE(sampleOffset, at + 12);
}

/** Reads a frame from any bytes; `data` is a view of them. Throws `BadAudioFrameError`, never anything else. */
export function decodeAudioFrame(bytes: Uint8Array): AudioFrame {
  if (bytes.byteLength <= AUDIO_HEADER_BYTES)
    throw new BadAudioFrameError(
      `an audio frame is ${AUDIO_HEADER_BYTES} bytes of header and at least one sample; got ${bytes.byteLength} bytes in all`,
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [magic, version, kindByte, reserved] = bytes;
  const kind = KINDS[view.getUint8(2) - 1];
  if (magic !== MAGIC || version !== VERSION || kind === undefined || reserved !== 0)
    throw new BadAudioFrameError(
      `an audio frame of version ${VERSION} starts with the bytes ${MAGIC} ${VERSION} 1 0 (customer) or ${MAGIC} ${VERSION} 2 0 (agent); got ${magic} ${version} ${kindByte} ${reserved}`,
    );
  return {
    kind,
    seq: view.getUint32(4, true),
    utterance: view.getUint32(8, true),
    sampleOffset: view.getUint32(12, true),
    data: bytes.subarray(AUDIO_HEADER_BYTES),
  };
}

/** PCM16 samples of shape [n] as bytes of shape [2n], little-endian. */
export function pcm16ToBytes(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return HOST_IS_LITTLE_ENDIAN ? bytes : Buffer.from(bytes).swap16();
}

/** Little-endian bytes as PCM16 samples: a copy. Throws `BadAudioFrameError` when their number is odd. */
export function pcm16FromBytes(data: Uint8Array): Int16Array {
  if (data.byteLength % 2 !== 0)
    throw new BadAudioFrameError(`PCM16 has two bytes a sample; got ${data.byteLength} bytes`);
  // A copy at an even address: what comes from a socket may lie anywhere.
  const body = Buffer.alloc(data.byteLength);
  body.set(data);
  if (!HOST_IS_LITTLE_ENDIAN) body.swap16();
  return new Int16Array(body.buffer, body.byteOffset, body.byteLength / 2);
}
