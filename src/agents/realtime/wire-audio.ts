import { decodeALaw, decodeMuLaw, encodeALaw, encodeMuLaw, resample } from '../../audio/index.js';
import { pcm16FromBytes, pcm16ToBytes } from '../../protocol/index.js';

/** How sound travels on a realtime line. */
export type WireEncoding = 'pcm16' | 'mulaw' | 'alaw';

export interface WireFormat {
  readonly encoding: WireEncoding;
  readonly sampleRateHz: number;
}

export interface Sound {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
}

const bytesPerSample = ({ encoding }: WireFormat): number => (encoding === 'pcm16' ? 2 : 1);

/** Length of so many bytes. G.711 has one byte a sample, PCM16 two. */
export function bytesToMs(bytes: number, format: WireFormat): number {
  return (bytes * 1000) / (bytesPerSample(format) * format.sampleRateHz);
}

export function soundMs({ samples, sampleRateHz }: Sound): number {
  return (samples.length * 1000) / sampleRateHz;
}

/** Any sound as bytes of the line's format. */
export function encodeSound({ samples, sampleRateHz }: Sound, format: WireFormat): Buffer {
  const fitting =
    sampleRateHz === format.sampleRateHz ? samples : resample(samples, sampleRateHz, format.sampleRateHz);
  if (format.encoding === 'mulaw') return Buffer.from(encodeMuLaw(fitting));
  if (format.encoding === 'alaw') return Buffer.from(encodeALaw(fitting));
  return Buffer.from(pcm16ToBytes(fitting));
}

/** What came, as samples at the line's own rate; half a sample at the end is dropped. */
export function decodeSound(bytes: Buffer, format: WireFormat): Sound {
  const { encoding, sampleRateHz } = format;
  if (encoding === 'mulaw') return { samples: decodeMuLaw(bytes), sampleRateHz };
  if (encoding === 'alaw') return { samples: decodeALaw(bytes), sampleRateHz };
  return { samples: pcm16FromBytes(bytes.subarray(0, bytes.length - (bytes.length % 2))), sampleRateHz };
}

export function silence(durationMs: number, sampleRateHz: number): Sound {
  return { samples: new Int16Array(Math.round((durationMs * sampleRateHz) / 1000)), sampleRateHz };
}

export function joinSound(parts: readonly Sound[]): Sound | null {
  const first = parts[0];
  if (first === undefined) return null;
  const samples = new Int16Array(parts.reduce((sum, part) => sum + part.samples.length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part.samples, at);
    at += part.samples.length;
  }
  return { samples, sampleRateHz: first.sampleRateHz };
}
