import { type Clock, describeError, type Random } from '../shared/index.js';
import { createBoundedFetch } from './bounded-fetch.js';

export interface Delivery {
  readonly url: string;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as `Idempotency-Key`: a delivery may come twice, when its answer was lost. */
  readonly key: string;
}

export interface DeliveryRules {
  /** Tries in all. */
  readonly attempts: number;
  /** Before the second try; doubled for each further one and spread by chance. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** For one try. */
  readonly timeoutMs: number;
}

/** Gives a trainer that restarts about five minutes. */
export const DEFAULT_DELIVERY: DeliveryRules = {
  ...{ attempts: 9, firstDelayMs: 1_000, maxDelayMs: 60_000, timeoutMs: 30_000 },
};

export interface DeliveryOutcome {
  /** Null: it was called off. */
  readonly delivered: boolean | null;
  readonly attempts: number;
  readonly error: string | null;
}

const MAX_ANSWER_BYTES = 64 * 1024;
/** What may pass by itself; any other refusal will not. */
const PASSING = [408, 409, 425, 429];

const boundedFetch = createBoundedFetch(MAX_ANSWER_BYTES);

interface Failure {
  readonly error: string;
  readonly mayPass: boolean;
  readonly retryAfterMs: number;
}

/** Null: it was taken. Never rejects. */
async function tryOnce(
  { url, body, headers, key }: Delivery,
  { timeoutMs }: DeliveryRules,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Failure | null> {
  const controller = new AbortController();
  const cancel = clock.after(timeoutMs, () =>
    controller.abort(new Error(`no answer in ${timeoutMs / 1000} s`)),
  );
  const callOff = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', callOff, { once: true });
  // Set over the trainer's: a plain object would send both, joined, when they differ in capitals.
  const sent = new Headers(headers);
  sent.set('content-type', 'application/json');
  sent.set('idempotency-key', key);
  try {
    const response = await boundedFetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: sent,
      signal: controller.signal,
    });
    // Read, so that the connection can be used again; what it says, and how long it is, is the trainer's business.
    await response.arrayBuffer().catch(() => undefined);
    const { status } = response;
    if (response.ok) return null;
    const wish = Number(response.headers.get('retry-after'));
    return {
      ...{ error: `it answered ${status}`, mayPass: status >= 500 || PASSING.includes(status) },
      retryAfterMs: Number.isFinite(wish) && wish > 0 ? wish * 1000 : 0,
    };
  } catch (error) {
    const reason: unknown = controller.signal.aborted ? controller.signal.reason : error;
    const cause = reason instanceof Error && reason.cause instanceof Error ? reason.cause : reason;
    return { error: describeError(cause), mayPass: true, retryAfterMs: 0 };
  } finally {
    cancel();
    signal.removeEventListener('abort', callOff);
  }
}

function pause(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}

export interface DeliveryParts {
  readonly rules: DeliveryRules;
  readonly clock: Clock;
  readonly random: Random;
  /** Calls it off between or during tries. */
  readonly signal: AbortSignal;
  readonly onAttempt: (attempts: number, error: string | null) => void;
}

/** Posts a reward until it is taken, refused for good, or tried often enough. Never rejects. */
export async function deliverReward(delivery: Delivery, parts: DeliveryParts): Promise<DeliveryOutcome> {
  const { rules, clock, random, signal, onAttempt } = parts;
  let error: string | null = null;
  for (let attempts = 1; ; attempts += 1) {
    if (signal.aborted) return { delivered: null, attempts: attempts - 1, error };
    const failure = await tryOnce(delivery, rules, { clock, signal });
    if (failure === null) return { delivered: true, attempts, error: null };
    if (signal.aborted) return { delivered: null, attempts: attempts - 1, error };
    error = failure.error;
    onAttempt(attempts, error);
    if (!failure.mayPass || attempts >= rules.attempts) return { delivered: false, attempts, error };
    const spread = rules.firstDelayMs * 2 ** (attempts - 1) * (0.5 + random.next() / 2);
    await pause(Math.min(rules.maxDelayMs, Math.max(spread, failure.retryAfterMs)), clock, signal);
  }
}
