import wavefile from 'wavefile';
import { describeError } from '../../shared/index.js';
import { AudioFormatError } from '../errors.js';
import type { Pcm } from '../pcm.js';
import { readWavParts, type WavParts } from './wav-chunks.js';

const HEADER_BYTES = 44;
/** About nine minutes of stereo at 48 kHz; a bound against files that only pretend to be speech. */
const MAX_WAV_BYTES = 100_000_000;

/** WAV format numbers: PCM, float, A-law, µ-law. */
const PCM = 1;
const A_LAW = 6;
const MU_LAW = 7;
/** The depths that each can have, and what `wavefile` calls them. */
const DEPTHS: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  [PCM]: { 8: '8', 16: '16', 24: '24', 32: '32' },
  3: { 32: '32f', 64: '64' },
  [A_LAW]: { 8: '8a' },
  [MU_LAW]: { 8: '8m' },
};
const MAX_CHANNELS = 32;

const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function pcmBytes(samples: Int16Array): Uint8Array {
  if (littleEndian) return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, i) => {
    view.setInt16(i * 2, sample, true);
  });
  return bytes;
}

function pcmSamples(bytes: Uint8Array, dataBytes: number): Int16Array {
  const samples = new Int16Array(dataBytes / 2);
  const data = bytes.subarray(HEADER_BYTES, HEADER_BYTES + dataBytes);
  if (littleEndian) {
    new Uint8Array(samples.buffer).set(data);
    return samples;
  }
  const view = new DataView(data.buffer, data.byteOffset, dataBytes);
  for (let i = 0; i < samples.length; i += 1) samples[i] = view.getInt16(2 * i, true);
  return samples;
}

function writeTag(bytes: Uint8Array, offset: number, tag: string): void {
  for (let i = 0; i < tag.length; i += 1) bytes[offset + i] = tag.charCodeAt(i);
}

/** The canonical 44-byte header and the samples, interleaved if there are two channels. */
function encodeChannels(samples: Int16Array, sampleRateHz: number, channels: 1 | 2): Uint8Array {
  const dataBytes = samples.length * 2;
  const bytes = new Uint8Array(HEADER_BYTES + dataBytes);
  const view = new DataView(bytes.buffer);
  writeTag(bytes, 0, 'RIFF');
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  writeTag(bytes, 8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * 2 * channels, true);
  view.setUint16(32, 2 * channels, true);
  view.setUint16(34, 16, true);
  writeTag(bytes, 36, 'data');
  view.setUint32(40, dataBytes, true);
  bytes.set(pcmBytes(samples), HEADER_BYTES);
  return bytes;
}

/**
 * A WAV file with the canonical 44-byte header: `RIFF`, `fmt ` (PCM, mono, 16 bits), `data`. The same bytes that the package
 * `wavefile` writes, without its copies of every sample.
 */
export function encodeWav(pcm: Pcm): Uint8Array {
  return encodeChannels(pcm.samples, pcm.sampleRateHz, 1);
}

/** Two channels of shape [n] as one WAV file of 16 bits. */
export function encodeStereoWav(left: Int16Array, right: Int16Array, sampleRateHz: number): Uint8Array {
  if (left.length !== right.length)
    throw new AudioFormatError(
      `both channels need the same length; got ${left.length} and ${right.length} samples`,
    );
  const samples = new Int16Array(2 * left.length);
  for (let i = 0; i < left.length; i += 1) {
    samples[2 * i] = left[i] as number;
    samples[2 * i + 1] = right[i] as number;
  }
  return encodeChannels(samples, sampleRateHz, 2);
}

