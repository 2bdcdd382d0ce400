import { encodeWav } from '../../src/audio/index.js';
import type { ChatAudio } from '../../src/models/index.js';
import { sha256Hex } from '../../src/shared/index.js';

/** A tone as a chat clip. */
export function toneClip(durationMs: number, sampleRateHz = 16_000): ChatAudio {
  const samples = new Int16Array(Math.round((durationMs * sampleRateHz) / 1000));
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = Math.round(8000 * Math.sin((2 * Math.PI * 440 * index) / sampleRateHz));
  const wav = encodeWav({ samples, sampleRateHz });
  return { wavBase64: Buffer.from(wav).toString('base64'), sha256: sha256Hex(wav), durationMs };
}
