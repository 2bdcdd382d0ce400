import { ParlorError, type ParlorErrorOptions, UsageError } from '../shared/index.js';

/** A run folder lacks what a dataset is made from, or holds something else. */
export class DatasetSourceError extends UsageError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('dataset-source', message, options);
  }
}

/** Nothing is left to write, or what was asked for excludes itself. */
export class DatasetChoiceError extends UsageError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('dataset-choice', message, options);
  }
}

/** Evaluation tasks would be trained on. */
export class EvaluationTaskError extends UsageError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('evaluation-tasks', message, options);
  }
}

/** The folder holds another dataset, or cannot be written. */
export class DatasetFolderError extends UsageError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('dataset-folder', message, options);
  }
}

/** A secret, or something of this machine, would have been written. */
export class PrivateDataError extends ParlorError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('private-data', message, options);
  }
}

/** A tokenizer or chat template cannot be read, or does not do what training rows need. */
export class TokenizerError extends UsageError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('tokenizer', message, options);
  }
}
