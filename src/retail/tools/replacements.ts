import { ToolError } from '../errors.js';
import { toCents, toDollars } from '../money.js';
import type { Order, OrderItem, Variant } from '../world.js';
import { findReplacement, quote, requireItems } from './find.js';
import type { WorldView } from './tool.js';

/** One item of an order and the variant that shall take its place. */
export interface Replacement {
  readonly old: OrderItem;
  readonly variant: Variant;
}

/**
 * Pairs old and new items and checks them, in the order in which the references check.
 * With `replacesInSequence` two copies of one item both stand for the first; otherwise each copy is its own.
 */
export function pairReplacements(
  view: WorldView,
  order: Order,
  lists: {
    readonly itemIds: readonly string[];
    readonly newItemIds: readonly string[];
    readonly allowsSame: boolean;
  },
): Replacement[] {
  const { itemIds, newItemIds, allowsSame } = lists;
  if (itemIds.length === 0 && !view.rules.allowsNoItems) refuseNoItems();
  requireItems(order, itemIds);
  if (itemIds.length !== newItemIds.length)
    throw new ToolError(
      'item-lists-differ',
      `item_ids has ${itemIds.length} entries and new_item_ids ${newItemIds.length}; each old item needs its new one at the same place`,
    );
  const left = [...order.items];
  return itemIds.flatMap((itemId, place) => {
    const newItemId = newItemIds[place] ?? '';
    if (itemId === newItemId && !allowsSame)
      throw new ToolError(
        'same-item',
        `item ${quote(itemId)} would be replaced by itself; choose a variant with another option`,
      );
    const index = left.findIndex((item) => item.item_id === itemId);
    const old = left[index];
    if (old === undefined) return [];
    if (!view.rules.replacesInSequence) left.splice(index, 1);
    return [{ old, variant: findReplacement(view, old, newItemId) }];
  });
}

export function refuseNoItems(): never {
  throw new ToolError('no-items', 'item_ids is empty; name at least one item of the order');
}

/** New prices less old prices, in dollars: exact to the cent, or as the sum of doubles that the references get. */
export function priceDifference(view: WorldView, replacements: readonly Replacement[]): number {
  if (view.rules.sumsDoubles)
    return replacements.reduce((total, { old, variant }) => total + (variant.price - old.price), 0);
  return toDollars(
    replacements.reduce((total, { old, variant }) => total + toCents(variant.price) - toCents(old.price), 0),
  );
}

/** The items of an order after the replacements. */
export function replaceItems(
  view: WorldView,
  order: Order,
  replacements: readonly Replacement[],
): OrderItem[] {
  const items = [...order.items];
  const replaced = new Set<number>();
  for (const { old, variant } of replacements) {
    const index = items.findIndex(
      (item, place) =>
        item.item_id === old.item_id && (view.rules.replacesInSequence || !replaced.has(place)),
    );
    const item = items[index];
    if (item === undefined) continue;
    items[index] = { ...item, item_id: variant.item_id, price: variant.price, options: variant.options };
    replaced.add(index);
  }
  return items;
}

/** Does a gift card hold too little for the difference? Doubles are compared as doubles, as in `priceDifference`. */
export function cannotCover(view: WorldView, balance: number, difference: number): boolean {
  return view.rules.sumsDoubles ? balance < difference : toCents(balance) < toCents(difference);
}
