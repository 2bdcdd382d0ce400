import { ParlorError, type ParlorErrorOptions } from '../shared/index.js';

/** The simulated customer cannot go on. The episode ends as `customer_failed`; the agent is not to blame. */
export class CustomerFailedError extends ParlorError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('customer-failed', message, options);
  }
}
