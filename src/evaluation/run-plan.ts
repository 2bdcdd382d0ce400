import pLimit from 'p-limit';
import type { Agent, AgentAssignment, AgentReport } from '../agents/index.js';
import type { EpisodeRecord } from '../episodes/index.js';
import { describeError } from '../shared/index.js';
import { counts } from './episode-slots.js';
import type { PlannedEpisode } from './plan.js';

/** An episode that the platform spoiled is tried this often in all. */
const MAX_ATTEMPTS = 3;
/** Attempts in a row that end for want of the agent's model server: more would only wait for it. */
const MAX_UNAVAILABLE = 6;
/** The same for attempts that anything but the agent spoiled: so many, and of so many tasks, for a single task may be at fault itself. */
const MAX_SPOILED = 12;
const LEAST_SPOILED_TASKS = 4;

/** Characters of what went wrong; it may quote a server's page. */
const MOST_DETAIL = 300;

export type RunEvent =
  | {
      /** An episode has its outcome. */
      readonly kind: 'finished';
      readonly plan: PlannedEpisode;
      readonly record: EpisodeRecord;
      readonly report: AgentReport | null;
    }
  | {
      /** Every attempt failed for reasons that are not the agent's. */
      readonly kind: 'invalid';
      readonly plan: PlannedEpisode;
      readonly reason: string;
    }
  | {
      readonly kind: 'retry';
      readonly plan: PlannedEpisode;
      readonly attempt: number;
      readonly reason: string;
    };

export interface RunPlanOptions {
  readonly agent: Agent;
  /** The running sandbox's address, ws://host:port/v1. */
  readonly url: string;
  readonly token?: string | undefined;
  /** How customers take turns in speech. Default: half-duplex. */
  readonly turnTaking?: AgentAssignment['turnTaking'];
  readonly concurrency: number;
  /** Once aborted no further episode is started; those under way go on to their end. */
  readonly stop: AbortSignal;
  /** Handed to the agent; breaks off what is under way. */
  readonly abort: AbortSignal;
  /**
   * The newest record of this slot of the plan, once the sandbox has closed it; null when the sandbox never began it.
   * Must not resolve before a running episode's last line is on disk.
   */
  readonly findRecord: (plan: PlannedEpisode) => Promise<EpisodeRecord | null>;
  /** Called in the order in which episodes end; awaited, and what it throws ends the run. */
  readonly onEvent: (event: RunEvent) => void | Promise<void>;
}

export interface RunPlanResult {
  readonly finished: number;
  readonly invalid: number;
  /** Left over after a stop. */
  readonly notRun: number;
  /** Set when the run gave up because something that it needs was down again and again: why the last attempt failed. */
  readonly gaveUp: string | null;
}

/**
 * Counts attempts in a row, over all episodes, that end as `agent_unavailable`, or that were spoiled by anything else but the
 * agent: the customer's model, the voice, a full disk. Each has gone through retries of its own, so what fails this often is
 * down, and a run that goes on would spoil every episode that is left.
 */
class Outage {
  /** For people; null: the run goes on. */
  reason: string | null = null;
  readonly #concurrency: number;
  #unavailable = 0;
  #spoiled = 0;
  #tasks = new Set<string>();

  /** @param concurrency everything under way may fail for one and the same short outage, and that is no proof */
  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  take({ record, reason }: Attempt, task: string): void {
    this.#unavailable = record?.end?.reason === 'agent_unavailable' ? this.#unavailable + 1 : 0;
    if (record !== null && counts(record)) {
      this.#spoiled = 0;
      this.#tasks.clear();
      return;
    }
    this.#spoiled += 1;
    this.#tasks.add(task);
    if (this.#unavailable >= MAX_UNAVAILABLE + this.#concurrency)
      this.reason ??= `${this.#unavailable} attempts in a row ended because what the agent needs is down (${reason})`;
    if (this.#spoiled >= MAX_SPOILED + this.#concurrency && this.#tasks.size >= LEAST_SPOILED_TASKS)
      this.reason ??= `${this.#spoiled} attempts in a row, of ${this.#tasks.size} tasks, failed by no fault of the agent (${reason})`;
  }
}

/**
 * Plays every episode of the plan, a few at a time. What an agent does wrong (nonsense, silence, a crash once the episode has
 * begun) is its result and stays in the denominator; what the platform does wrong is tried again. No episode's failure
 * touches another, but for an outage: see `Outage`.
 */
export async function runPlan(
  plan: readonly PlannedEpisode[],
  options: RunPlanOptions,
): Promise<RunPlanResult> {
  const limit = pLimit(options.concurrency);
  const outage = new Outage(options.concurrency);
  let finished = 0;
  let invalid = 0;
  await Promise.all(
    plan.map((episode) =>
      limit(async () => {
        if (options.stop.aborted || outage.reason !== null) return;
        const event = await playEpisode(episode, options, outage);
        if (event === null) return;
        if (event.kind === 'finished') finished += 1;
        else invalid += 1;
        await options.onEvent(event);
      }),
    ),
  );
  return { finished, invalid, notRun: plan.length - finished - invalid, gaveUp: outage.reason };
}

type FinalEvent = Exclude<RunEvent, { kind: 'retry' }>;

/** Null when it was broken off between attempts by a stop, an abort or an outage. */
async function playEpisode(
  plan: PlannedEpisode,
  options: RunPlanOptions,
  outage: Outage,
): Promise<FinalEvent | null> {
  let reason = '';
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const played = await attemptEpisode(plan, options);
    if (played.record !== null && counts(played.record)) {
      outage.take(played, plan.task);
      return { kind: 'finished', plan, record: played.record, report: played.report };
    }
    outage.take(played, plan.task);
    if (options.abort.aborted || options.stop.aborted || outage.reason !== null) return null;
    reason = played.reason;
    if (attempt < MAX_ATTEMPTS) await options.onEvent({ kind: 'retry', plan, attempt, reason });
  }
  return { kind: 'invalid', plan, reason };
}

interface Attempt {
  readonly record: EpisodeRecord | null;
  readonly report: AgentReport | null;
  readonly reason: string;
}

async function attemptEpisode(plan: PlannedEpisode, options: RunPlanOptions): Promise<Attempt> {
  const { agent, url, token, turnTaking } = options;
  let report: AgentReport | null = null;
  let failure: string | null = null;
  try {
    report = await agent.run(
      {
        ...{ url, token, task: plan.task, mode: plan.mode, seed: plan.seed, trial: plan.trial },
        ...(turnTaking === undefined ? {} : { turnTaking }),
      },
      options.abort,
    );
  } catch (error) {
    failure = `the agent failed: ${describeError(error)}`;
  }
  const record = await options.findRecord(plan);
  const ended = record?.end ?? null;
  if (ended !== null) {
    const detail = ended.detail === undefined ? '' : `: ${ended.detail.slice(0, MOST_DETAIL)}`;
    return { record, report, reason: failure ?? `the episode ended as ${ended.reason}${detail}` };
  }
  return { record, report, reason: failure ?? 'the episode has no end in its record' };
}
