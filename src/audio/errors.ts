import { ParlorError, UsageError } from '../shared/index.js';

/** Bytes that are not the audio they should be. */
export class AudioFormatError extends ParlorError {
  constructor(message: string, cause?: unknown) {
    super('audio-format', message, { cause });
  }
}

/** A format that needs the program ffmpeg, which is not there. */
export class FfmpegMissingError extends UsageError {
  constructor(format: string, path: string | null) {
    super(
      'ffmpeg-missing',
      `${format} is read and written by ffmpeg, which ${path === null ? 'was not found on PATH' : `does not start from ${path}`}; ` +
        'install it (Debian: apt-get install ffmpeg, ' +
        'macOS: brew install ffmpeg) or use WAV, which needs nothing',
      { facts: { format } },
    );
  }
}

/** Conditions that do not exist or do not fit together. */
export class ConditionsError extends UsageError {
  constructor(message: string) {
    super('conditions', message);
  }
}

/** A timeline that does not fit the clip or the voices that it is applied to. */
export class TimelineError extends ParlorError {
  constructor(message: string) {
    super('line-timeline', message);
  }
}

/** A voice detector that cannot be had here, or does not hear. */
export class VoiceDetectorError extends ParlorError {
  constructor(message: string, cause?: unknown) {
    super('voice-detector', message, { cause });
  }
}
