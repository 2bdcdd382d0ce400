import type { RestoredGeneration } from '../../episodes/index.js';
import { placePerTurn, type TokenLayout } from '../../scoring/index.js';
import type { DatasetRow } from '../rows/row.js';
import { type EncodedRow, encodeRow, type RowEncoder } from './encode-row.js';
import { engineIds } from './engine-ids.js';
import type { TokenBlock, TokenSpan } from './token-block.js';
import { fitRow, type TokenLimits } from './truncate.js';

/** What became of a row's tokens. */
export interface Encoded {
  readonly tokens: TokenBlock | null;
  /** Why the row is left out of every format; null: it is not. */
  readonly dropped: string | null;
  /** Why the engine's own ids were not used; null: they were, or there are none. */
  readonly engineUnusable: string | null;
}

export const NOT_ENCODED: Encoded = { tokens: null, dropped: null, engineUnusable: null };

export type EncodeRow = (row: DatasetRow, generations: readonly RestoredGeneration[] | null) => Encoded;

export interface TokenEncoderOptions {
  /** Null: only rows with the engine's own ids get tokens. */
  readonly encoder: RowEncoder | null;
  readonly limits: TokenLimits;
}

/** Index, in the whole sequence, of the token that carries a turn's reward. */
const lastToken = ({ start, tokens }: TokenSpan): number => start + tokens - 1;

/** Scoring's placement: each turn's part on its last agent token, the outcome's added on the last of all. */
function rewardsOf(row: DatasetRow, spans: readonly TokenSpan[], mask: readonly (0 | 1)[], opening: number) {
  const parts = row.turns.slice(0, spans.length).map(({ verdictReward }) => verdictReward);
  if (row.outcomeReward === null || parts.some((part) => part === null)) return null;
  const layout: TokenLayout = {
    tokenOffsets: Uint32Array.of(0, mask.length),
    mask: Uint8Array.from(mask),
    turnOffsets: Uint32Array.of(0, spans.length),
    turnEnds: Uint32Array.from(spans, (span) => lastToken(span) - opening),
  };
  const rewards = Float64Array.from(parts, (part) => part ?? 0);
  return [...placePerTurn(layout, rewards, Float64Array.of(row.outcomeReward))];
}

/** Actions that share a reply share its tokens, which then carry their mean. */
function advantagesOf(row: DatasetRow, spans: readonly TokenSpan[], length: number, opening: number) {
  if (spans.some((_, place) => row.turns[place]?.advantage == null)) return null;
  const values = new Array<number>(length).fill(0);
  for (let place = 0; place < spans.length; ) {
    let next = place + 1;
    while (next < spans.length && spans[next]?.tokens === 0) next += 1;
    const own = row.turns.slice(place, next).map(({ advantage }) => advantage ?? 0);
    const mean = own.reduce((a, b) => a + b, 0) / own.length;
    const { start, tokens } = spans[place] ?? { start: 0, tokens: 0 };
    values.fill(mean, start - opening, start - opening + tokens);
    place = next;
  }
  return values;
}

function blockOf(
  row: DatasetRow,
  encoded: EncodedRow & { readonly logProbs: readonly number[] | null },
  rest: Pick<TokenBlock, 'origin' | 'isTruncated'> & { readonly kept: number },
): TokenBlock {
  const { kept, origin, isTruncated } = rest;
  const turnSpans = encoded.turnSpans.slice(0, kept);
  const opening = turnSpans[0]?.start ?? 0;
  const end = turnSpans.reduce((last, { start, tokens }) => Math.max(last, start + tokens), opening);
  const responseIds = encoded.ids.slice(opening, end);
  const mask = new Array<0 | 1>(responseIds.length).fill(0);
  for (const { start, tokens } of turnSpans) mask.fill(1, start - opening, start - opening + tokens);
  return {
    ...{ origin, isTruncated, turnSpans, responseIds, responseMask: mask },
    promptIds: encoded.ids.slice(0, opening),
    logProbs: encoded.logProbs?.slice(opening, end) ?? null,
    audioSpans: encoded.audioSpans.filter(({ start }) => start < end),
    tokenRewards: rewardsOf(row, turnSpans, mask, opening),
    tokenAdvantages: advantagesOf(row, turnSpans, responseIds.length, opening),
  };
}

/** Tokens for rows: the engine's own ids where the run has them, else the tokenizer's. */
export function createTokenEncoder({ encoder, limits }: TokenEncoderOptions): EncodeRow {
  return (row, generations) => {
    if (row.turns.length === 0) return NOT_ENCODED;
    const engine = generations === null ? null : engineIds(row, generations);
    const sampled = engine !== null && 'row' in engine ? engine.row : null;
    const engineUnusable = engine !== null && 'unusable' in engine ? engine.unusable : null;
    if (sampled === null && encoder === null) return { ...NOT_ENCODED, engineUnusable };
    const encoded = sampled ?? (encoder === null ? null : { ...encodeRow(row, encoder), logProbs: null });
    if (encoded === null) return { ...NOT_ENCODED, engineUnusable };
    const fitted = fitRow(row.id, encoded, limits);
    if ('dropped' in fitted) return { tokens: null, dropped: fitted.dropped, engineUnusable };
    const origin = sampled === null ? 'tokenizer' : 'engine';
    return { tokens: blockOf(row, encoded, { ...fitted, origin }), dropped: null, engineUnusable };
  };
}
