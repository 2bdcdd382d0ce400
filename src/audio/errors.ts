import { ParlorError } from '../shared/index.js';

/** Bytes that are not the audio they should be. */
export class AudioFormatError extends ParlorError {
  constructor(message: string, cause?: unknown) {
    super('audio-format', message, { cause });
  }
}
