import { UsageError } from '../shared/index.js';

/** The selection names a split or a task that the source does not have, or leaves nothing to run. */
export class TaskSelectionError extends UsageError {
  constructor(message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super('task-selection', message, { facts });
  }
}

/** A folder holds no run that this version can read, or one that must not be written over. */
export class RunManifestError extends UsageError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('run-manifest', message, options);
  }
}

/** The run on disk was made with other options than the ones it should go on with. */
export class ResumeMismatchError extends UsageError {
  readonly differences: readonly string[];
  constructor(differences: readonly string[]) {
    super(
      'resume-mismatch',
      `this run was started differently: ${differences.join('; ')}. Resume it as it was started, or begin a new run`,
      { facts: { differences } },
    );
    this.differences = differences;
  }
}