/** Samples of a canonical mono PCM16 file, or null if the file is anything else. */
function decodeCanonical(bytes: Uint8Array): Pcm | null {
  if (bytes.length < HEADER_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dataBytes = view.getUint32(40, true);
  const canonical =
    view.getUint32(0) === 0x52494646 &&
    view.getUint32(8) === 0x57415645 &&
    view.getUint32(12) === 0x666d7420 &&
    view.getUint32(16, true) === 16 &&
    view.getUint32(20, true) === 0x0001_0001 &&
    view.getUint16(34, true) === 16 &&
    view.getUint32(36) === 0x64617461 &&
    dataBytes % 2 === 0 &&
    dataBytes > 0 &&
    dataBytes <= bytes.length - HEADER_BYTES;
  if (!canonical) return null;
  return { samples: pcmSamples(bytes, dataBytes), sampleRateHz: view.getUint32(24, true) };
}

function mixToMono(channels: ArrayLike<number> | readonly ArrayLike<number>[]): Int16Array {
  const list = Array.isArray(channels) ? (channels as ArrayLike<number>[]) : null;
  if (list === null) return Int16Array.from(channels as ArrayLike<number>);
  const length = list[0]?.length ?? 0;
  const mono = new Int16Array(length);
  for (let i = 0; i < length; i += 1) {
    let sum = 0;
    for (const channel of list) sum += channel[i] ?? 0;
    mono[i] = Math.round(sum / list.length);
  }
  return mono;
}

/** Samples of 16 bits, shape [n] of one channel or interleaved, by way of `wavefile`. */
function toWaveFile({ format, channels, sampleRateHz, bitsPerSample, data }: WavParts): wavefile.WaveFile {
  const depth = DEPTHS[format]?.[bitsPerSample];
  if (depth === undefined || channels < 1 || channels > MAX_CHANNELS) {
    throw new AudioFormatError(
      `expected PCM of 8 to 32 bits, float, A-law or µ-law in 1 to ${MAX_CHANNELS} channels; got WAV format ${format} with ${bitsPerSample} bits in ${channels} channels`,
    );
  }
  checkRate(sampleRateHz);
  const file = new wavefile.WaveFile();
  file.fromScratch(channels, sampleRateHz, depth, []);
  file.fromBuffer(withData(file.toBuffer(), data));
  if (format === A_LAW) file.fromALaw();
  else if (format === MU_LAW) file.fromMuLaw();
  else if (depth !== '16') file.toBitDepth('16');
  return file;
}

/** An empty WAV file of `wavefile` with samples put into it; its last chunk is `data`. */
function withData(empty: Uint8Array, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(empty.length + data.length + (data.length % 2));
  bytes.set(empty);
  bytes.set(data, empty.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(empty.length - 4, data.length, true);
  return bytes;
}

/**
 * Reads a WAV file (PCM of 8 to 32 bits, float, A-law, µ-law, also extensible, also big-endian) as mono 16-bit PCM at the file's
 * own rate; channels are averaged. Sizes that the writer did not know, or got wrong, are worked out from the file; a recording
 * that was cut off gives what is there. Throws `AudioFormatError` on anything else.
 */
export function decodeWav(bytes: Uint8Array): Pcm {
  if (bytes.length > MAX_WAV_BYTES) {
    throw new AudioFormatError(`a WAV file may have ${MAX_WAV_BYTES} bytes; this one has ${bytes.length}`);
  }
  const quick = decodeCanonical(bytes);
  if (quick !== null) return checked(quick);
  try {
    const parts = readWavParts(bytes);
    const file = parts === null ? bigEndianFile(bytes) : toWaveFile(parts);
    const { sampleRate } = file.fmt as { sampleRate: number };
    return checked({ samples: mixToMono(file.getSamples(false, Int16Array)), sampleRateHz: sampleRate });
  } catch (error) {
    if (error instanceof AudioFormatError) throw error;
    throw new AudioFormatError(
      `expected a WAV file; cannot read these ${bytes.length} bytes: ${describeError(error)}`,
      error,
    );
  }
}

/** RIFX, the big-endian form; anything else that `wavefile` might take is refused. */
function bigEndianFile(bytes: Uint8Array): wavefile.WaveFile {
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  if (start !== 'RIFX')
    throw new AudioFormatError(`expected a WAV file; these ${bytes.length} bytes start with no 'RIFF'`);
  const file = new wavefile.WaveFile(bytes);
  const { audioFormat } = file.fmt as { audioFormat: number };
  if (audioFormat !== PCM)
    throw new AudioFormatError(`expected PCM in a RIFX file; got WAV format ${audioFormat}`);
  if (file.bitDepth !== '16') file.toBitDepth('16');
  return file;
}

function checkRate(sampleRateHz: number): void {
  if (sampleRateHz >= 1000 && sampleRateHz <= 384_000) return;
  throw new AudioFormatError(
    `the WAV header gives a sample rate of ${sampleRateHz} Hz; expected 1000 to 384000`,
  );
}

function checked(pcm: Pcm): Pcm {
  checkRate(pcm.sampleRateHz);
  return pcm;
}

/** A WAV file of another depth than 16 bits, for tools that want it; float is -1 to 1. */
export function encodeWavAt(pcm: Pcm, depth: '8' | '24' | '32' | '32f'): Uint8Array {
  const file = new wavefile.WaveFile(encodeWav(pcm));
  file.toBitDepth(depth);
  return file.toBuffer();
}
