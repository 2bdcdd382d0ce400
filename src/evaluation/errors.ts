import { UsageError } from '../shared/index.js';

/** The selection names a split or a task that the source does not have, or leaves nothing to run. */
export class TaskSelectionError extends UsageError {
  constructor(message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super('task-selection', message, { facts });
  }
}

/** A folder that should hold a run does not, or holds one that must not be touched. */
export class RunFolderError extends UsageError {
  constructor(message: string, options: { cause?: unknown; facts?: Readonly<Record<string, unknown>> } = {}) {
    super('run-folder', message, options);
  }
}

/** The run on disk was made with other options than the ones it should go on with. */
export class ResumeMismatchError extends UsageError {
  readonly differences: readonly string[];
  constructor(differences: readonly string[]) {
    super(
      'resume-mismatch',
      `this run was started differently: ${differences.join('; ')}. Resume without these options, or start a new run with --out`,
      { facts: { differences } },
    );
    this.differences = differences;
  }
}
