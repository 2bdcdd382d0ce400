/**
 * A-law (ITU-T G.711): 13-bit amplitude on a logarithmic scale in one byte, as telephones outside North America carry it. A
 * byte is sign (1 bit, 1: positive), exponent (3), mantissa (4), with every other bit inverted on the line.
 */
const LINE_MASK = 0x55;

function decodeByte(byte: number): number {
  const plain = byte ^ LINE_MASK;
  const exponent = (plain >> 4) & 7;
  const mantissa = ((plain & 0x0f) << 4) + 8;
  const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return plain & 0x80 ? size : -size;
}

const DECODED = Int16Array.from({ length: 256 }, (_, byte) => decodeByte(byte));

function encodeSample(sample: number): number {
  const isPositive = sample >= 0;
  // Negative amplitudes count from -1, so that both halves have as many steps.
  const size = isPositive ? sample : -sample - 1;
  const exponent = size < 0x100 ? 0 : 31 - Math.clz32(size) - 7;
  const mantissa = (size >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f;
  return ((isPositive ? 0x80 : 0) | (exponent << 4) | mantissa) ^ LINE_MASK;
}

/** PCM16 of shape [n] → A-law bytes of shape [n]. */
export function encodeALaw(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length);
  for (let i = 0; i < samples.length; i += 1) bytes[i] = encodeSample(samples[i] as number);
  return bytes;
}

/** A-law bytes of shape [n] → PCM16 of shape [n]. Every byte is valid. */
export function decodeALaw(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  for (let i = 0; i < bytes.length; i += 1) samples[i] = DECODED[bytes[i] as number] as number;
  return samples;
}
