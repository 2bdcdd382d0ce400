import { ParlorError, type ParlorErrorOptions, UsageError } from '../shared/index.js';

/** A model could not be asked, or gave no reply. */
export class ChatError extends ParlorError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('chat-failed', message, options);
  }
}

/** A file of recorded replies that cannot be read. */
export class ChatRecordingError extends UsageError {
  constructor(message: string, options: ParlorErrorOptions = {}) {
    super('chat-recording', message, options);
  }
}
