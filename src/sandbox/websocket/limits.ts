/** What one client of the WebSocket gets. Times run on the sandbox's clock; 0 switches a time limit off. */
export interface WebSocketLimits {
  /** How long a session waits for its client when the connection is lost. 0: it ends at once. */
  readonly graceMs: number;
  /** For the first message. */
  readonly handshakeTimeoutMs: number;
  /** Without a message while no episode runs. */
  readonly idleTimeoutMs: number;
  /** Refused messages in a row outside an episode. */
  readonly maxRefused: number;
  /** Unread bytes on the socket. */
  readonly maxUnreadBytes: number;
  /** Bytes of text that are kept for a resume; what is older cannot be asked for. */
  readonly maxKeptBytes: number;
  /** One upload of the agent's voice. */
  readonly maxSpeechMs: number;
  /** Sessions that wait for their client at once; one more ends at once. */
  readonly maxWaitingSessions: number;
}

export const DEFAULT_WEBSOCKET_LIMITS: WebSocketLimits = {
  graceMs: 30_000,
  handshakeTimeoutMs: 30_000,
  idleTimeoutMs: 300_000,
  maxRefused: 100,
  maxUnreadBytes: 8 * 1024 * 1024,
  maxKeptBytes: 4 * 1024 * 1024,
  maxSpeechMs: 300_000,
  maxWaitingSessions: 512,
};
