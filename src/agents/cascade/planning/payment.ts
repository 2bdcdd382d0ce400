import { findMethods, methodName } from '../reading/find-method.js';
import { findOrders } from '../reading/find-orders.js';
import { words } from '../reading/words.js';
import { orderTotal, paidWith, sum } from '../shop.js';
import { ask, money, notYours, type Planner, refuse, wrongStatus } from './step.js';

export const planPayment: Planner = (request, { shop }) => {
  const found = findOrders(request, shop, ['pending']);
  if (found.kind === 'foreign') return notYours(found.id);
  const [order] = found.kind === 'orders' ? found.orders : [];
  if (order === undefined) return ask('order');
  const id = order.order_id;
  if (/\bsplit\b|\btwo (?:of my )?(?:payment )?methods\b|\bhalf\b/.test(words(request.all)))
    return refuse(
      `I am sorry, but the payment of order ${id} cannot be split: one method pays the whole order.`,
    );
  if (order.status !== 'pending') return wrongStatus(order, 'paid in another way');
  const [method] = findMethods(request, shop, paidWith(order));
  if (method === undefined) return ask('payment');
  if (method.id === paidWith(order))
    return refuse(
      `I am sorry, but order ${id} cannot be changed to your ${methodName(method)}: it is paid with that already.`,
    );
  const total = orderTotal(order);
  if (method.balance !== undefined && method.balance < total)
    return refuse(
      `I am sorry, but order ${id} cannot be paid with your gift card: it holds ${money(method.balance)} and the order costs ${money(total)}, so ${money(sum([total, -method.balance]))} is missing.`,
    );
  return {
    kind: 'write',
    calls: [
      { name: 'modify_pending_order_payment', arguments: { order_id: id, payment_method_id: method.id } },
    ],
    plan: `change the payment method of order ${id} (${money(total)}) to your ${methodName(method)}`,
    report: `The payment method of order ${id} has been changed to your ${methodName(method)}.`,
  };
};
