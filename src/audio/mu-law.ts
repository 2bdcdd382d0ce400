/**
 * µ-law (ITU-T G.711): 14-bit amplitude on a logarithmic scale in one byte, as telephones carry it. A byte is, inverted,
 * sign (1 bit), exponent (3), mantissa (4); 33 is the bias that makes the segments meet.
 */
const BIAS = 0x84;
const LIMIT = 32635;

function decodeByte(byte: number): number {
  const inverted = ~byte & 0xff;
  const exponent = (inverted >> 4) & 7;
  const size = (((inverted & 0x0f) << 3) + BIAS) << exponent;
  return inverted & 0x80 ? BIAS - size : size - BIAS;
}

const DECODED = Int16Array.from({ length: 256 }, (_, byte) => decodeByte(byte));

function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const size = Math.min(Math.abs(sample), LIMIT) + BIAS;
  const exponent = 31 - Math.clz32(size) - 7;
  const mantissa = (size >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

/** PCM16 of shape [n] → µ-law bytes of shape [n]. */
export function encodeMuLaw(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length);
  for (let i = 0; i < samples.length; i += 1) bytes[i] = encodeSample(samples[i] as number);
  return bytes;
}

/** µ-law bytes of shape [n] → PCM16 of shape [n]. Every byte is valid. */
export function decodeMuLaw(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  for (let i = 0; i < bytes.length; i += 1) samples[i] = DECODED[bytes[i] as number] as number;
  return samples;
}
