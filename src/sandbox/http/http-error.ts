/** Thrown by a route: the status and the words that its client gets, as `{"error": code, "message": …}`. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.headers = headers;
  }
}

const ERROR_NAMES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  409: 'conflict',
  413: 'too_large',
  422: 'invalid',
  426: 'upgrade_required',
  429: 'too_many',
  503: 'unavailable',
};

/** The body that goes with an error. */
export function errorBody(status: number, message: string): { error: string; message: string } {
  return { error: ERROR_NAMES[status] ?? 'internal', message };
}
