import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { HttpError } from './http-error.js';

/** Reads a body of at most `maxBytes`; what is over the limit is never kept. */
export async function readRequestBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new HttpError(413, `a body is at most ${maxBytes} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop must not destroy the request: its socket still has to carry the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw new HttpError(400, 'the body was cut off');
  }
  return Buffer.concat(chunks);
}

/** JSON that fits the schema, or an `HttpError` that says where it does not. */
export function parseJsonBody<T>(body: Buffer, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new HttpError(400, 'the body must be one JSON value');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new HttpError(422, `the body does not fit${where}: ${issue?.message ?? 'unreadable'}`);
}
