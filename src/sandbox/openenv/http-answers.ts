import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { sendJson } from '../http/respond.js';
import type { HttpRoute, RouteContext } from '../http/route.js';
import { EnvFault, fieldFaults } from './faults.js';

/** An answer other than 200 in the form of OpenEnv's own server: `{"detail": …}`. */
export class DetailError extends Error {
  readonly status: number;
  readonly detail: unknown;

  constructor(status: number, detail: unknown) {
    super(typeof detail === 'string' ? detail : 'invalid input');
    this.status = status;
    this.detail = detail;
  }
}

/** Reads a JSON body; an empty one is an empty object. @throws DetailError 422 */
export async function readInput<T>(context: RouteContext, schema: z.ZodType<T>): Promise<T> {
  const body = await context.readBody();
  let value: unknown = {};
  try {
    if (body.length > 0) value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new DetailError(422, [{ type: 'json_invalid', loc: ['body'], msg: 'JSON decode error' }]);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new DetailError(
    422,
    fieldFaults(parsed.error).map((fault) => ({ ...fault, loc: ['body', ...fault.loc] })),
  );
}

const STATUSES: Readonly<Partial<Record<EnvFault['code'], number>>> = {
  VALIDATION_ERROR: 422,
  CAPACITY_REACHED: 503,
  SESSION_ERROR: 404,
};

function toDetail(error: unknown): DetailError | null {
  if (error instanceof DetailError) return error;
  if (!(error instanceof EnvFault)) return null;
  return new DetailError(STATUSES[error.code] ?? 400, error.facts.errors ?? error.message);
}

/** A route whose answer is a value, and whose faults are told as OpenEnv's clients know them. */
export function jsonRoute(
  route: Pick<HttpRoute, 'method' | 'path'>,
  answer: (context: RouteContext, request: Parameters<HttpRoute['handle']>[0]) => unknown,
): HttpRoute {
  return {
    ...route,
    auth: 'token',
    handle: async (request, response: ServerResponse, context) => {
      try {
        sendJson(response, await answer(context, request));
      } catch (error) {
        const told = toDetail(error);
        if (told === null) throw error;
        sendJson(response, { detail: told.detail }, { status: told.status });
      }
    },
  };
}
