import type { Order } from '../../../world.js';
import { type CancelReason, orderMismatches, reasonMismatches } from '../mismatches.js';
import { ignoranceProse, type OrderReference, readsUpTo, referTo } from '../order-reference.js';
import {
  call,
  claimsOf,
  freeOrders,
  type PlanContext,
  type PlanRequest,
  type RequestPlan,
} from '../request-plan.js';
import { isSayable, listWords, moneyWords, reconsider, speak } from '../wording.js';

interface Reason {
  readonly reason: CancelReason;
  readonly say: string;
  readonly prose: string;
}

const REASONS: readonly Reason[] = [
  { reason: 'no longer needed', say: 'I no longer need it.', prose: 'You no longer need it.' },
  {
    reason: 'no longer needed',
    say: "I just don't need it any more.",
    prose: 'You do not need it any more.',
  },
  { reason: 'ordered by mistake', say: 'I ordered it by mistake.', prose: 'You ordered it by mistake.' },
  {
    reason: 'ordered by mistake',
    say: 'It was a mistake, I never meant to place that order.',
    prose: 'You placed it by mistake.',
  },
];

function cancelCall(order: Order, reason: CancelReason) {
  return call('cancel_pending_order', { order_id: order.order_id, reason });
}

function sayCancel(context: PlanContext, mine: string): string {
  return speak(context, {
    terse: [`Cancel ${mine}, please.`, `I want to cancel ${mine}.`],
    plain: [
      `I'd like to cancel ${mine}.`,
      `Could you cancel ${mine} for me?`,
      `I need to have ${mine} cancelled.`,
    ],
  });
}

const VAGUE = {
  terse: ['Problem with an order.', 'I need help with an order.'],
  plain: [
    'I need some help with an order I placed.',
    'There is an order of mine that I would like to talk about.',
    "I'm calling about something I ordered.",
  ],
};

function wishFor(context: PlanContext, order: Order, facts: { reference: OrderReference; reason: Reason }) {
  const { reference, reason } = facts;
  return {
    facts: [
      reference.fact,
      { slot: 'reason' as const, say: reason.say },
      { slot: 'detail' as const, say: `I want ${reference.mine} cancelled.` },
    ],
    about: reference.about,
    mismatches: [
      ...reasonMismatches(reason.reason),
      ...(reference.known ? orderMismatches(context.orders, [order]) : []),
    ],
  };
}

/** One pending order is no longer wanted. */
export const planCancel: PlanRequest = (context) => {
  const [order] = freeOrders(context, 'pending');
  if (order === undefined) return null;
  const reference = referTo(context, order);
  const reason = context.random.pick(REASONS);
  const vague = context.random.chance(0.2);
  const total = order.payment_history[0]?.amount ?? 0;
  const asksAmount = !vague && isSayable(total) && context.random.chance(0.3);
  return [
    {
      kind: 'cancel',
      tags: [...(vague ? ['vague'] : []), ...(reference.known ? [] : ['order-unknown'])],
      goal: 'cancel_order',
      expected: 'done',
      say: vague
        ? speak(context, VAGUE)
        : `${sayCancel(context, reference.mine)}${asksAmount ? ' And tell me how much money I get back.' : ''}`,
      ...wishFor(context, order, { reference, reason }),
      prose: `You want to cancel ${reference.yours}. ${reason.prose}${ignoranceProse(reference)}${
        vague ? ' You start vaguely, with only that it is about an order, and tell the rest when asked.' : ''
      }${asksAmount ? ' You also want to be told how much money you get back.' : ''}`,
      claims: claimsOf(order),
      reads: reference.reads,
      acts: [cancelCall(order, reason.reason)],
      communicate: asksAmount ? [moneyWords(total)] : [],
      needsUser: !reference.known,
      points: 1 + (reference.known ? 0 : 1) + (vague ? 1 : 0),
    },
  ];
};

