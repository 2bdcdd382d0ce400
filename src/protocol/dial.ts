/**
 * A line to a sandbox in the same process: what a WebSocket would carry, without one. Frames come in order and never while the
 * other side is still sending.
 */
export type Dial = (client: DialClient) => DialLine;

export interface DialClient {
  readonly onFrame: (data: Buffer, isBinary: boolean) => void;
  /** Once; nothing comes after it. The codes are those of a WebSocket. */
  readonly onClose: (code: number) => void;
}

export interface DialLine {
  send(data: string | Uint8Array): void;
  /** Safe twice. */
  close(): void;
}
