import type { Order, OrderItem } from '../../../world.js';
import { itemMismatches, orderMismatches, paymentMismatches } from '../mismatches.js';
import { ignoranceProse, type OrderReference, referTo } from '../order-reference.js';
import { call, claimsOf, freeOrders, type PlanContext, type PlanRequest } from '../request-plan.js';
import { isSayable, itemWords, methodWords, moneyWords, reconsider, speak, spokenName } from '../wording.js';

const REASONS = [
  "It isn't what I expected.",
  'I found that I have no use for it.',
  "It doesn't go with the rest of my things.",
  'It was a present, but I have one already.',
];

/** Where the refund goes, and how the customer says so. */
interface Refund {
  readonly methodId: string;
  readonly say: string;
  readonly prose: string;
  readonly tags: readonly string[];
}

function originalMethod(order: Order): string {
  return order.payment_history[0]?.payment_method_id ?? '';
}

/** The way back to where the money came from, or a gift card: the two that are allowed. */
function planRefund(context: PlanContext, order: Order): Refund {
  const { random, user } = context;
  const original = originalMethod(order);
  const methods = Object.values(user.payment_methods);
  const giftCard = methods.find((method) => method.source === 'gift_card' && method.id !== original);
  const forbidden = methods.find((method) => method.id !== original && method.source !== 'gift_card');
  if (giftCard !== undefined && random.chance(0.5))
    return {
      methodId: giftCard.id,
      say: 'Please put the refund on my gift card.',
      prose: 'You want the refund on your gift card.',
      tags: [],
    };
  if (forbidden !== undefined && random.chance(0.6)) {
    const wanted = methodWords(user, forbidden.id);
    return {
      methodId: original,
      say: `To my ${wanted} if that is possible. If not, back to the ${methodWords(user, original)} that I paid with.`,
      prose: `You would like the refund on your ${wanted}; only if that cannot be done, you accept it on the ${methodWords(user, original)} that you paid with.`,
      tags: ['fallback', 'forbidden'],
    };
  }
  return random.pick([
    {
      methodId: original,
      say: `Back to the ${methodWords(user, original)} that I paid with, please.`,
      prose: `You want the refund on the ${methodWords(user, original)} that you paid with.`,
      tags: [],
    },
    {
      methodId: original,
      say: `To my ${methodWords(user, original)}.`,
      prose: `You want the refund on your ${methodWords(user, original)}, the original payment method.`,
      tags: [],
    },
  ]);
}

function uniqueItems(order: Order): OrderItem[] {
  return order.items.filter((item) => order.items.filter((other) => other.name === item.name).length === 1);
}

interface Chosen {
  readonly order: Order;
  readonly items: readonly OrderItem[];
  readonly reference: OrderReference;
  readonly refund: Refund;
}

function wishFor(context: PlanContext, { order, items, reference, refund }: Chosen) {
  const names = items.map((item) => item.name);
  return {
    facts: [
      reference.fact,
      { slot: 'items' as const, say: `${capitalise(itemWords(names))}.` },
      { slot: 'payment' as const, say: refund.say },
      { slot: 'reason' as const, say: context.random.pick(REASONS) },
      { slot: 'detail' as const, say: `I want to return ${itemWords(names)}.` },
    ],
    about: [...new Set([...reference.about, ...names.map((name) => spokenName(name).toLowerCase())])],
    mismatches: [
      ...itemMismatches(order, names),
      ...paymentMismatches(context.user, refund.methodId),
      ...(reference.known ? orderMismatches(context.orders, [order]) : []),
    ],
  };
}

export function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function sayReturn(context: PlanContext, what: string): string {
  return speak(context, {
    terse: [`I want to return ${what}.`, `Return ${what}, please.`],
    plain: [
      `I'd like to return ${what}.`,
      `I would like to send ${what} back.`,
      `Could you help me return ${what}?`,
    ],
  });
}

/** "the lamp from order #W1", or the items alone where they are how the customer knows the order. */
function whatAndWhere(names: readonly string[], reference: OrderReference, place: string): string {
  return reference.known ? `${itemWords(names)} from ${place}` : itemWords(names);
}

function returnCall({ order, items, refund }: Chosen) {
  return call('return_delivered_order_items', {
    order_id: order.order_id,
    item_ids: items.map((item) => item.item_id),
    payment_method_id: refund.methodId,
  });
}

