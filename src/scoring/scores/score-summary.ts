import { type Agreement, agreementOf, type Judgements } from '../judge/agreement.js';
import { type FaultLabel, type LabelStudy, studyLabels } from '../judge/label-study.js';
import { EPISODE_KINDS, type EpisodeKind } from '../rewards/tarl.js';
import { TIERS, type Tier } from '../rewards/tier.js';
import type { ScoreLine } from './score-line.js';
import type { RunScores } from './score-run.js';
import type { ScorerIdentity } from './scorer.js';

/** A mean that says how many it covers; null: none. */
export interface CoveredMean {
  readonly mean: number | null;
  readonly covered: number;
}

interface TierSummary {
  readonly tier: Tier;
  readonly turns: number;
  readonly share: number;
  readonly meanReward: number;
  readonly meanAdvantage: CoveredMean;
}

/** A run's scores in figures. */
export interface ScoreSummary {
  readonly scorer: ScorerIdentity;
  readonly episodes: number;
  readonly judged: number;
  /** Episodes in which a live judge could break in. */
  readonly liveJudged: number;
  /** Missing judgements by reason. */
  readonly missing: Readonly<Record<string, number>>;
  /** R. */
  readonly outcome: CoveredMean;
  /** TARL's S. */
  readonly score: CoveredMean;
  readonly kinds: Readonly<Record<EpisodeKind, number>>;
  readonly verdicts: {
    readonly turns: number;
    readonly right: number;
    readonly slip: number;
    readonly deviation: number;
  };
  readonly tiers: readonly TierSummary[];
  readonly deadTurns: number | null;
  /** Null: no faults are known. */
  readonly labels: LabelStudy | null;
  /** Null: no other scores were given. */
  readonly agreement: { readonly with: string; readonly figures: Agreement } | null;
}

function meanOf(values: readonly (number | null)[]): CoveredMean {
  const known = values.filter((value): value is number => value !== null);
  const sum = known.reduce((total, value) => total + value, 0);
  return { mean: known.length === 0 ? null : sum / known.length, covered: known.length };
}

function tiersIn(lines: readonly ScoreLine[]): TierSummary[] {
  const turns = lines.flatMap((line) => line.turns);
  return TIERS.flatMap((tier): TierSummary[] => {
    const own = turns.filter((turn) => turn.tier === tier);
    if (own.length === 0) return [];
    return [
      {
        ...{ tier, turns: own.length, share: own.length / turns.length },
        meanReward: meanOf(own.map((turn) => turn.tierReward)).mean ?? 0,
        meanAdvantage: meanOf(own.map((turn) => turn.advantage)),
      },
    ];
  });
}

export interface SummaryOptions {
  /** Faults that a reference agent put in on purpose; empty: none are known. */
  readonly labels: readonly FaultLabel[];
  readonly against?: { readonly name: string; readonly judgements: Judgements } | undefined;
}

export function summariseScores(scores: RunScores, { labels, against }: SummaryOptions): ScoreSummary {
  const { lines, scorer, judgements, deadTurns } = scores;
  const missing: Record<string, number> = {};
  for (const line of lines)
    if (line.missing !== null) missing[line.missing.reason] = (missing[line.missing.reason] ?? 0) + 1;
  const verdicts = lines.flatMap((line) => line.turns.map((turn) => turn.verdict));
  const count = (verdict: -1 | 0 | 1): number => verdicts.filter((value) => value === verdict).length;
  const kinds = Object.fromEntries(
    EPISODE_KINDS.map((kind) => [kind, lines.filter((line) => line.kind === kind).length]),
  ) as Record<EpisodeKind, number>;
  return {
    ...{ scorer, episodes: lines.length, missing, kinds, deadTurns },
    liveJudged: lines.filter((line) => line.liveJudge !== undefined).length,
    judged: lines.filter((line) => line.missing === null).length,
    outcome: meanOf(lines.map((line) => line.outcome)),
    score: meanOf(lines.map((line) => line.score)),
    verdicts: { turns: verdicts.length, right: count(1), slip: count(0), deviation: count(-1) },
    tiers: tiersIn(lines),
    labels: labels.length === 0 ? null : studyLabels(judgements, labels),
    agreement:
      against === undefined
        ? null
        : { with: against.name, figures: agreementOf(judgements, against.judgements) },
  };
}
