/** Why a connection was closed, by WebSocket close code. */
export const CLOSE_CODES = {
  /** Either side is done. */
  normal: 1000,
  /** The sandbox is shutting down; a running episode ended as `shutdown`. */
  goingAway: 1001,
  /** Too many refused messages outside an episode, or a client that does not read. */
  policy: 1008,
  /** A message beyond the hard limit; smaller ones over `maxMessageBytes` get an `error` event instead. */
  tooLarge: 1009,
} as const;
