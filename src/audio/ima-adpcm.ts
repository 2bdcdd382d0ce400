import { readFileSync } from 'node:fs';
import { AudioFormatError } from './errors.js';

/**
 * IMA ADPCM, the block form of WAV format 17 (mono): four bits per sample, each the quantised difference to a running
 * prediction, with a step that grows after large differences and shrinks after small ones. A block starts with its first
 * sample as it is (int16), the step index (uint8) and a zero byte; then two samples per byte, low half first. 505 samples make
 * 256 bytes; the last block is as short as its samples allow. Source: IMA Digital Audio Focus and Technical Working Groups,
 * "Recommended Practices for Enhancing Digital Audio Compatibility", 1992.
 */
const BLOCK_BYTES = 256;
const HEADER_BYTES = 4;
const BLOCK_SAMPLES = 1 + (BLOCK_BYTES - HEADER_BYTES) * 2;

// biome-ignore format: a table reads best in rows
const STEPS = [
  7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118, 130,
  143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282,
  1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493,
  10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
];
const INDEX_CHANGE = [-1, -1, -1, -1, 2, 4, 6, 8];

interface State {
  predicted: number;
  index: number;
}

/** Moves the state by one code, as encoder and decoder both do; gives the decoded sample. */
function advance(state: State, code: number): number {
  const step = STEPS[state.index] as number;
  let difference = step >> 3;
  if (code & 4) difference += step;
  if (code & 2) difference += step >> 1;
  if (code & 1) difference += step >> 2;
  const moved = state.predicted + (code & 8 ? -difference : difference);
  state.predicted = Math.max(-32768, Math.min(32767, moved));
  state.index = Math.max(0, Math.min(88, state.index + (INDEX_CHANGE[code & 7] as number)));
  return state.predicted;
}

function encodeNext(state: State, sample: number): number {
  const step = STEPS[state.index] as number;
  let rest = sample - state.predicted;
  let code = 0;
  if (rest < 0) {
    code = 8;
    rest = -rest;
  }
  if (rest >= step) {
    code |= 4;
    rest -= step;
  }
  if (rest >= step >> 1) {
    code |= 2;
    rest -= step >> 1;
  }
  if (rest >= step >> 2) code |= 1;
  advance(state, code);
  return code;
}

const blockBytes = (sampleCount: number): number => HEADER_BYTES + Math.ceil((sampleCount - 1) / 2);

/** PCM16 of shape [n] → about n/2 bytes (8 kB per second at 16 kHz). The count n has to travel with them. */
export function encodeImaAdpcm(samples: Int16Array): Uint8Array {
  const whole = Math.floor(samples.length / BLOCK_SAMPLES);
  const rest = samples.length % BLOCK_SAMPLES;
  const bytes = new Uint8Array(whole * BLOCK_BYTES + (rest > 0 ? blockBytes(rest) : 0));
  const view = new DataView(bytes.buffer);
  const state: State = { predicted: 0, index: 0 };
  for (let start = 0, at = 0; start < samples.length; start += BLOCK_SAMPLES, at += BLOCK_BYTES) {
    state.predicted = samples[start] as number;
    view.setInt16(at, state.predicted, true);
    view.setUint8(at + 2, state.index);
    const end = Math.min(start + BLOCK_SAMPLES, samples.length);
    for (let i = start + 1; i < end; i += 1) {
      const place = i - start - 1;
      const code = encodeNext(state, samples[i] as number);
      const target = at + HEADER_BYTES + (place >> 1);
      bytes[target] = (bytes[target] as number) | (place & 1 ? code << 4 : code);
    }
  }
  return bytes;
}

/** The reverse: bytes of `encodeImaAdpcm` and their sample count n → PCM16 of shape [n]. Throws `AudioFormatError` if they do not fit. */
export function decodeImaAdpcm(bytes: Uint8Array, sampleCount: number): Int16Array {
  const rest = sampleCount % BLOCK_SAMPLES;
  const expected = Math.floor(sampleCount / BLOCK_SAMPLES) * BLOCK_BYTES + (rest > 0 ? blockBytes(rest) : 0);
  if (bytes.length !== expected) {
    throw new AudioFormatError(
      `${sampleCount} samples of IMA ADPCM are ${expected} bytes; got ${bytes.length}`,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Int16Array(sampleCount);
  for (let start = 0, at = 0; start < sampleCount; start += BLOCK_SAMPLES, at += BLOCK_BYTES) {
    const state: State = { predicted: view.getInt16(at, true), index: Math.min(88, view.getUint8(at + 2)) };
    samples[start] = state.predicted;
    const end = Math.min(start + BLOCK_SAMPLES, sampleCount);
    for (let i = start + 1; i < end; i += 1) {
      const place = i - start - 1;
      const byte = bytes[at + HEADER_BYTES + (place >> 1)] as number;
      samples[i] = advance(state, place & 1 ? byte >> 4 : byte & 15);
    }
  }
  return samples;
}

/**
 * The decoder as a plain browser script: it defines `decodeImaAdpcm(bytes: Uint8Array, sampleCount: number): Int16Array`,
 * for pages that carry their audio inside.
 */
export function imaAdpcmDecoderScript(): string {
  return readFileSync(new URL('./ima-adpcm.client.js', import.meta.url), 'utf8');
}
