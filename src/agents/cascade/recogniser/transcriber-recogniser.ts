import { encodeWav, resample } from '../../../audio/index.js';
import type { Transcriber } from '../../../models/index.js';
import type { Recogniser } from './recogniser.js';

const RATE_HZ = 16_000;

/** Listens through a server's transcriptions. */
export function createTranscriberRecogniser(transcriber: Transcriber): Recogniser {
  return {
    name: transcriber.name,
    recognise: async ({ samples, sampleRateHz }, signal) => {
      const wav = encodeWav({ samples: resample(samples, sampleRateHz, RATE_HZ), sampleRateHz: RATE_HZ });
      // Such servers give one guess.
      return { text: await transcriber.transcribe(wav, signal), others: [] };
    },
  };
}
