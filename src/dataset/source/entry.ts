import type { EpisodeRecord } from '../../episodes/index.js';
import { builtInMaths } from '../../maths/index.js';
import type { Mode } from '../../protocol/index.js';
import { builtInDomain } from '../../retail/index.js';
import { type ScoreLine, turnsOf } from '../../scoring/index.js';
import { canonicalJson, sha256Hex } from '../../shared/index.js';
import { type CurriculumLabel, labelOf } from '../curriculum/label.js';
import { conversationOf } from '../rows/conversation.js';
import type { RowMessage } from '../rows/row.js';
import { taskHash } from '../rows/task-hash.js';

/** What is kept of an episode in memory while a dataset is made: what filters, order, shards and the card need. */
export interface SourceEntry {
  /** Place of its run, from 0. */
  readonly run: number;
  readonly episode: string;
  readonly id: string;
  readonly group: string;
  readonly pair: string;
  readonly task: string;
  readonly taskHash: string;
  /** The task is one of an evaluation. */
  readonly isEvaluation: boolean;
  readonly curriculum: CurriculumLabel | null;
  readonly mode: Mode;
  readonly seed: number;
  readonly trial: number;
  readonly voice: string | null;
  readonly end: { readonly reason: string; readonly owner: string } | null;
  readonly outcome: 0 | 1 | null;
  readonly score: number | null;
  readonly kind: string | null;
  /** The judge that could break in while it was played; null: none. */
  readonly liveJudge: string | null;
  readonly isJudged: boolean;
  readonly turns: number;
  readonly verdicts: { readonly right: number; readonly slip: number; readonly deviation: number };
  /** Share of turns on which another judge says the same; null: not asked, or one of them says nothing. */
  readonly agreement: number | null;
  /** Characters of all messages but the policy. */
  readonly characters: number;
  readonly clips: readonly {
    readonly sha256: string;
    readonly samples: number;
    readonly durationMs: number;
  }[];
  /** Equal for episodes in which the same was said and done, whatever the voice. */
  readonly contentHash: string;
}

let builtInEvaluation: ReadonlySet<string> | undefined;

/** Content hashes of the built-in evaluation tasks, worked out once. */
export function builtInEvaluationHashes(): ReadonlySet<string> {
  builtInEvaluation ??= new Set([...builtInDomain().tasks, ...builtInMaths().tasks].map(taskHash));
  return builtInEvaluation;
}

/** What was said and done, without call ids and sound. */
function contentOf(message: RowMessage): unknown {
  if (message.role === 'assistant')
    return [
      message.content,
      message.toolCall && [message.toolCall.name, canonicalJson(message.toolCall.arguments)],
    ];
  return message.content;
}

function agreementOf(own: ScoreLine | null, other: ScoreLine | null): number | null {
  if (own === null || other === null || own.turns.length !== other.turns.length) return null;
  const pairs = own.turns.map((turn, index) => [turn.verdict, other.turns[index]?.verdict ?? null] as const);
  if (pairs.length === 0 || pairs.some((pair) => pair.includes(null))) return null;
  return pairs.filter(([a, b]) => a === b).length / pairs.length;
}

export interface EntryScores {
  readonly own: ScoreLine | null;
  readonly other: ScoreLine | null;
}

export function entryOf(record: EpisodeRecord, run: number, { own, other }: EntryScores): SourceEntry {
  const { header, end, outcome } = record;
  const { messages } = conversationOf(record, { asAudio: () => true });
  const hash = taskHash(header.task);
  const success = outcome === null ? null : outcome.success ? 1 : 0;
  const count = (verdict: number): number =>
    own?.turns.filter((turn) => turn.verdict === verdict).length ?? 0;
  return {
    ...{ run, episode: header.episode, id: header.episode },
    ...{ group: `${header.task.id} ${header.mode}`, pair: `${header.task.id} ${header.seed}` },
    ...{ task: header.task.id, taskHash: hash },
    isEvaluation: header.task.splits.includes('test') || builtInEvaluationHashes().has(hash),
    curriculum: labelOf(header.task),
    ...{ mode: header.mode, seed: header.seed, trial: header.trial, voice: header.voice },
    end: end === null ? null : { reason: end.reason, owner: end.owner },
    ...{ outcome: own === null ? success : own.outcome, score: own?.score ?? null, kind: own?.kind ?? null },
    liveJudge: header.liveJudge ?? null,
    ...{ isJudged: own !== null && own.missing === null, turns: turnsOf(record).length },
    verdicts: { right: count(1), slip: count(0), deviation: count(-1) },
    agreement: agreementOf(own, other),
    characters: messages.reduce(
      (sum, message) => sum + (message.content ?? JSON.stringify(message)).length,
      0,
    ),
    clips: record.events.flatMap((event) =>
      event.type === 'customer' && event.audio !== null
        ? [{ sha256: event.audio.sha256, samples: event.audio.samples, durationMs: event.audio.durationMs }]
        : [],
    ),
    contentHash: sha256Hex(JSON.stringify([hash, messages.map(contentOf)])),
  };
}
