import { type ParlorErrorOptions, UsageError } from '../shared/index.js';

/** The server cannot listen where it was told to: the port is in use, or not ours to use. */
export class CannotListenError extends UsageError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('cannot-listen', message, options);
  }
}
