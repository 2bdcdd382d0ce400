import { encodeWav } from '../audio/index.js';
import { sha256Hex } from '../shared/index.js';
import type { Clip } from './synthesizer.js';

/** The clip as the WAV file whose SHA-256 is `SpokenLine.sha256`. */
export function wavBytes(clip: Clip): Uint8Array {
  return encodeWav(clip);
}

/** SHA-256 of the clip's WAV file, in hex. */
export function clipSha256(clip: Clip): string {
  return sha256Hex(wavBytes(clip));
}
