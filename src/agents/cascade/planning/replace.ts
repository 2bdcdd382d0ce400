import { findItems } from '../reading/find-items.js';
import { findMethods, methodName } from '../reading/find-method.js';
import { findOrders } from '../reading/find-orders.js';
import { findVariant, optionList, partAbout, wantsOtherProduct } from '../reading/find-variant.js';
import type { Request } from '../reading/request.js';
import { words } from '../reading/words.js';
import { type Item, type Order, type Product, paidWith, sum, type Variant } from '../shop.js';
import { ask, listed, money, notYours, type Planner, refuse, type Step, wrongStatus } from './step.js';

const TAKE_OUT = /\bremove\b|\btake .{0,30}out of\b|\badd (?:a|an|another|the)\b/;

/** The variant for an item by the latest words about it; a step where that cannot be said. */
export function wishFor(
  request: Request,
  item: Item,
  { product, names }: { product: Product; names: readonly string[] },
): Variant | Step {
  for (const turn of request.turns) {
    const part = partAbout(words(turn), item.name, names);
    const found = findVariant(part, item, product);
    if (found.kind === 'variant') return found.variant;
    if (found.kind === 'gone')
      return refuse(
        `I am sorry, but the ${item.name} with ${optionList(found.options)} is not available, so it cannot be exchanged or changed for that.`,
      );
  }
  return ask('options');
}

export function readProduct(productId: string): Step {
  return { kind: 'read', call: { name: 'get_product_details', arguments: { product_id: productId } } };
}

function describe(pairs: readonly { item: Item; variant: Variant }[]): string {
  return listed(
    pairs.map(({ item, variant }) => `the ${item.name} for one with ${optionList(variant.options)}`),
  );
}

/** Exchanges of delivered items and changes of pending ones: the same wish, told apart by the order's status. */
export const planReplace: Planner = (request, { shop }) => {
  const text = words(request.all);
  const found = findOrders(request, shop, ['pending', 'delivered']);
  if (found.kind === 'foreign') return notYours(found.id);
  const [order] = found.kind === 'orders' ? found.orders : [];
  if (order === undefined) return ask('order');
  if (wantsOtherProduct(text))
    return refuse(
      `I am sorry, but in order ${order.order_id} an item cannot be changed into a different product, only into another version of the same one.`,
    );
  if (TAKE_OUT.test(text))
    return refuse(
      `I am sorry, but items cannot be removed from order ${order.order_id} or added to it; they can only be changed into other versions.`,
    );
  if (order.status !== 'pending' && order.status !== 'delivered')
    return wrongStatus(order, 'changed or exchanged');
  const items = findItems(request, order);
  if (items === null) return ask('items');
  const pairs: { item: Item; variant: Variant }[] = [];
  for (const item of items) {
    const product = shop.products.get(item.product_id);
    if (product === undefined) return readProduct(item.product_id);
    const wish = wishFor(request, item, { product, names: order.items.map(({ name }) => name) });
    if ('kind' in wish) return wish;
    pairs.push({ item, variant: wish });
  }
  return settle(request, { shop, order, pairs });
};

function settle(
  request: Request,
  {
    shop,
    order,
    pairs,
  }: {
    shop: Parameters<Planner>[1]['shop'];
    order: Order;
    pairs: readonly { item: Item; variant: Variant }[];
  },
): Step {
  const named = findMethods(request, shop, paidWith(order));
  if (named.length === 0 && (request.asked.get('payment') ?? 0) === 0) return ask('payment');
  const method = named[0] ?? shop.methods.find(({ id }) => id === paidWith(order));
  if (method === undefined) return ask('payment');
  const difference = sum([
    ...pairs.map(({ variant }) => variant.price),
    ...pairs.map(({ item }) => -item.price),
  ]);
  if (method.balance !== undefined && difference > method.balance)
    return refuse(
      `I am sorry, but your gift card cannot cover the difference of ${money(difference)}: it holds ${money(method.balance)}.`,
    );
  const way =
    difference > 0
      ? `the difference of ${money(difference)} charged to your ${methodName(method)}`
      : `the difference of ${money(-difference)} refunded to your ${methodName(method)}`;
  const pending = order.status === 'pending';
  return {
    kind: 'write',
    calls: [
      {
        name: pending ? 'modify_pending_order_items' : 'exchange_delivered_order_items',
        arguments: {
          order_id: order.order_id,
          item_ids: pairs.map(({ item }) => item.item_id),
          new_item_ids: pairs.map(({ variant }) => variant.item_id),
          payment_method_id: method.id,
        },
      },
    ],
    plan: `${pending ? 'change' : 'exchange'} in order ${order.order_id} ${describe(pairs)}, with ${way}. This works only once for an order`,
    report: pending
      ? `The items of order ${order.order_id} have been changed: ${describe(pairs)}, with ${way}.`
      : `The exchange in order ${order.order_id} has been requested: ${describe(pairs)}, with ${way}.`,
  };
}
