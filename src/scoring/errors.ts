import { ParlorError, UsageError } from '../shared/index.js';

/** Verdicts that no judge may give: another value than -1, 0, 1, or more than one -1. */
export class InvalidVerdictsError extends ParlorError {
  constructor(message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super('verdicts-invalid', message, { facts });
  }
}

/** Arrays that do not describe one batch: offsets that run backwards, lengths that differ, numbers that are not finite. */
export class InvalidBatchError extends ParlorError {
  constructor(message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super('batch-invalid', message, { facts });
  }
}

/** A reward file that cannot be used. */
export class RewardFileError extends UsageError {
  constructor(message: string, options: { cause?: unknown; facts?: Readonly<Record<string, unknown>> } = {}) {
    super('reward-file', message, options);
  }
}

/** There is nothing that rewards could be calibrated on: no scored episodes, or all with the same outcome. */
export class CalibrationDataError extends UsageError {
  constructor(message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super('calibration-data', message, { facts });
  }
}

/** A file of scores that cannot be read. */
export class ScoreFileError extends UsageError {
  constructor(message: string, options: { cause?: unknown; facts?: Readonly<Record<string, unknown>> } = {}) {
    super('score-file', message, options);
  }
}