/** Some or all items of one delivered order. */
export const planReturn: PlanRequest = (context) => {
  const { random } = context;
  const order = freeOrders(context, 'delivered').find((candidate) => uniqueItems(candidate).length > 0);
  if (order === undefined) return null;
  const candidates = random.shuffle(uniqueItems(order));
  const items = candidates.slice(0, random.pick([1, 1, 2, 3]));
  const names = items.map((item) => item.name);
  const reference = referTo(context, order, names);
  const chosen = { order, items, reference, refund: planRefund(context, order) };
  const vague = random.chance(0.2);
  const total = items.reduce((sum, item) => sum + item.price, 0);
  const asksAmount = !vague && isSayable(total) && random.chance(0.4);
  return [
    {
      kind: 'return',
      tags: [
        ...chosen.refund.tags,
        ...(vague ? ['vague'] : []),
        ...(reference.known ? [] : ['order-unknown']),
        ...(items.length > 1 ? ['several-items'] : []),
      ],
      goal: 'return_items',
      expected: 'done',
      say: vague
        ? speak(context, {
            terse: ["I'm not happy with a purchase.", 'Problem with something I got.'],
            plain: [
              "I'm not happy with something that I received from you.",
              'Something that you delivered is not right for me.',
              'I have something here that I do not want to keep.',
            ],
          })
        : `${sayReturn(context, whatAndWhere(names, reference, reference.mine))}${asksAmount ? ' How much will I get back in total?' : ''}`,
      ...wishFor(context, chosen),
      prose: `You want to return ${itemWords(names)} ${names.includes(reference.name ?? '') ? 'that you received' : `from ${reference.yours}`}. ${chosen.refund.prose}${ignoranceProse(reference)}${
        vague ? ' You begin with a vague complaint and tell what you want when asked.' : ''
      }${asksAmount ? ' You want to be told how much you will get back in total.' : ''}`,
      claims: claimsOf(order),
      reads: reference.reads,
      acts: [returnCall(chosen)],
      communicate: asksAmount ? [moneyWords(total)] : [],
      needsUser: true,
      points:
        1 +
        (reference.known ? 0 : 1) +
        (vague ? 1 : 0) +
        (items.length > 1 ? 1 : 0) +
        chosen.refund.tags.length,
    },
  ];
};

/** Starts with one thing too many, or with the wrong one. */
export const planReturnChanged: PlanRequest = (context) => {
  const { random } = context;
  const order = freeOrders(context, 'delivered').find((candidate) => uniqueItems(candidate).length > 1);
  if (order === undefined) return null;
  const [kept, wanted] = random.shuffle(uniqueItems(order));
  if (kept === undefined || wanted === undefined) return null;
  const both = random.chance(0.5);
  const [keptName, wantedName] = [itemWords([kept.name]), itemWords([wanted.name])];
  const before = both ? [kept.name, wanted.name] : [kept.name];
  const reference = referTo(context, order, [wanted.name]);
  const refund = planRefund(context, order);
  const after = { order, items: [wanted], reference, refund };
  return [
    {
      kind: 'return',
      tags: ['change-of-mind', ...refund.tags, ...(reference.known ? [] : ['order-unknown'])],
      goal: 'return_items',
      expected: 'done',
      say: sayReturn(context, whatAndWhere(before, reference, reference.mine)),
      ...wishFor(context, { ...after, items: both ? [kept, wanted] : [kept] }),
      mismatches: [],
      change: {
        say: reconsider(context, {
          terse: [`No, wait. Only ${wantedName}. I keep ${keptName}.`],
          plain: [
            `Actually, I have thought about it, and I will keep ${keptName}. Please return only ${wantedName}.`,
            `Sorry, I have changed my mind. I want to keep ${keptName}, so it is just ${wantedName} that goes back.`,
          ],
        }),
        ...wishFor(context, after),
      },
      prose: `At first you ask to return ${itemWords(before)} from ${reference.yours}. As soon as the agent has said something, you change your mind: you keep ${keptName} and return only ${wantedName}. ${refund.prose}${ignoranceProse(reference)}`,
      claims: claimsOf(order),
      reads: reference.reads,
      acts: [returnCall(after)],
      communicate: [],
      needsUser: true,
      points: 3 + refund.tags.length,
    },
  ];
};

/** Everything in one delivered order goes back. */
export const planReturnAll: PlanRequest = (context) => {
  const order = freeOrders(context, 'delivered').find((candidate) => candidate.items.length > 1);
  if (order === undefined) return null;
  const reference = referTo(context, order);
  const names = [...new Set(order.items.map((item) => item.name))];
  const chosen = { order, items: order.items, reference, refund: planRefund(context, order) };
  const total = order.payment_history[0]?.amount ?? 0;
  const asksAmount = isSayable(total);
  return [
    {
      kind: 'return',
      tags: [
        'several-items',
        'whole-order',
        ...chosen.refund.tags,
        ...(reference.known ? [] : ['order-unknown']),
      ],
      goal: 'return_items',
      expected: 'done',
      say: `${sayReturn(context, `everything in ${reference.mine}`)}${asksAmount ? ' How much is the refund going to be?' : ''}`,
      ...wishFor(context, chosen),
      facts: [
        reference.fact,
        { slot: 'items', say: 'Everything in that order.' },
        { slot: 'payment', say: chosen.refund.say },
        { slot: 'reason', say: 'I simply do not need any of it.' },
        { slot: 'detail', say: `I want to return everything in ${reference.mine}.` },
      ],
      about: [...new Set([...reference.about, ...names.map((name) => spokenName(name).toLowerCase())])],
      prose: `You want to return everything in ${reference.yours}. ${chosen.refund.prose}${ignoranceProse(reference)}${
        asksAmount ? ' You want to be told how much the refund is.' : ''
      }`,
      claims: claimsOf(order),
      reads: reference.reads,
      acts: [returnCall(chosen)],
      communicate: asksAmount ? [moneyWords(total)] : [],
      needsUser: true,
      points: 2 + (reference.known ? 0 : 1) + chosen.refund.tags.length,
    },
  ];
};
