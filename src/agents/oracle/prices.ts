import type { SeenItem, SeenWorld } from './seen-world.js';
import type { WriteArguments } from './write-call.js';

function sumCents(items: readonly (SeenItem | null | undefined)[]): number | null {
  let cents = 0;
  for (const item of items) {
    if (item === null || item === undefined) return null;
    cents += Math.round(item.price * 100);
  }
  return cents;
}

/** What was paid for the items of a write, in cents; null when the order was not read. */
export function paidCents({ order_id, item_ids }: WriteArguments, seen: SeenWorld): number | null {
  const order = seen.orders.get(order_id);
  return sumCents(item_ids.map((id) => order?.items.find(({ item_id }) => item_id === id)));
}

/** What the new items cost more than the old ones, in cents; null when not all prices were read. */
export function differenceCents(to: WriteArguments, seen: SeenWorld): number | null {
  const paid = paidCents(to, seen);
  const costs = sumCents(to.new_item_ids.map((id) => seen.item(id)));
  return paid === null || costs === null ? null : costs - paid;
}
