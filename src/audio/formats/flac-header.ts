import { createHash } from 'node:crypto';
import type { Pcm } from '../pcm.js';

/** STREAMINFO is the first block, after "fLaC" and a block header of 4 bytes each. */
const INFO_AT = 8;
/** 20 bits of rate, 3 of channels, 5 of depth, then 36 bits of length. */
const LENGTH_AT = INFO_AT + 10 + 3;
const MD5_AT = INFO_AT + 18;
const INFO_BYTES = 34;

/**
 * A FLAC file that was written into a pipe says of its length "unknown", which readers take for endless or refuse. Writes
 * the length and the MD5 of the samples into its header, in place.
 */
export function stateFlacLength(file: Uint8Array, { samples }: Pcm): void {
  if (file.length < INFO_AT + INFO_BYTES) return;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const high = Math.floor(samples.length / 2 ** 32) & 0x0f;
  view.setUint8(LENGTH_AT, (view.getUint8(LENGTH_AT) & 0xf0) | high);
  view.setUint32(LENGTH_AT + 1, samples.length >>> 0);
  // Of the samples as they stand in a WAV file: little-endian, whatever this machine's order is.
  const data = new Uint8Array(2 * samples.length);
  const into = new DataView(data.buffer);
  for (let at = 0; at < samples.length; at += 1) into.setInt16(2 * at, samples[at] ?? 0, true);
  file.set(createHash('md5').update(data).digest(), MD5_AT);
}
