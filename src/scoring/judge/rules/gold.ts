import type { ToolCall } from '../../../retail/index.js';
import { argumentsEqual } from '../../rewards/deep-equal.js';
import type { CallTurn } from '../../turns.js';

/** Items paired with their replacements and sorted, so that the order in which they are listed does not matter. */
function inOneOrder(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { item_ids: items, new_item_ids: replacements, ...rest } = args;
  if (!Array.isArray(items)) return { ...args };
  if (!Array.isArray(replacements) || replacements.length !== items.length)
    return { ...args, item_ids: items.map(String).toSorted() };
  const pairs = items.map((item: unknown, place) => ({ item, replacement: replacements[place] as unknown }));
  return { ...rest, pairs };
}

/** Do two calls mean the same? */
export function sameCall(a: ToolCall, b: ToolCall): boolean {
  return a.name === b.name && argumentsEqual(inOneOrder(a.arguments), inOneOrder(b.arguments));
}

function agreement(a: ToolCall, b: ToolCall): number {
  const names = Object.keys(b.arguments);
  const equal = names.filter((name) => argumentsEqual(a.arguments[name], b.arguments[name])).length;
  // The same order weighs more than any number of other arguments.
  const sameOrder = argumentsEqual(a.arguments.order_id, b.arguments.order_id) ? names.length + 1 : 0;
  return equal + sameOrder;
}

/** The agent's writes against those of the ground truth. */
export interface GoldMatching {
  /** For each successful write, the ground-truth call it equals or comes nearest to. */
  readonly of: ReadonlyMap<CallTurn, { readonly gold: ToolCall | null; readonly equal: boolean }>;
  /** Ground-truth writes that no successful call equals. */
  readonly outstanding: readonly ToolCall[];
}

/** Each ground-truth write is matched at most once: first by equality, then each leftover by the nearest of the same tool. */
export function matchWrites(writes: readonly CallTurn[], gold: readonly ToolCall[]): GoldMatching {
  const free = new Set(gold);
  const found = new Map<CallTurn, { gold: ToolCall | null; equal: boolean }>();
  for (const turn of writes) {
    const equal = [...free].find((call) => sameCall(turn.call, call));
    if (equal === undefined) continue;
    free.delete(equal);
    found.set(turn, { gold: equal, equal: true });
  }
  const outstanding = [...free];
  for (const turn of writes) {
    if (found.has(turn)) continue;
    const nearest = [...free]
      .filter((call) => call.name === turn.call.name)
      .map((call) => ({ call, score: agreement(turn.call, call) }))
      .sort((a, b) => b.score - a.score)[0];
    if (nearest !== undefined) free.delete(nearest.call);
    found.set(turn, { gold: nearest?.call ?? null, equal: false });
  }
  return { of: found, outstanding };
}
