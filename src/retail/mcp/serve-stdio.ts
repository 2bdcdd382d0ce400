import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createRetailMcpServer, type RetailMcpOptions } from './mcp-server.js';

/** More than any sensible message; a longer line ends the session. */
const MAX_LINE_BYTES = 1024 * 1024;

export interface StdioOptions extends RetailMcpOptions {
  readonly input: Readable;
  /** Carries protocol messages and nothing else. */
  readonly output: Writable;
  /** Lines that are no messages, and the like; the session goes on. */
  readonly onFault?: ((message: string) => void) | undefined;
}

export interface StdioServer {
  /** Settles when the client has closed the input, or after `close`. */
  readonly closed: Promise<void>;
  /** Safe twice. */
  close(): Promise<void>;
}

/** Serves one session of the retail world over a pair of streams. */
export async function serveStdio(options: StdioOptions): Promise<StdioServer> {
  const { input, output, onFault } = options;
  const server = createRetailMcpServer(options);
  const closed = new Promise<void>((settle) => {
    server.onclose = () => settle();
  });
  server.onerror = (error) => onFault?.(error.message.replaceAll(/\s+/g, ' ').slice(0, 300));
  const close = (): Promise<void> => server.close();
  // The SDK's transport does not notice the end of its input.
  input.once('end', () => void close());
  input.once('close', () => void close());
  // A client that goes away while it is being written to.
  output.once('error', () => void close());
  await server.connect(new StdioServerTransport(input, output, { maxBufferSize: MAX_LINE_BYTES }));
  return { closed, close };
}
