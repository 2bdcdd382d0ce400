import { methodName } from '../reading/find-method.js';
import { findOrders } from '../reading/find-orders.js';
import type { Request } from '../reading/request.js';
import { words } from '../reading/words.js';
import { orderTotal, paidWith, sum } from '../shop.js';
import { ask, listed, money, notYours, type Planner, refuse, wrongStatus } from './step.js';

const REASONS: readonly (readonly [string, RegExp])[] = [
  ['ordered by mistake', /\bmistake\b|\bnever meant to\b|\baccident(?:ally)?\b/],
  [
    'no longer needed',
    /\b(?:no longer|don't|do not|doesn't) (?:really )?need\w*\b|\bno longer needs\b|\bno need\b|\bno use for\b/,
  ],
];
const SOMEBODY_ELSE =
  /\bfor my (?:sister|brother|neighbou?r|friend|mother|father|wife|husband|son|daughter|colleague|cousin|aunt|uncle|boss)\b|\bwho asked me to call\b/;

export function speaksForOthers(request: Request): boolean {
  return SOMEBODY_ELSE.test(words(request.all));
}

export const planCancel: Planner = (request, { shop }) => {
  if (speaksForOthers(request))
    return refuse(
      'I am sorry, but I cannot cancel an order of somebody else: I can only help with your own account.',
    );
  const found = findOrders(request, shop, ['pending']);
  if (found.kind === 'foreign') return notYours(found.id);
  if (found.kind === 'unknown') return ask('order');
  const [first, ...more] = found.orders;
  if (first === undefined) return ask('order');
  const orders = [first, ...more];
  const stuck = orders.find(({ status }) => status !== 'pending');
  if (stuck !== undefined) return wrongStatus(stuck, 'cancelled');
  const text = words(request.all);
  const reason = REASONS.find(([, rule]) => rule.test(text))?.[0];
  if (reason === undefined)
    return (request.asked.get('reason') ?? 0) > 0
      ? refuse(
          `I am sorry, but order ${first.order_id} cannot be cancelled for that reason: only when it is no longer needed or was ordered by mistake.`,
        )
      : ask('reason');
  const ids = listed(orders.map(({ order_id: id }) => id));
  const refunds = orders.map((order) => {
    const method = shop.methods.find(({ id }) => id === paidWith(order));
    return `${money(orderTotal(order))} to your ${method === undefined ? 'payment method' : methodName(method)}`;
  });
  const total = orders.length > 1 ? `, ${money(sum(orders.map(orderTotal)))} all together` : '';
  return {
    kind: 'write',
    calls: orders.map(({ order_id }) => ({ name: 'cancel_pending_order', arguments: { order_id, reason } })),
    plan: `cancel order ${ids} (reason: ${reason}), with a refund of ${listed(refunds)}${total}`,
    report:
      orders.length > 1
        ? `Both or all of the orders ${ids} have been cancelled. You get back ${listed(refunds)}${total}.`
        : `Order ${ids} has been cancelled. You get back ${listed(refunds)}.`,
  };
};
