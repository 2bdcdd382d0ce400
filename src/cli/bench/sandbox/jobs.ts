/** What the client thread of the bench is asked to do, one job at a time, and what it answers. */

export interface ListenJob {
  readonly kind: 'listen';
  readonly url: string;
  readonly task: string;
  readonly sessions: number;
  readonly pacing: 'fast' | 'realtime';
}

/** Binary frames as they came. */
export interface Received {
  readonly bytes: number;
  /** From the first session's first frame to the last one's last. */
  readonly spanMs: number;
  /** Processor time of the whole process, senders included, from the first frame to the end of the job. */
  readonly cpuMs: number;
}

/** Over all sessions. */
export interface ListenResult extends Received {
  readonly frames: number;
  /** Samples that were announced and never came. */
  readonly missingSamples: number;
  /** The time in which every session was being sent sound. */
  readonly togetherMs: number;
  /** How long after its due time each frame came that was due in that time, ascending. */
  readonly latenessMs: Float64Array;
}

/** Takes what a bare server sends until it closes. */
export interface DrainJob {
  readonly kind: 'drain';
  readonly url: string;
}

/** Holds sessions open, with an episode that waits for its agent or without any, until `release`. */
export interface HoldJob {
  readonly kind: 'hold';
  readonly url: string;
  readonly task: string | null;
  readonly sessions: number;
}

/** One tool call after the other. */
export interface CallJob {
  readonly kind: 'call';
  readonly url: string;
  readonly task: string;
  readonly calls: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
}
export interface CallResult {
  /** From sending to the result, ascending. */
  readonly latenciesMs: Float64Array;
}

export interface ReleaseJob {
  readonly kind: 'release';
}

export type BenchJob = ListenJob | DrainJob | HoldJob | CallJob | ReleaseJob;
export type BenchAnswer =
  | { readonly ok: true; readonly result: ListenResult | Received | CallResult | null }
  | { readonly ok: false; readonly message: string };
