import { ParlorError, type ParlorErrorOptions } from '../../shared/index.js';

/**
 * `unreachable`: no socket; `refused`: the server does not take us or what we send, and will not; `lost`: the socket or the
 * session went; `silent`: nothing came in time; `failed`: the model gave no reply.
 */
export type RealtimeFailure = 'unreachable' | 'refused' | 'lost' | 'silent' | 'failed';

/** A realtime server that does not do what it should. */
export class RealtimeError extends ParlorError {
  readonly failure: RealtimeFailure;
  constructor(message: string, failure: RealtimeFailure, options: ParlorErrorOptions = {}) {
    super('realtime-failed', message, { retryable: failure !== 'refused', ...options });
    this.failure = failure;
  }
}

export function realtimeError(
  failure: RealtimeFailure,
  message: string,
  options?: ParlorErrorOptions,
): RealtimeError {
  return new RealtimeError(message, failure, options);
}
