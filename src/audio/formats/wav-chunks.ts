import { AudioFormatError } from '../errors.js';

/** What a WAV file says of its samples, and their bytes. */
export interface WavParts {
  /** 1 PCM, 3 float, 6 A-law, 7 µ-law; an extensible header (0xFFFE) is replaced by the format inside it. */
  readonly format: number;
  readonly channels: number;
  readonly sampleRateHz: number;
  readonly bitsPerSample: number;
  /** Whole frames of all channels. */
  readonly data: Uint8Array;
}

const EXTENSIBLE = 0xfffe;
const MAX_CHUNKS = 10_000;
const HEADER_BYTES = 8;

const tagAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

function readFormat(view: DataView, at: number, size: number): Omit<WavParts, 'data'> {
  if (size < 16)
    throw new AudioFormatError(`the WAV header's 'fmt ' chunk has ${size} bytes; expected at least 16`);
  const format = view.getUint16(at, true);
  return {
    // An extensible header states the format in the first two bytes of its sub-format, 24 bytes into the chunk.
    format: format === EXTENSIBLE && size >= 26 ? view.getUint16(at + 24, true) : format,
    channels: view.getUint16(at + 2, true),
    sampleRateHz: view.getUint32(at + 4, true),
    bitsPerSample: view.getUint16(at + 14, true),
  };
}

/**
 * Finds format and samples in a RIFF file, as it comes from recorders, browsers and pipes: other chunks in any order, odd chunks
 * with or without their padding byte, a data size that is missing (0 or 0xFFFFFFFF, as streams write it) or larger than the
 * file, a broken last frame. Null if this is no RIFF file. Throws `AudioFormatError` if it is one without format or samples.
 */
export function readWavParts(bytes: Uint8Array): WavParts | null {
  if (bytes.length < 12 || tagAt(bytes, 0) !== 'RIFF' || tagAt(bytes, 8) !== 'WAVE') return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let format: Omit<WavParts, 'data'> | null = null;
  let data: Uint8Array | null = null;
  let at = 12;
  for (let chunks = 0; at + HEADER_BYTES <= bytes.length && chunks < MAX_CHUNKS; chunks += 1) {
    const tag = tagAt(bytes, at);
    const stated = view.getUint32(at + 4, true);
    const start = at + HEADER_BYTES;
    const left = bytes.length - start;
    const size = Math.min(stated, left);
    if (tag === 'fmt ') format = readFormat(view, start, size);
    if (tag === 'data') {
      // A stream's writer could not know the size: all that follows is samples.
      const streamed = stated === 0 || stated === 0xffff_ffff;
      data = bytes.subarray(start, start + (streamed ? left : size));
      if (format !== null) break;
      if (streamed) break;
    }
    at = start + size;
    // Chunks start at even places, but not every writer knows.
    if (size % 2 === 1 && !isChunkTag(bytes, at)) at += 1;
  }
  if (format === null) throw new AudioFormatError("the WAV file has no 'fmt ' chunk");
  if (data === null) throw new AudioFormatError("the WAV file has no 'data' chunk");
  const frameBytes = (format.channels * format.bitsPerSample) / 8;
  const frames = frameBytes > 0 ? Math.floor(data.length / frameBytes) : 0;
  return { ...format, data: data.subarray(0, frames * frameBytes) };
}

/** The format of a WAV file, and where in it the samples are. */
export type WavHead = Omit<WavParts, 'data'> & {
  readonly dataStart: number;
  /** As the header states it; null: all that follows. */
  readonly dataBytes: number | null;
};

/** From the first bytes of a RIFF file. Null as long as they do not reach to its samples, and when they never will. */
export function readWavHead(bytes: Uint8Array): WavHead | null {
  try {
    const parts = readWavParts(bytes);
    if (parts === null) return null;
    const { data, ...format } = parts;
    const dataStart = data.byteOffset - bytes.byteOffset;
    const stated = new DataView(bytes.buffer, bytes.byteOffset).getUint32(dataStart - 4, true);
    return { ...format, dataStart, dataBytes: stated === 0 || stated === 0xffff_ffff ? null : stated };
  } catch (error) {
    if (error instanceof AudioFormatError) return null;
    throw error;
  }
}

function isChunkTag(bytes: Uint8Array, at: number): boolean {
  const tag = bytes.subarray(at, at + 4);
  return tag.length === 4 && tag.every((byte) => byte >= 0x20 && byte < 0x7f);
}