/** First one order, then another one instead. */
export const planCancelOther: PlanRequest = (context) => {
  const [first, second] = freeOrders(context, 'pending');
  if (first === undefined || second === undefined) return null;
  const reason = context.random.pick(REASONS);
  const before = referTo(context, first);
  const after = referTo(context, second);
  return [
    {
      kind: 'cancel',
      tags: ['change-of-mind', ...(after.known ? [] : ['order-unknown'])],
      goal: 'cancel_order',
      expected: 'done',
      say: sayCancel(context, before.mine),
      ...wishFor(context, first, { reference: before, reason }),
      mismatches: [],
      change: {
        say: reconsider(context, {
          terse: [`Wait, no. Cancel ${after.mine} instead.`],
          plain: [
            `Actually, I have changed my mind. I want to keep that one, and cancel ${after.mine} instead.`,
            `Hold on, I mixed that up. It is ${after.mine} that should be cancelled, not the other one.`,
          ],
        }),
        ...wishFor(context, second, { reference: after, reason }),
      },
      prose: `At first you ask to cancel ${before.yours}. As soon as the agent has said something, you change your mind: you keep that one and want to cancel ${after.yours} instead. ${reason.prose}${ignoranceProse(after)}`,
      claims: claimsOf(first, second),
      reads: after.reads,
      acts: [cancelCall(second, reason.reason)],
      communicate: [],
      needsUser: !after.known,
      points: 3,
    },
  ];
};

/** Two orders by number, or every pending order there is. */
export const planCancelSeveral: PlanRequest = (context) => {
  const pending = freeOrders(context, 'pending');
  const everyPending = context.orders.filter((order) => order.status.startsWith('pending'));
  const all = pending.length === everyPending.length && pending.length <= 3 && context.random.chance(0.5);
  const chosen = all ? everyPending : pending.slice(0, 2);
  if (chosen.length < 2) return null;
  const reason = context.random.pick(REASONS);
  const ids = chosen.map((order) => order.order_id);
  const mine = all ? 'all my pending orders' : `orders ${listWords(ids)}`;
  const totalDollars = chosen.reduce((sum, order) => sum + (order.payment_history[0]?.amount ?? 0), 0);
  const asksAmount = isSayable(totalDollars) && context.random.chance(0.6);
  const plan: RequestPlan = {
    kind: 'cancel',
    tags: ['several-orders', ...(all ? ['order-unknown'] : [])],
    goal: 'cancel_order',
    expected: 'done',
    say: `${sayCancel(context, mine)}${asksAmount ? ' And tell me how much I get back for them all together.' : ''}`,
    facts: [
      {
        slot: 'order_id',
        say: all
          ? "I don't have the numbers. It is every order that is still pending."
          : `The numbers are ${listWords(ids)}.`,
      },
      {
        slot: 'reason',
        say: reason.reason === 'ordered by mistake' ? 'I ordered them by mistake.' : 'I no longer need them.',
      },
      { slot: 'detail', say: `I want ${mine} cancelled.` },
    ],
    about: ids.map((id) => id.toLowerCase()),
    mismatches: [...reasonMismatches(reason.reason), ...(all ? [] : orderMismatches(context.orders, chosen))],
    prose: `You want to cancel ${mine.replace('my', 'your')}, for the same reason: ${reason.reason}.${
      all ? ' You do not know the order numbers.' : ''
    }${asksAmount ? ' You also want to be told how much you get back for them all together.' : ''}`,
    claims: claimsOf(...chosen),
    reads: all
      ? readsUpTo(context, context.orders)
      : chosen.map((order) => call('get_order_details', { order_id: order.order_id })),
    acts: chosen.map((order) => cancelCall(order, reason.reason)),
    communicate: asksAmount ? [moneyWords(totalDollars)] : [],
    needsUser: all,
    points: 2 + (all ? 2 : 0) + (asksAmount ? 1 : 0),
  };
  return [plan];
};
