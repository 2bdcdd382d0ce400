/** What one server gives to all its peers together, and to each. */
export interface HttpLimits {
  /** WebSockets open at once. */
  readonly maxConnections: number;
  /** The same for one address (IPv6: one /64 network). */
  readonly maxConnectionsPerAddress: number;
  /** For a request's head, and for a TLS handshake. */
  readonly handshakeTimeoutMs: number;
  /** For a whole request with its body. */
  readonly requestTimeoutMs: number;
  /** For the next request on a connection that has been answered. */
  readonly keepAliveMs: number;
  readonly maxHeaderBytes: number;
  readonly maxBodyBytes: number;
  /** How often a WebSocket must show that it lives; 0: never. */
  readonly heartbeatMs: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  maxConnections: 512,
  maxConnectionsPerAddress: 512,
  handshakeTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 5_000,
  maxHeaderBytes: 16 * 1024,
  maxBodyBytes: 1024 * 1024,
  heartbeatMs: 30_000,
};
