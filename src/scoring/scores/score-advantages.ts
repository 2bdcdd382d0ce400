import {
  createTurnBatch,
  spreadOverTurns,
  type TurnAdvantages,
  type TurnBatch,
} from '../advantages/batch.js';
import { deadTurnShare } from '../advantages/diagnostics.js';
import { grpo, rloo } from '../advantages/group-relative.js';
import { gtpo, hybrid, mtGrpo } from '../advantages/turn-level.js';
import type { ScoreAdvantage } from './scorer.js';

/** What advantages are computed from, per episode. */
export interface Scored {
  readonly group: string;
  readonly outcome: 0 | 1 | null;
  readonly score: number | null;
  readonly turnRewards: readonly number[];
}

export interface ScoredAdvantages {
  /** One list per episode, in the order given; null where the episode has no number to compare. */
  readonly perTurn: readonly (readonly number[] | null)[];
  /** Share of turns that give no gradient; null: no turns, or none asked for. */
  readonly deadTurns: number | null;
  /** Episodes that took part. */
  readonly episodes: number;
}

function advantagesOf(name: Exclude<ScoreAdvantage, 'none'>, batch: TurnBatch): TurnAdvantages {
  switch (name) {
    case 'grpo':
      return spreadOverTurns(grpo(batch.outcomes, batch.groupOffsets), batch.turnOffsets);
    case 'rloo':
      return spreadOverTurns(rloo(batch.outcomes, batch.groupOffsets), batch.turnOffsets);
    case 'mt-grpo':
      return mtGrpo(batch);
    case 'gtpo':
      return gtpo(batch);
    case 'hybrid':
      return hybrid(batch);
  }
}

/** The number that an episode brings into its group: S for what compares episodes, R for what compares turns. */
function basisOf(name: ScoreAdvantage, episode: Scored): number | null {
  return name === 'grpo' || name === 'rloo' ? episode.score : episode.outcome;
}

/** Advantages over all groups of a run. Episodes without a score take no part, so they do not pull a group's mean. */
export function scoreAdvantages(name: ScoreAdvantage, episodes: readonly Scored[]): ScoredAdvantages {
  const perTurn: (readonly number[] | null)[] = episodes.map(() => null);
  if (name === 'none') return { perTurn, deadTurns: null, episodes: 0 };
  const groups = new Map<string, number[]>();
  for (const [place, episode] of episodes.entries()) {
    if (basisOf(name, episode) === null) continue;
    const group = groups.get(episode.group);
    if (group === undefined) groups.set(episode.group, [place]);
    else group.push(place);
  }
  const batch = createTurnBatch(
    [...groups.values()].map((group) =>
      group.map((place) => {
        const episode = episodes[place];
        const outcome = episode === undefined ? null : basisOf(name, episode);
        return { outcome: outcome ?? 0, turnRewards: episode?.turnRewards ?? [] };
      }),
    ),
  );
  const advantages = advantagesOf(name, batch);
  const ordered = [...groups.values()].flat();
  for (const [at, place] of ordered.entries())
    perTurn[place] = [...advantages.values.subarray(batch.turnOffsets[at], batch.turnOffsets[at + 1])];
  return { perTurn, deadTurns: deadTurnShare(advantages), episodes: ordered.length };
}
