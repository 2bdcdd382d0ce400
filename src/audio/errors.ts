import { ParlorError, UsageError } from '../shared/index.js';

/** Bytes that are not the audio they should be. */
export class AudioFormatError extends ParlorError {
  constructor(message: string, cause?: unknown) {
    super('audio-format', message, { cause });
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
