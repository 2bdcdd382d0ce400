import { encodeWav, resample } from '../../../audio/index.js';
import type { Transcriber } from '../../../models/index.js';
import type { Recogniser } from './recogniser.js';

const RATE_HZ = 16_000;

/** Listens through a server's transcriptions. */
export function createTranscriberRecogniser(transcriber: Transcriber): Recogniser {
  return {
    name: transcriber.name,
    recognise: ({ samples, sampleRateHz }, signal) =>
      transcriber.transcribe(
        encodeWav({ samples: resample(samples, sampleRateHz, RATE_HZ), sampleRateHz: RATE_HZ }),
        signal,
      ),
  };
}
