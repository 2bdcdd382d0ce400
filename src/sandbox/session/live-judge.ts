import type { RecordEvent } from '../../episodes/index.js';
import { describeError } from '../../shared/index.js';

/** What an agent is about to do. */
export type ProposedAction =
  | { readonly type: 'message'; readonly text: string }
  | {
      readonly type: 'call';
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    };

/**
 * A judge that looks at every action before it is taken, and may break in. Off unless somebody asks for it: it changes
 * what agents do, so nothing that it touched can be compared with episodes that it did not.
 */
export interface LiveJudge {
  /** With its version, e.g. "rules-2": clients and records are told it. */
  readonly name: string;
  /**
   * `past`: the record so far, header and ground truth included. Null: the action is in order. Otherwise what the agent
   * is told, which must hold nothing that the agent is not to know. Where it throws, the action is taken.
   */
  review(past: readonly RecordEvent[], proposed: ProposedAction): string | null | Promise<string | null>;
}

/** A live judge at one episode. `past` grows with the record. */
export interface LiveReview {
  readonly judge: LiveJudge;
  readonly past: RecordEvent[];
}

/** What is said against the action. Never rejects: a judge's failure must not touch the episode. */
export async function reviewAction(
  { judge, past }: LiveReview,
  proposed: ProposedAction,
  log: (message: string) => void,
): Promise<string | null> {
  try {
    return await judge.review(past, proposed);
  } catch (error) {
    log(`${judge.name} could not look at an action: ${describeError(error)}`);
    return null;
  }
}
