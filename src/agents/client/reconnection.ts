/** How a lost connection is taken up again. The session's own time of grace bounds it, too. */
export interface Reconnection {
  /** In a row, without anything new having come. */
  readonly attempts: number;
  /** Before the first one; doubled for each further one. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** Share of each pause that chance may take off, 0 to 1, so that clients that lost one server do not all come back at once. Default 0. */
  readonly jitter?: number | undefined;
}

export const DEFAULT_RECONNECTION: Reconnection = {
  ...{ attempts: 12, firstDelayMs: 50, maxDelayMs: 5_000, jitter: 0.5 },
};

/**
 * @param failed attempts so far
 * @param chance from 0 to 1
 */
export function delayOf(
  { firstDelayMs, maxDelayMs, jitter = 0 }: Reconnection,
  failed: number,
  chance: number,
): number {
  return Math.min(maxDelayMs, firstDelayMs * 2 ** failed) * (1 - jitter * chance);
}
