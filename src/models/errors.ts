import { ParlorError, type ParlorErrorOptions, UsageError } from '../shared/index.js';

/**
 * Why a model gave no reply, by who must act.
 * The operator: `address`, `key`, `model`, `tools` (no tool parser), `audio` (no audio support), `refused` (any other 4xx).
 * The asker: `overflow`, the request is longer than the context. Nobody, it may pass: `rate`, `server`, `timeout`, `network`, `reply`.
 * `called-off`: the caller gave up. `unrecorded`: played back, and the recording does not hold it.
 */
export type ChatFailure =
  | 'address'
  | 'key'
  | 'model'
  | 'tools'
  | 'audio'
  | 'refused'
  | 'overflow'
  | 'rate'
  | 'server'
  | 'timeout'
  | 'network'
  | 'reply'
  | 'called-off'
  | 'unrecorded'
  | 'other';

export interface ChatErrorOptions extends ParlorErrorOptions {
  readonly failure?: ChatFailure;
  /** The server's own wish, before which it need not be asked again. */
  readonly retryAfterMs?: number | undefined;
}

/** A model could not be asked, or gave no reply. */
export class ChatError extends ParlorError {
  readonly failure: ChatFailure;
  readonly retryAfterMs: number | undefined;
  constructor(message: string, options: ChatErrorOptions = {}) {
    super('chat-failed', message, options);
    this.failure = options.failure ?? 'other';
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A file of recorded replies that cannot be read. */
export class ChatRecordingError extends UsageError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('chat-recording', message, options);
  }
}

/** Speech could not be turned into words. */
export class TranscriptionError extends ParlorError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('transcription-failed', message, options);
  }
}
