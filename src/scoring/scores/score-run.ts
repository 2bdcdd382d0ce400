import type { EpisodeRecord } from '../../episodes/index.js';
import type { Judgement } from '../judge/judge.js';
import { turnReward } from '../rewards/reward-table.js';
import { outcomeUnder, subScoresOf } from '../rewards/sub-scores.js';
import { tarlReward } from '../rewards/tarl.js';
import { tiersOf } from '../rewards/tiers.js';
import { successOf, turnsOf } from '../turns.js';
import { scoreAdvantages } from './score-advantages.js';
import type { ScoreLine } from './score-line.js';
import { identifyScorer, type Scorer, type ScorerIdentity } from './scorer.js';

export interface RunScores {
  readonly scorer: ScorerIdentity;
  /** One per record, in the order given. */
  readonly lines: readonly ScoreLine[];
  /** By episode id. */
  readonly judgements: ReadonlyMap<string, Judgement>;
  readonly deadTurns: number | null;
}

export interface ScoreOptions {
  /** The policy that an episode's agent was given; null: not at hand. */
  readonly policyOf: (record: EpisodeRecord) => string | null;
  /** Called after each judgement. */
  readonly onJudged?: (done: number) => void;
}

/** Everything but the advantages, which need the whole group. */
function scoreEpisode(record: EpisodeRecord, judgement: Judgement, scorer: Scorer): ScoreLine {
  const turns = turnsOf(record);
  const { task, liveJudge, source } = record.header;
  const tiers = tiersOf(turns, task.groundTruth);
  const brokenOff = record.end?.owner === 'platform';
  const recorded = successOf(record.outcome);
  const verified = scorer.outcome === 'recorded' ? recorded : outcomeUnder(record, scorer.outcome);
  const outcome = brokenOff ? null : verified;
  const judged = judgement.status === 'judged' ? judgement.verdicts : null;
  const verdicts = turns.map((_, index) => judged?.[index]?.verdict ?? null);
  const tarl = tarlReward({ outcome, verdicts }, { turnScale: scorer.turnScale });
  // An episode without turns has nothing to judge, but a missing judgement stays missing.
  const isMissing = judged === null;
  return {
    ...{ type: 'score', episode: record.header.episode, group: `${task.id} ${record.header.mode}`, outcome },
    ...(liveJudge === undefined ? {} : { liveJudge }),
    score: isMissing ? null : tarl.score,
    kind: isMissing ? null : tarl.kind,
    missing: judgement.status === 'missing' ? { reason: judgement.reason, detail: judgement.detail } : null,
    turns: turns.map((turn, index) => {
      const tier = tiers[index] ?? { tier: 'message', share: 0, matched: null };
      return {
        turn: turn.turn,
        verdict: verdicts[index] ?? null,
        reason: judged?.[index]?.reason ?? null,
        tier: tier.tier,
        tierReward: turnReward(scorer.rewards, tier),
        verdictReward: tarl.turnParts[index] ?? null,
        advantage: null,
      };
    }),
    subScores: {
      ...subScoresOf({
        ...{ turns, tiers, groundTruthCalls: task.groundTruth.length, required: task.communicate },
        // "2" stands in "42" too.
        said: source === 'maths' ? (record.outcome?.scores.communicate ?? 0) : undefined,
      }),
    },
  };
}

/**
 * Scores finished episodes from their records alone: verdicts, TARL reward, tiers and their rewards, advantages. It may
 * be run as often as wished; the same records, policies and scorer give the same lines.
 */
export async function scoreRun(
  records: readonly EpisodeRecord[],
  scorer: Scorer,
  options: ScoreOptions,
): Promise<RunScores> {
  let done = 0;
  const judgements = await Promise.all(
    records.map(async (record) => {
      const judgement = await scorer.judge.judge({ record, policy: options.policyOf(record) ?? '' });
      done += 1;
      options.onJudged?.(done);
      return judgement;
    }),
  );
  const lines = records.map((record, index) => scoreEpisode(record, judgements[index] as Judgement, scorer));
  const advantages = scoreAdvantages(
    scorer.advantage,
    lines.map(({ group, outcome, score, turns }) => ({
      ...{ group, outcome, score },
      turnRewards: turns.map((turn) => turn.tierReward),
    })),
  );
  return {
    scorer: identifyScorer(scorer),
    lines: lines.map((line, index) => {
      const values = advantages.perTurn[index];
      if (values == null) return line;
      return { ...line, turns: line.turns.map((turn, at) => ({ ...turn, advantage: values[at] ?? null })) };
    }),
    judgements: new Map(
      records.map((record, index) => [record.header.episode, judgements[index] as Judgement]),
    ),
    deadTurns: advantages.deadTurns,
  };
}
