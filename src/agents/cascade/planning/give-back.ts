import { findItems } from '../reading/find-items.js';
import { findMethods, methodName } from '../reading/find-method.js';
import { findOrders } from '../reading/find-orders.js';
import { paidWith, sum } from '../shop.js';
import { speaksForOthers } from './cancel.js';
import { ask, listed, money, notYours, type Planner, refuse, wrongStatus } from './step.js';

/** Returns: order, items, and where the money goes. */
export const planReturn: Planner = (request, { shop }) => {
  if (speaksForOthers(request))
    return refuse(
      'I am sorry, but I cannot return items of somebody else: I can only help with your own account.',
    );
  const found = findOrders(request, shop, ['delivered']);
  if (found.kind === 'foreign') return notYours(found.id);
  const [order] = found.kind === 'orders' ? found.orders : [];
  if (order === undefined) return ask('order');
  if (order.status !== 'delivered') return wrongStatus(order, 'returned');
  const items = findItems(request, order);
  if (items === null) return ask('items');
  const original = paidWith(order);
  const named = findMethods(request, shop, original);
  if (named.length === 0 && (request.asked.get('refund') ?? 0) === 0) return ask('refund');
  const allowed = named.find(({ id, source }) => id === original || source === 'gift_card');
  const method = allowed ?? shop.methods.find(({ id }) => id === original);
  if (method === undefined) return ask('refund');
  const names = listed(items.map(({ name }) => `the ${name}`));
  const refund = `the refund of ${money(sum(items.map(({ price }) => price)))} to your ${methodName(method)}`;
  return {
    kind: 'write',
    calls: [
      {
        name: 'return_delivered_order_items',
        arguments: {
          order_id: order.order_id,
          item_ids: items.map(({ item_id }) => item_id),
          payment_method_id: method.id,
        },
      },
    ],
    plan: `return ${names} from order ${order.order_id}, with ${refund}`,
    report: `The return of ${names} from order ${order.order_id} has been requested, with ${refund}.`,
  };
};
