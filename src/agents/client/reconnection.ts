/** How a lost connection is taken up again. The session's own time of grace bounds it, too. */
export interface Reconnection {
  /** In a row, without anything new having come. */
  readonly attempts: number;
  /** Before the first one; doubled for each further one. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

export const DEFAULT_RECONNECTION: Reconnection = { attempts: 12, firstDelayMs: 50, maxDelayMs: 5_000 };

/** @param failed attempts so far */
export function delayOf({ firstDelayMs, maxDelayMs }: Reconnection, failed: number): number {
  return Math.min(maxDelayMs, firstDelayMs * 2 ** failed);
}
