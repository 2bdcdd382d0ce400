import { encodeWav, resample } from '../../audio/index.js';
import type { ChatAudio } from '../../models/index.js';
import { sha256Hex } from '../../shared/index.js';
import type { CustomerSound } from '../episode-client.js';
import { ClipRefusedError } from '../errors.js';

/** What Qwen-Omni's front end works at; every other rate would be resampled on the server anyway. */
const MODEL_RATE_HZ = 16_000;
/** Shorter clips give no audio tokens on some servers, and an error on others. */
const MIN_CLIP_MS = 100;
/** Qwen2.5-Omni's feature extractor cuts off what is longer, without a word. */
const MAX_CLIP_MS = 300_000;

/**
 * The customer's voice as a model takes it: a WAV file, 16 kHz, mono.
 * @throws ClipRefusedError for a clip under 100 ms or over 300 s
 */
export function customerClip({ samples, sampleRateHz }: CustomerSound): ChatAudio {
  const durationMs = (samples.length / sampleRateHz) * 1000;
  if (durationMs < MIN_CLIP_MS || durationMs > MAX_CLIP_MS)
    throw new ClipRefusedError(
      `a clip for the model must last ${MIN_CLIP_MS} ms to ${MAX_CLIP_MS / 1000} s; this one lasts ${Math.round(durationMs)} ms`,
    );
  const wav = encodeWav({
    samples: resample(samples, sampleRateHz, MODEL_RATE_HZ),
    sampleRateHz: MODEL_RATE_HZ,
  });
  return { wavBase64: Buffer.from(wav).toString('base64'), sha256: sha256Hex(wav), durationMs };
}

/**
 * Audio tokens of a clip, begin and end marks not counted. At 25 a second (Qwen2.5-Omni) exactly: L mel frames of 10 ms give
 * a = (L - 1) div 2 + 1 and (a - 2) div 2 + 1 tokens. At other rates (Qwen3-Omni: 13) rounded up.
 */
export function audioTokens(durationMs: number, perSecond: number): number {
  if (perSecond !== 25) return Math.ceil((durationMs / 1000) * perSecond);
  const frames = Math.floor(durationMs / 10);
  if (frames < 3) return 0;
  return Math.floor((Math.floor((frames - 1) / 2) + 1 - 2) / 2) + 1;
}
