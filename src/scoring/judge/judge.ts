import type { EpisodeRecord } from '../../episodes/index.js';
import type { Verdict } from '../rewards/tarl.js';

/** What decides a judgement: two judgements with the same hash were made the same way. */
export interface JudgeIdentity {
  /** e.g. "rules" or "model:NAME". */
  readonly name: string;
  /** Raised by hand whenever the judge's rules or prompt change what it says. */
  readonly version: string;
  /** SHA-256 over name, version, options and prompt. */
  readonly hash: string;
}

export interface TurnVerdict {
  /** The record's turn number: 1 for the agent's first action. */
  readonly turn: number;
  readonly verdict: Verdict;
  /** One line for people. */
  readonly reason: string;
}

export type MissingReason =
  /** The record was cut short, or the platform broke the episode off. */
  | 'episode-unfinished'
  /** A model gave no usable reply, however often it was asked. */
  | 'no-usable-reply'
  /** The model could not be reached, or refused. */
  | 'model-failed'
  /** The judge's budget was used up. */
  | 'budget-spent'
  /** Judges voted and none, or no majority, had an opinion. */
  | 'no-majority';

/** A judge's word on one episode: a verdict for each turn, or none at all. A missing judgement is never read as 0. */
export type Judgement =
  | { readonly status: 'judged'; readonly judge: JudgeIdentity; readonly verdicts: readonly TurnVerdict[] }
  | {
      readonly status: 'missing';
      readonly judge: JudgeIdentity;
      readonly reason: MissingReason;
      /** For people. */
      readonly detail: string;
    };

export interface JudgeInput {
  readonly record: EpisodeRecord;
  /** The domain policy that the agent was given. */
  readonly policy: string;
}

/**
 * Gives each turn of a finished episode a verdict (TARL, arXiv 2509.14480): 1 right; 0 a slip that is minor or was
 * mended, or a consequence of an earlier deviation; -1 the major deviation itself, at most once. It works from the
 * record alone and never throws because of what a record holds: then the judgement is missing.
 */
export interface Judge {
  readonly identity: JudgeIdentity;
  judge(input: JudgeInput): Promise<Judgement>;
}
