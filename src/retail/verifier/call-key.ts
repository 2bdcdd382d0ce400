import { canonicalJson } from '../../shared/index.js';

interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

function sorted(list: readonly unknown[]): string[] {
  return list.map((entry) => canonicalJson(entry)).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/**
 * A text that is the same for two calls that mean the same: tool and arguments deep-equal, key order ignored. Items
 * may come in any order; where each has its new item, the two stay together as a pair.
 */
export function callKey({ name, arguments: args }: Call): string {
  const { item_ids: items, new_item_ids: newItems, ...rest } = args;
  if (!Array.isArray(items)) return canonicalJson([name, args]);
  if (!Array.isArray(newItems)) return canonicalJson([name, { ...args, item_ids: sorted(items) }]);
  if (items.length !== newItems.length) return canonicalJson([name, args]);
  return canonicalJson([name, rest, sorted(items.map((item: unknown, place) => [item, newItems[place]]))]);
}

/** Do two lists hold the same calls, each as often? */
export function areSameCalls(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  const [left, right] = [a.toSorted(), b.toSorted()];
  return left.every((key, place) => key === right[place]);
}
