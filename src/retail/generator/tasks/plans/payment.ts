import { toCents, toDollars } from '../../../money.js';
import { orderMismatches, paymentMismatches } from '../mismatches.js';
import { ignoranceProse, referTo } from '../order-reference.js';
import { call, claimsOf, freeOrders, type PlanContext, type PlanRequest } from '../request-plan.js';
import { isSayable, methodWords, moneyWords, speak } from '../wording.js';

function sayPay(context: PlanContext, mine: string, method: string): string {
  return speak(context, {
    terse: [`Pay ${mine} with my ${method} instead.`, `Switch ${mine} to my ${method}.`],
    plain: [
      `I'd like to pay for ${mine} with my ${method} instead.`,
      `Could you change the payment of ${mine} to my ${method}?`,
      `I used the wrong payment method for ${mine}. It should be my ${method}.`,
    ],
  });
}

/** A pending order shall be paid by another method. */
export const planPayment: PlanRequest = (context) => {
  const { random, user } = context;
  for (const order of freeOrders(context, 'pending')) {
    const paid = order.payment_history[0];
    const others = Object.values(user.payment_methods).filter(
      (method) =>
        method.id !== paid?.payment_method_id &&
        (method.source !== 'gift_card' || toCents(method.balance) >= toCents(paid?.amount ?? 0)),
    );
    if (paid === undefined || others.length === 0) continue;
    const method = random.pick(others);
    const words = methodWords(user, method.id);
    const reference = referTo(context, order);
    const vague = random.chance(0.2);
    return [
      {
        kind: 'order-payment',
        tags: [...(vague ? ['vague'] : []), ...(reference.known ? [] : ['order-unknown'])],
        goal: 'modify_order_payment',
        expected: 'done',
        say: vague
          ? speak(context, {
              terse: ['I want to change how I pay.'],
              plain: [
                'I want to sort out how one of my orders is paid.',
                "I'm not sure that I paid for an order in the right way.",
              ],
            })
          : sayPay(context, reference.mine, words),
        facts: [
          reference.fact,
          { slot: 'payment', say: `With my ${words}.` },
          { slot: 'detail', say: `I want to pay for ${reference.mine} with my ${words}.` },
        ],
        about: reference.about,
        mismatches: [
          ...paymentMismatches(user, method.id),
          ...(reference.known ? orderMismatches(context.orders, [order]) : []),
        ],
        prose: `You want to pay for ${reference.yours} with your ${words} instead of the method you used.${ignoranceProse(reference)}${
          vague ? ' You begin by saying only that it is about how an order is paid.' : ''
        }`,
        claims: claimsOf(order),
        reads: reference.reads,
        acts: [
          call('modify_pending_order_payment', { order_id: order.order_id, payment_method_id: method.id }),
        ],
        communicate: [],
        needsUser: true,
        points: 2 + (reference.known ? 0 : 1) + (vague ? 1 : 0),
      },
    ];
  }
  return null;
};

/** A gift card that holds too little: nothing can be done, but the customer wants to know how much is missing. */
export const planShortGiftCard: PlanRequest = (context) => {
  const { user } = context;
  for (const order of freeOrders(context, 'pending')) {
    const paid = order.payment_history[0];
    const card = Object.values(user.payment_methods).find(
      (method) => method.source === 'gift_card' && method.id !== paid?.payment_method_id,
    );
    if (paid === undefined || card?.source !== 'gift_card') continue;
    const missing = toDollars(toCents(paid.amount) - toCents(card.balance));
    if (missing <= 0 || !isSayable(missing)) continue;
    const reference = referTo(context, order);
    return [
      {
        kind: 'refuse-short-gift-card',
        tags: ['forbidden', 'refuse', ...(reference.known ? [] : ['order-unknown'])],
        goal: 'modify_order_payment',
        expected: 'refused',
        say: `${sayPay(context, reference.mine, 'gift card')} If there is not enough on it, tell me exactly how much is missing.`,
        facts: [
          reference.fact,
          { slot: 'payment', say: 'With my gift card.' },
          {
            slot: 'detail',
            say: 'If the gift card does not hold enough, I want to know the exact amount that is missing.',
          },
        ],
        about: reference.about,
        mismatches: paymentMismatches(user, card.id),
        prose: `You want to pay for ${reference.yours} with your gift card, all of it. If the card does not hold enough, you want to be told exactly how much is missing, and leave the order as it is.${ignoranceProse(reference)}`,
        claims: claimsOf(order),
        reads: reference.reads,
        acts: [],
        communicate: [moneyWords(missing)],
        needsUser: true,
        points: 3 + (reference.known ? 0 : 1),
      },
    ];
  }
  return null;
};
