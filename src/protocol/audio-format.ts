import { z } from 'zod';

export const audioEncodingSchema = z
  .enum(['pcm16', 'mulaw'])
  .describe('`pcm16`: signed 16-bit, little-endian; `mulaw`: G.711, one byte a sample');
export type AudioEncoding = z.infer<typeof audioEncodingSchema>;

/** How samples are written: mono, always. */
export const sampleFormatSchema = z.object({
  encoding: audioEncodingSchema,
  sampleRateHz: z.number().int().min(1).describe('8000, 16000 or 24000; for `mulaw` 8000'),
});
export type SampleFormat = z.infer<typeof sampleFormatSchema>;

/** Every format that can be asked for. */
export const SAMPLE_FORMATS: readonly SampleFormat[] = [
  { encoding: 'pcm16', sampleRateHz: 16_000 },
  { encoding: 'pcm16', sampleRateHz: 8_000 },
  { encoding: 'pcm16', sampleRateHz: 24_000 },
  { encoding: 'mulaw', sampleRateHz: 8_000 },
];

export function isOffered({ encoding, sampleRateHz }: SampleFormat): boolean {
  return SAMPLE_FORMATS.some((one) => one.encoding === encoding && one.sampleRateHz === sampleRateHz);
}

export const BYTES_PER_SAMPLE: Readonly<Record<AudioEncoding, number>> = { pcm16: 2, mulaw: 1 };

/** The customer's audio in one episode, as asked for in `episode.start` and granted in `episode.ready`. */
export const audioFormatSchema = z.object({
  encoding: audioEncodingSchema.default('pcm16'),
  sampleRateHz: z.number().int().min(1).default(16_000).describe('8000, 16000 or 24000; for `mulaw` 8000'),
  transport: z
    .enum(['binary', 'base64'])
    .default('binary')
    .describe('Binary frames, or `customer.audio` events for clients that cannot read those'),
  frameMs: z.number().int().min(20).max(200).default(100).describe('Length of a frame'),
});
export type AudioFormat = z.infer<typeof audioFormatSchema>;

export const DEFAULT_AUDIO: AudioFormat = audioFormatSchema.parse({});

export const pacingSchema = z
  .enum(['fast', 'realtime'])
  .describe('`fast`: as quickly as the client reads; `realtime`: at the speed of speech');
export type Pacing = z.infer<typeof pacingSchema>;

export const modeSchema = z.enum(['speech', 'text']);
export type Mode = z.infer<typeof modeSchema>;
