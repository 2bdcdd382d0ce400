import type { ErrorCode } from '../protocol/index.js';
import { ParlorError, type ParlorErrorOptions } from '../shared/index.js';

/** The sandbox could not be reached, or its session was lost before the episode's end and could not be resumed. */
export class ConnectionLostError extends ParlorError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('connection-lost', message, { retryable: true, ...options });
  }
}

/** The sandbox answered a message with an `error` event. `wireCode` is that event's code. */
export class MessageRefusedError extends ParlorError {
  readonly wireCode: ErrorCode;
  constructor(wireCode: ErrorCode, message: string) {
    super('message-refused', `the sandbox refused the message (${wireCode}): ${message}`);
    this.wireCode = wireCode;
  }
}

/** What came from the other side does not follow the protocol: another version, or not a Parlor sandbox. */
export class ProtocolFaultError extends ParlorError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('protocol-fault', message, options);
  }
}

/** A clip that no model should be sent: too short to hold a word, or longer than its front end takes. */
export class ClipRefusedError extends ParlorError {
  constructor(message: string) {
    super('clip-refused', message);
  }
}

/** The agent spoke and nobody knows what: no transcript came with it and there is no transcriber. */
export class WordsMissingError extends ParlorError {
  constructor(message: string) {
    super('words-missing', message);
  }
}

/** The speech recogniser of the cascade failed; the episode can be run again. */
export class RecogniserError extends ParlorError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('recogniser-failed', message, { retryable: true, ...options });
  }
}
