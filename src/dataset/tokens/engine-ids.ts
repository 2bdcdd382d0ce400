import type { RestoredGeneration } from '../../episodes/index.js';
import type { DatasetRow } from '../rows/row.js';
import type { EncodedRow } from './encode-row.js';
import type { TokenSpan } from './token-block.js';

/** Ids as the engine sampled them, with log-probabilities as long as the ids (0 on what was given). */
export interface EngineRow extends EncodedRow {
  readonly logProbs: readonly number[] | null;
}

export type EngineReading = { readonly row: EngineRow } | { readonly unusable: string };

/** Why a reply cannot be trained on; null: it can. */
function faultOf({ ids, prompt, faults }: RestoredGeneration, before: readonly number[]): string | null {
  if (ids === null || prompt === null) return 'the engine gave no token ids';
  if (faults.length > 0) return "the engine's token ids do not fit together";
  const continues = before.length <= prompt.length && before.every((id, place) => prompt[place] === id);
  return continues ? null : 'a later prompt does not continue the earlier ones';
}

/**
 * The row's tokens from the engine's own ids: each prompt must continue what was given and sampled before. Replies that
 * the agent threw away stay as context. Of several actions in one reply the first has its tokens and the others stand,
 * empty, at its end: their rewards add up there.
 */
export function engineIds(row: DatasetRow, generations: readonly RestoredGeneration[]): EngineReading {
  const ids: number[] = [];
  const logProbs: number[] = [];
  const spans = new Map<number, TokenSpan>();
  const replies: { turn: number; span: TokenSpan }[] = [];
  let hasLogProbs = true;
  for (const generation of generations) {
    const fault = faultOf(generation, ids);
    if (fault !== null) return { unusable: fault };
    const { prompt, ids: own, logprobs, turn, discarded } = generation;
    if (prompt === null || own === null) return { unusable: 'the engine gave no token ids' };
    const given = prompt.slice(ids.length);
    ids.push(...given);
    const span = { start: ids.length, tokens: own.length };
    ids.push(...own);
    if (logprobs === null) hasLogProbs = false;
    logProbs.push(...new Array<number>(given.length).fill(0));
    logProbs.push(...(logprobs ?? new Array<number>(own.length).fill(0)));
    if (!discarded) replies.push({ turn, span });
  }
  for (const { turn, span } of replies) spans.set(turn, span);
  const turnSpans: TokenSpan[] = [];
  for (const { turn } of row.turns) {
    const own = spans.get(turn);
    const before = turnSpans.at(-1);
    if (own === undefined && before === undefined)
      return { unusable: 'the first turn has no reply of the engine' };
    turnSpans.push(own ?? { start: (before?.start ?? 0) + (before?.tokens ?? 0), tokens: 0 });
  }
  if (turnSpans.length === 0) return { unusable: 'the agent says nothing' };
  // What came after the last turn's reply was never acted on.
  const last = turnSpans.at(-1);
  const end = (last?.start ?? 0) + (last?.tokens ?? 0);
  return {
    row: {
      ...{ ids: ids.slice(0, end), turnSpans, audioSpans: [] },
      logProbs: hasLogProbs ? logProbs.slice(0, end) : null,
    },
  };
}
