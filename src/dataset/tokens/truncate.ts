import { DatasetChoiceError } from '../errors.js';
import type { EncodedRow } from './encode-row.js';

/** TARL's sizes are the defaults: 4,096 tokens of prompt, 1,024 per turn of the agent, 32,768 in all. */
export interface TokenLimits {
  readonly prompt: number;
  readonly turn: number;
  readonly total: number;
  /** `refuse`: the export fails; `cut`: the row ends with the last turn that fits; `drop`: the row is left out. */
  readonly whenOver: 'refuse' | 'cut' | 'drop';
}

export const TARL_LIMITS: TokenLimits = { prompt: 4096, turn: 1024, total: 32_768, whenOver: 'refuse' };

/** Why a row does not fit; null: it fits. */
function excess({ ids, turnSpans }: EncodedRow, limits: TokenLimits): string | null {
  const prompt = turnSpans[0]?.start ?? ids.length;
  if (prompt > limits.prompt) return `a prompt of more than ${limits.prompt} tokens`;
  if (turnSpans.some(({ tokens }) => tokens > limits.turn))
    return `a turn of more than ${limits.turn} tokens`;
  return ids.length > limits.total ? `more than ${limits.total} tokens in all` : null;
}

/** How many whole turns fit, from the first. */
function fitting({ turnSpans }: EncodedRow, limits: TokenLimits): number {
  const over = turnSpans.findIndex(
    ({ start, tokens }) => tokens > limits.turn || start + tokens > limits.total,
  );
  return over < 0 ? turnSpans.length : over;
}

export type Fitted = { readonly kept: number; readonly isTruncated: boolean } | { readonly dropped: string };

/**
 * How many of the row's turns stay. A prompt that is too long cannot be cut without changing what was asked, and a row
 * whose first turn does not fit has nothing left: both are dropped under `cut` too.
 * @throws DatasetChoiceError under `refuse`
 */
export function fitRow(id: string, row: EncodedRow, limits: TokenLimits): Fitted {
  const reason = excess(row, limits);
  if (reason === null) return { kept: row.turnSpans.length, isTruncated: false };
  if (limits.whenOver === 'refuse')
    throw new DatasetChoiceError(
      `${id} has ${reason}; raise the limit, or choose with --truncation whether to cut or to drop such rows`,
    );
  const kept = limits.whenOver === 'cut' && !reason.startsWith('a prompt') ? fitting(row, limits) : 0;
  return kept === 0 ? { dropped: reason } : { kept, isTruncated: true };
}
