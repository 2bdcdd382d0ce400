/** Why a connection was closed, by WebSocket close code. */
export const CLOSE_CODES = {
  /** Either side is done. */
  normal: 1000,
  /** The sandbox is shutting down; a running episode ended as `shutdown`. */
  goingAway: 1001,
  /** Too many refused messages outside an episode. */
  refused: 1008,
  /** A message beyond the hard limit; smaller ones over `maxMessageBytes` get an `error` event instead. */
  tooLarge: 1009,
  /** The first message did not come in time. */
  handshakeTimeout: 4001,
  /** No episode is running and nothing was sent for too long. */
  idleTimeout: 4002,
  /** What was sent piles up unread. */
  doesNotRead: 4003,
  /** A ping was not answered. */
  heartbeatLost: 4004,
  /** Another connection took the session up. */
  takenOver: 4005,
} as const;
