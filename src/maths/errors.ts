import { type ParlorErrorOptions, UsageError } from '../shared/index.js';

/** A file of maths problems cannot be read, or holds none that can be used. */
export class MathsProblemsError extends UsageError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('maths-problems', message, options);
  }
}
