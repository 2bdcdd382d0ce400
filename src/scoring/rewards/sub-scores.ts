import type { EpisodeRecord, OutcomeEvent } from '../../episodes/index.js';
import type { OutcomeRule, RewardComponent } from '../../retail/index.js';
import type { EpisodeTurn } from '../turns.js';
import type { TierTurn } from './tier.js';

/** How text is compared with a required string: lower case, without commas, on both sides ("1,234" is said by "1234"). */
function comparable(text: string): string {
  return text.toLowerCase().replaceAll(',', '').replace(/\s+/g, ' ');
}

/** Which of the required strings stand in a message to the customer; in the order required. */
export function saidStrings(turns: readonly EpisodeTurn[], required: readonly string[]): boolean[] {
  const messages = turns.flatMap((turn) => (turn.kind === 'message' ? [comparable(turn.text)] : []));
  return required.map((text) => messages.some((message) => message.includes(comparable(text))));
}

/** What can be counted in any episode, however it ended. Shares are null where there is nothing to share. */
export interface SubScores {
  readonly turns: number;
  readonly messages: number;
  readonly calls: number;
  readonly errors: number;
  readonly duplicates: number;
  /** Successful changes that match no ground-truth call, not even nearly. */
  readonly strayChanges: number;
  /** Ground-truth calls made exactly, of all. */
  readonly goldShare: number | null;
  /** The same, near misses counted by their share of right arguments. */
  readonly softGoldShare: number | null;
  /** Required strings that were said, of all. */
  readonly saidShare: number | null;
  /**
   * A graded success in 0 … 1: (exact calls + shares of near misses + strings said) / (ground-truth calls + required
   * strings + stray changes). 1 when nothing was asked and nothing was changed. Ours, for curves and tie-breaks; no
   * paper trains on it.
   */
  readonly soft: number;
}

export interface SubScoreInput {
  readonly turns: readonly EpisodeTurn[];
  readonly tiers: readonly TierTurn[];
  readonly groundTruthCalls: number;
  readonly required: readonly string[];
  /** How many of them were said, where that is not told by looking for their letters. */
  readonly said?: number | undefined;
}

export function subScoresOf(input: SubScoreInput): SubScores {
  const { turns, tiers, groundTruthCalls, required } = input;
  const count = (tier: TierTurn['tier']): number => tiers.filter((turn) => turn.tier === tier).length;
  const near = tiers.reduce((sum, turn) => sum + (turn.tier === 'soft' ? turn.share : 0), 0);
  const said = input.said ?? saidStrings(turns, required).filter(Boolean).length;
  const gold = count('gold');
  const strayChanges = count('state');
  const wanted = groundTruthCalls + required.length + strayChanges;
  return {
    turns: turns.length,
    messages: count('message'),
    calls: turns.length - count('message'),
    errors: count('error'),
    duplicates: count('duplicate'),
    strayChanges,
    goldShare: groundTruthCalls === 0 ? null : gold / groundTruthCalls,
    softGoldShare: groundTruthCalls === 0 ? null : (gold + near) / groundTruthCalls,
    saidShare: required.length === 0 ? null : said / required.length,
    soft: wanted === 0 ? 1 : (gold + near + said) / wanted,
  };
}

/** Ends after which a reward can be more than 0; see `VerifyInput.endedInOrder`. */
const ORDERLY_ENDS: ReadonlySet<string> = new Set(['customer_stop', 'transfer', 'agent_stop']);

function component(name: RewardComponent, scores: OutcomeEvent['scores']): number | null {
  if (name === 'DB') return scores.database;
  if (name === 'COMMUNICATE') return scores.communicate ?? 1;
  if (name === 'ACTION') return scores.actions === null ? 1 : scores.actions === 1 ? 1 : 0;
  // Assertions that nothing could score count as 1, as the verifier counts them; `unscored` names them.
  return name === 'NL_ASSERTION' ? (scores.assertions ?? 1) : 1;
}

/**
 * R of an episode under another rule than the one it was verified by, from its sub-scores. `tarl`: write calls equal.
 * `tau`: end state and required strings. `tau2`: the product of the components that the task names.
 * @returns null where the record was cut short, or an imported one does not tell the part that decides
 */
export function outcomeUnder(record: EpisodeRecord, rule: OutcomeRule): 0 | 1 | null {
  const { outcome, end, header } = record;
  if (outcome === null) return null;
  if (end !== null && !ORDERLY_ENDS.has(end.reason)) return 0;
  const { scores } = outcome;
  // A maths episode writes nothing: its answer is all there is, whatever the rule.
  if (header.source === 'maths') return scores.communicate === 1 ? 1 : 0;
  const parts =
    rule === 'tarl'
      ? [scores.writes]
      : rule === 'tau'
        ? [scores.database, scores.communicate ?? 1]
        : header.task.rewardBasis.map((name) => component(name, scores));
  if (parts.includes(0)) return 0;
  return parts.includes(null) ? null : parts.every((part) => part === 1) ? 1 : 0;
}
