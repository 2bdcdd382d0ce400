import { UsageError } from '../shared/index.js';
import type { RunDifference } from './comparison/comparable.js';

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

/** Runs were to be compared whose figures do not measure the same. */
export class RunsDifferError extends UsageError {
  readonly differences: readonly RunDifference[];
  constructor(differences: readonly RunDifference[]) {
    const kinds = [...new Set(differences.map(({ kind }) => kind))];
    super(
      'runs-differ',
      `these runs do not measure the same: ${differences.map(({ text }) => text).join('; ')}. ` +
        `Run them alike, or give ${kinds.map((kind) => `--different-${kind}`).join(' ')} and read the figures with that in mind`,
      { facts: { kinds } },
    );
    this.differences = differences;
  }
}
