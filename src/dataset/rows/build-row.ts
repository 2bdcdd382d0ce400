import type { EpisodeRecord } from '../../episodes/index.js';
import { type ScoreLine, turnsOf } from '../../scoring/index.js';
import { createRandom, deriveSeed } from '../../shared/index.js';
import { labelOf } from '../curriculum/label.js';
import { DatasetSourceError } from '../errors.js';
import { conversationOf } from './conversation.js';
import { type DatasetRow, ROW_VERSION, type RowTurn } from './row.js';
import { taskHash } from './task-hash.js';
import type { ToolSchema } from './tool-schema.js';

export interface RowContext {
  readonly id: string;
  readonly policy: string;
  readonly tools: readonly ToolSchema[];
  /** Null: the run was not scored. */
  readonly score: ScoreLine | null;
  /** By voice id. */
  readonly voiceLicences: ReadonlyMap<string, string>;
  /** Share of the customer's turns of a speech episode that stay sound; the others are given as text. */
  readonly speechTurns: number;
}

function turnsIn(record: EpisodeRecord, score: ScoreLine | null, places: readonly number[]): RowTurn[] {
  const turns = turnsOf(record);
  if (score !== null && score.turns.length !== turns.length)
    throw new DatasetSourceError(
      `episode ${record.header.episode} has ${turns.length} turns and its scores ${score.turns.length}; score the run again with "parlor score"`,
    );
  return turns.map(({ turn, kind }, index) => {
    const own = score?.turns[index];
    return {
      ...{ turn, kind, message: places[index] ?? -1 },
      ...{ tier: own?.tier ?? null, tierReward: own?.tierReward ?? null },
      ...{ verdict: own?.verdict ?? null, reason: own?.reason ?? null },
      ...{ verdictReward: own?.verdictReward ?? null, advantage: own?.advantage ?? null },
    };
  });
}

/** S without what the turns give. */
function outcomeRewardOf(score: ScoreLine | null): number | null {
  return score === null || score.score === null || score.outcome === null ? null : 10 * score.outcome;
}

/** The row of one episode. @throws DatasetSourceError when scores and record do not belong together */
export function buildRow(record: EpisodeRecord, context: RowContext): DatasetRow {
  const { header, end, outcome } = record;
  const { score, policy, tools, speechTurns } = context;
  // Decided by the episode's seed and the turn alone, so that a repeated export picks the same turns.
  const asAudio = (utterance: number): boolean =>
    speechTurns >= 1 ||
    createRandom(deriveSeed('speech-turn', header.episode, header.seed, utterance)).next() < speechTurns;
  const { messages, agentErrors } = conversationOf(record, { asAudio });
  const all = policy === '' ? messages : [{ role: 'system' as const, content: policy }, ...messages];
  const places = all.flatMap((message, place) => (message.role === 'assistant' ? [place] : []));
  const success = outcome === null ? null : outcome.success ? 1 : 0;
  return {
    version: ROW_VERSION,
    ...{ id: context.id, episode: header.episode },
    ...{ group: `${header.task.id} ${header.mode}`, pair: `${header.task.id} ${header.seed}` },
    ...{ task: header.task.id, taskHash: taskHash(header.task) },
    curriculum: labelOf(header.task),
    domain: header.source === 'maths' ? 'maths' : 'retail',
    ...{ mode: header.mode, seed: header.seed, trial: header.trial },
    liveJudge: header.liveJudge ?? null,
    ...{ agent: header.agent, customer: header.customer, voice: header.voice },
    voiceLicence: header.voice === null ? null : (context.voiceLicences.get(header.voice) ?? null),
    hashes: { world: header.worldHash, policy: header.policyHash, tools: header.toolsHash },
    ...{ messages: all, tools, turns: turnsIn(record, score, places) },
    ...{ outcome: score === null ? success : score.outcome, score: score?.score ?? null },
    ...{ kind: score?.kind ?? null, outcomeReward: outcomeRewardOf(score) },
    recordReward: outcome?.reward ?? null,
    subScores: score?.subScores ?? outcome?.scores ?? {},
    end: end === null ? null : { reason: end.reason, owner: end.owner },
    agentErrors,
  };
}
