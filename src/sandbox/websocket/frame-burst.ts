import { AUDIO_HEADER_BYTES, BYTES_PER_SAMPLE, writeAudioHeader } from '../../protocol/index.js';
import type { Sound } from './sound.js';

/**
 * Several frames of one sound as the bytes of their WebSocket messages, in one piece: a system call, an allocation and a
 * turn of the stream for all of them instead of one each. RFC 6455, section 5.2: what a server sends is not masked, so a
 * message is `0x82` (final, binary), its length in 1 or 3 bytes, and the payload. No frame of ours needs the 64-bit length.
 */
export interface FrameBurst {
  readonly bytes: Buffer;
  /** Bytes of each frame, without what the WebSocket puts around it. */
  readonly lengths: readonly number[];
}

/** As much as is sent between two looks at whether anybody still wants it. */
const BURST_BYTES = 64 * 1024;
const FINAL_BINARY = 0x82;
const SHORT_LENGTH = 125;
const LENGTH_IN_16_BITS = 126;

/** How many frames of this sound may go out at once: at least one, and no more than it takes to fill `roomBytes`. */
export function framesInBurst({ samplesPerFrame, format }: Sound, roomBytes: number): number {
  const frameBytes = AUDIO_HEADER_BYTES + samplesPerFrame * BYTES_PER_SAMPLE[format.encoding];
  return Math.max(1, Math.min(Math.floor(BURST_BYTES / frameBytes), Math.ceil(roomBytes / frameBytes)));
}

/** At most `frames` frames, the first with number `seq` and from sample `from` of the utterance on. Binary transport only. */
export function cutBurst(
  sound: Sound,
  from: number,
  { seq, frames: most }: { readonly seq: number; readonly frames: number },
): FrameBurst {
  const { utterance, samplesPerFrame, samples, data } = sound;
  const width = BYTES_PER_SAMPLE[sound.format.encoding];
  const frames = Math.min(most, Math.ceil((samples - from) / samplesPerFrame));
  const soundBytes = Math.min(frames * samplesPerFrame, samples - from) * width;
  // Four bytes of WebSocket header at most; a short last frame leaves two unused.
  const bytes = Buffer.allocUnsafe(frames * (4 + AUDIO_HEADER_BYTES) + soundBytes);
  const lengths: number[] = [];
  let end = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    const at = from + frame * samplesPerFrame;
    const stop = Math.min(samples, at + samplesPerFrame);
    const length = AUDIO_HEADER_BYTES + (stop - at) * width;
    bytes[end] = FINAL_BINARY;
    if (length <= SHORT_LENGTH) {
      bytes[end + 1] = length;
      end += 2;
    } else {
      bytes[end + 1] = LENGTH_IN_16_BITS;
      bytes.writeUInt16BE(length, end + 2);
      end += 4;
    }
    writeAudioHeader(bytes, end, {
      ...{ kind: 'customer', seq: seq + frame, utterance, sampleOffset: sound.sampleOffset + at },
    });
    bytes.set(data.subarray(at * width, stop * width), end + AUDIO_HEADER_BYTES);
    end += length;
    lengths.push(length);
  }
  return { bytes: bytes.subarray(0, end), lengths };
}
