import { describeError, ParlorError, UsageError } from '../shared/index.js';

/** The engine cannot turn this text into speech: nothing to say, silence, a wrong rate. The same call fails again. */
export class SynthesisError extends ParlorError {
  constructor(message: string, facts: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super('synthesis-failed', message, { facts, cause });
  }
}

/** A worker died under the job; it is replaced, so the same call may succeed. */
export class SynthesisWorkerError extends ParlorError {
  constructor(message: string, cause?: unknown) {
    super('synthesis-worker', message, { retryable: true, cause });
  }
}

/** The line took longer than its deadline; its worker or program was stopped, its request broken off. */
export class SynthesisTimeoutError extends ParlorError {
  constructor(deadlineMs: number) {
    super(
      'synthesis-timeout',
      `speech was not ready within ${deadlineMs} ms; what worked on it was stopped, so try again`,
      {
        facts: { deadlineMs },
        retryable: true,
      },
    );
  }
}

/** More lines wait than the queue may hold. */
export class SynthesisQueueFullError extends ParlorError {
  constructor(maxQueued: number) {
    super(
      'synthesis-queue-full',
      `${maxQueued} lines already wait for a speech worker; ask again later or use more workers`,
      {
        facts: { maxQueued },
        retryable: true,
      },
    );
  }
}

/** The engine or speaker was closed before the line was spoken. */
export class SpeechClosedError extends ParlorError {
  constructor() {
    super('speech-closed', 'the speech engine is closed; make a new one to speak again');
  }
}

/** A file of the voices folder cannot be used, or the folder has none. */
export class VoiceFileError extends UsageError {
  constructor(message: string, cause?: unknown) {
    super('voice-file', message, { cause });
  }
}

/** A program, runtime, weight file or key that the voice needs is not there. */
export class VoiceNeedsError extends UsageError {
  constructor(message: string, cause?: unknown) {
    super('voice-needs', message, { cause });
  }
}

interface ServerFault {
  readonly retryable: boolean;
  readonly status?: number;
  /** When the server wants to be asked again. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** A speech server refused, broke off, or sent what is no speech. */
export class SpeechServerError extends ParlorError {
  readonly retryAfterMs: number;
  constructor(message: string, { retryable, status, retryAfterMs = 0, cause }: ServerFault) {
    super('speech-server', message, { retryable, cause, facts: status === undefined ? {} : { status } });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The voice had begun to say a line, and some of it was on its way, when it failed. Asked again it would begin anew. */
export class SpeechBrokenOffError extends ParlorError {
  constructor(cause: unknown) {
    super(
      'speech-broken-off',
      `the voice could not finish a line that it had begun: ${describeError(cause)}; what was sent of it cannot be taken back`,
      { cause },
    );
  }
}

/** The folder of recordings has no clip of this line. */
export class RecordedLineMissingError extends ParlorError {
  constructor(folder: string, spoken: string) {
    super(
      'recorded-line-missing',
      `${folder}/lines.json has no recording of ${JSON.stringify(spoken)}; record it and add it, or use a voice that reads`,
      { facts: { folder, spoken } },
    );
  }
}

/** A voice that is not in the voices folder. */
export class UnknownVoiceError extends UsageError {
  constructor(voiceId: string, known: readonly string[]) {
    super('voice-unknown', `there is no voice '${voiceId}'; expected one of ${known.join(', ')}`, {
      facts: { voiceId, known },
    });
  }
}

/** The folder of cached clips cannot be read or written. */
export class ClipCacheError extends ParlorError {
  constructor(folder: string, action: 'read' | 'write', cause: unknown) {
    super('clip-cache', `cannot ${action} the clip cache in ${folder}: ${describeError(cause)}`, {
      facts: { folder },
      cause,
    });
  }
}
