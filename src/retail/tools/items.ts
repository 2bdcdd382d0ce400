import { ToolError } from '../errors.js';
import { roundToCents, toCents } from '../money.js';
import type { Order } from '../world.js';
import { text, textList } from './arguments.js';
import {
  findOrder,
  findPaymentMethod,
  findUser,
  quote,
  refuseShortBalance,
  requireDelivered,
  requireItems,
  requirePending,
} from './find.js';
import { creditGiftCard, entry, netPayments } from './payments.js';
import {
  cannotCover,
  pairReplacements,
  priceDifference,
  refuseNoItems,
  replaceItems,
} from './replacements.js';
import { defineTool } from './tool.js';

const orderId = text('Id of the order with its leading "#", for example "#W0000000"');
const newItemIds = textList(
  'Ids of the new items, each at the place of the item it replaces; each a variant of the same product, in stock',
);

const modifyPendingOrderItems = defineTool({
  name: 'modify_pending_order_items',
  title: 'Change items of a pending order',
  description:
    'Replaces items of a pending order by other variants of the same products. Possible once for an order, so collect every change, read all of it back and get a clear yes first.',
  kind: 'write',
  destructive: true,
  arguments: {
    order_id: orderId,
    item_ids: textList('Ids of the items to be replaced; an item that is meant twice is named twice'),
    new_item_ids: newItemIds,
    payment_method_id: text(
      'Id of the method that pays or receives the difference in price, from the profile of the customer',
    ),
  },
  run: (view, args) => {
    const order = findOrder(view, args.order_id);
    requirePending(order, false);
    const replacements = pairReplacements(view, order, {
      itemIds: args.item_ids,
      newItemIds: args.new_item_ids,
      allowsSame: view.rules.allowsSameItemModification,
    });
    const difference = priceDifference(view, replacements);
    const method = findPaymentMethod(view, order, args.payment_method_id);
    const cents = toCents(roundToCents(difference));
    if (method.source === 'gift_card' && cannotCover(view, method.balance, difference))
      refuseShortBalance(method, cents);
    const movement = entry(difference > 0 ? 'payment' : 'refund', Math.abs(cents), args.payment_method_id);
    const isRecorded = cents !== 0 || view.rules.recordsZeroDifference;
    const modified = {
      ...order,
      status: 'pending (item modified)',
      items: replaceItems(view, order, replacements),
      payment_history: isRecorded ? [...order.payment_history, movement] : order.payment_history,
    };
    const record = creditGiftCard(findUser(view, order.user_id), args.payment_method_id, -cents);
    return { value: modified, order: modified, user: { id: order.user_id, record } };
  },
});

/** Was the order paid with this method? The references look at the first entry, whatever came after it. */
function isOriginalMethod(order: Order, methodId: string, byFirstEntry: boolean): boolean {
  return byFirstEntry
    ? order.payment_history[0]?.payment_method_id === methodId
    : netPayments(order.payment_history).has(methodId);
}

const returnDeliveredOrderItems = defineTool({
  name: 'return_delivered_order_items',
  title: 'Return items of a delivered order',
  description:
    'Requests the return of items of a delivered order. The refund goes to the method the order was paid with or to a gift card of the customer. Read the items and the method back and get a clear yes first.',
  kind: 'write',
  destructive: true,
  arguments: {
    order_id: orderId,
    item_ids: textList('Ids of the items to be returned; an item that is meant twice is named twice'),
    payment_method_id: text('Id of the method that gets the refund, from the profile of the customer'),
  },
  run: (view, args) => {
    const order = findOrder(view, args.order_id);
    requireDelivered(order);
    const method = findPaymentMethod(view, order, args.payment_method_id);
    const isOriginal = isOriginalMethod(order, args.payment_method_id, view.rules.refundsEveryEntry);
    if (method.source !== 'gift_card' && !isOriginal)
      throw new ToolError(
        'refund-method-not-allowed',
        `a refund goes to the method that paid ${order.order_id} or to a gift card; ${quote(args.payment_method_id)} is neither`,
      );
    if (args.item_ids.length === 0 && !view.rules.allowsNoItems) refuseNoItems();
    requireItems(order, args.item_ids);
    const returned = {
      ...order,
      status: 'return requested',
      return_items: args.item_ids.toSorted(compareText),
      return_payment_method_id: args.payment_method_id,
    };
    return { value: returned, order: returned };
  },
});

const exchangeDeliveredOrderItems = defineTool({
  name: 'exchange_delivered_order_items',
  title: 'Exchange items of a delivered order',
  description:
    'Requests the exchange of items of a delivered order for other variants of the same products. Possible once for an order, so collect every item, read all of it back and get a clear yes first.',
  kind: 'write',
  destructive: true,
  arguments: {
    order_id: orderId,
    item_ids: textList('Ids of the items to be exchanged; an item that is meant twice is named twice'),
    new_item_ids: newItemIds,
    payment_method_id: text(
      'Id of the method that pays or receives the difference in price, from the profile of the customer',
    ),
  },
  run: (view, args) => {
    const order = findOrder(view, args.order_id);
    requireDelivered(order);
    const replacements = pairReplacements(view, order, {
      itemIds: args.item_ids,
      newItemIds: args.new_item_ids,
      allowsSame: view.rules.allowsSameItemExchange,
    });
    const difference = roundToCents(priceDifference(view, replacements));
    const method = findPaymentMethod(view, order, args.payment_method_id);
    if (method.source === 'gift_card' && toCents(method.balance) < toCents(difference))
      refuseShortBalance(method, toCents(difference));
    const oldIds = replacements.map(({ old }) => old.item_id);
    const newIds = replacements.map(({ variant }) => variant.item_id);
    const pairs = oldIds.map((id, place) => [id, newIds[place] ?? ''] as const).toSorted(comparePairs);
    const exchanged = {
      ...order,
      status: 'exchange requested',
      exchange_items: oldIds.toSorted(compareText),
      exchange_new_items: view.rules.losesExchangePairs
        ? newIds.toSorted(compareText)
        : pairs.map(([, id]) => id),
      exchange_payment_method_id: args.payment_method_id,
      exchange_price_difference: difference,
    };
    return { value: exchanged, order: exchanged };
  },
});

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function comparePairs(a: readonly [string, string], b: readonly [string, string]): number {
  return compareText(a[0], b[0]) || compareText(a[1], b[1]);
}

export const ITEM_TOOLS = [modifyPendingOrderItems, returnDeliveredOrderItems, exchangeDeliveredOrderItems];
