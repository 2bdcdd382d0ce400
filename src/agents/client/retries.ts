import { CLOSE_CODES } from '../../protocol/index.js';
import { createRandom, deriveSeed, type Random } from '../../shared/index.js';
import { delayOf, type Reconnection } from './reconnection.js';

/** Closed by somebody's decision: the session is over, or another connection has it. */
const FINAL_CODES: readonly number[] = [
  ...[CLOSE_CODES.normal, CLOSE_CODES.goingAway, 1002, CLOSE_CODES.refused, CLOSE_CODES.tooLarge],
  ...[CLOSE_CODES.handshakeTimeout, CLOSE_CODES.idleTimeout, CLOSE_CODES.takenOver],
];

/** The session that lost its connection. */
interface LostSession {
  readonly name: string;
  readonly graceMs: number;
}

/** Attempts to connect again, counted until something new has come. */
export class Retries {
  #attempts = 0;
  #lostAtMs = 0;
  #random: Pick<Random, 'next'> | undefined;

  /** `random`: of the pauses; undefined: seeded by the session. */
  constructor(random: Pick<Random, 'next'> | undefined) {
    this.#random = random;
  }

  /**
   * Whether a connection that was closed like this is worth another attempt.
   * @param session null: lost before the greeting
   */
  static mayRetry(closeCode: number | null, session: LostSession | null): boolean {
    // Lost before the greeting nothing has happened yet; but who was never connected has no sandbox to come back to.
    const canComeBack = session === null ? closeCode !== null : session.graceMs > 0;
    return canComeBack && (closeCode === null || !FINAL_CODES.includes(closeCode));
  }

  /** @returns the pause before the next attempt; null: it would be one too many, or too late for the session */
  next(reconnect: Reconnection, session: LostSession | null, nowMs: number): number | null {
    if (this.#attempts === 0) this.#lostAtMs = nowMs;
    // Sessions have names of their own; who has none yet is told apart by when it was lost.
    this.#random ??= createRandom(deriveSeed('reconnect', session?.name ?? nowMs));
    const delayMs = delayOf(reconnect, this.#attempts, this.#random.next());
    this.#attempts += 1;
    const isTooLate = session !== null && nowMs + delayMs - this.#lostAtMs > session.graceMs;
    return this.#attempts > reconnect.attempts || isTooLate ? null : delayMs;
  }

  succeeded(): void {
    this.#attempts = 0;
  }
}
