import { toCents, toDollars } from '../../../money.js';
import type { Order } from '../../../world.js';
import { ignoranceProse, type OrderReference, readsUpTo, referTo } from '../order-reference.js';
import {
  call,
  claimsOf,
  freeOrders,
  type PlanContext,
  type PlanRequest,
  type RequestPlan,
} from '../request-plan.js';
import { isSayable, itemWords, moneyWords, oneWord, speak, spokenName } from '../wording.js';
import { capitalise } from './return.js';
import { singleItems, wishSpecified } from './variant-wish.js';

interface Question {
  readonly kind: string;
  /** What is wanted, to follow "tell me" or "to know". */
  readonly wanted: string;
  /** The same in the second person, where the words differ. */
  readonly yours?: string;
  readonly communicate: readonly string[];
  readonly reads: RequestPlan['reads'];
  readonly about: string[];
  readonly claims: readonly string[];
  readonly needsUser: boolean;
  readonly points: number;
  readonly fact?: OrderReference['fact'];
  readonly prose?: string;
  /** What else can be asked back about the question. */
  readonly facts?: readonly OrderReference['fact'][];
}

/** A question as a request: nothing changes, one or two facts must be said. */
function ask(context: PlanContext, question: Question): RequestPlan {
  const { wanted } = question;
  const yours = question.yours ?? wanted.replace(/\bmy\b/g, 'your').replace(/\bI\b/g, 'you');
  return {
    kind: question.kind,
    tags: ['question'],
    goal: 'ask',
    expected: 'answered',
    say: speak(context, {
      terse: [`Tell me ${wanted}.`, `I need to know ${wanted}.`],
      plain: [`Could you tell me ${wanted}?`, `I'd like to know ${wanted}.`, `I was wondering ${wanted}.`],
    }),
    facts: [
      ...(question.fact === undefined ? [] : [question.fact]),
      ...(question.facts ?? []),
      { slot: 'detail', say: `I want to know ${wanted}.` },
    ],
    about: [...new Set(question.about)],
    mismatches: [],
    prose: `You want to know ${yours}.${question.prose ?? ''} It is only a question.`,
    claims: question.claims,
    reads: question.reads,
    acts: [],
    communicate: question.communicate,
    needsUser: question.needsUser,
    points: question.points,
  };
}

function askOrder(
  context: PlanContext,
  order: Order,
  facts: { kind: string; wanted: (mine: string) => string; communicate: string[]; points?: number },
): RequestPlan {
  const reference = referTo(context, order);
  return ask(context, {
    kind: facts.kind,
    wanted: facts.wanted(reference.mine),
    communicate: facts.communicate,
    reads: reference.reads,
    about: reference.about,
    claims: claimsOf(order),
    needsUser: !reference.known,
    points: (facts.points ?? 1) + (reference.known ? 0 : 1),
    fact: reference.fact,
    prose: ignoranceProse(reference),
  });
}

export const planAskStatus: PlanRequest = (context) => {
  const [order] = freeOrders(context, 'pending', 'processed', 'delivered');
  if (order === undefined) return null;
  return [
    askOrder(context, order, {
      kind: 'ask-status',
      wanted: (mine) => `what the status of ${mine} is`,
      communicate: [order.status],
    }),
  ];
};

export const planAskTracking: PlanRequest = (context) => {
  const [order] = freeOrders(context, 'processed', 'delivered');
  const tracking = order?.fulfillments[0]?.tracking_id[0];
  if (order === undefined || tracking === undefined) return null;
  return [
    askOrder(context, order, {
      kind: 'ask-tracking',
      wanted: (mine) => `what the tracking number of ${mine} is`,
      communicate: [tracking],
    }),
  ];
};

export const planAskTotal: PlanRequest = (context) => {
  const order = freeOrders(context, 'pending', 'processed', 'delivered').find((candidate) =>
    isSayable(candidate.payment_history[0]?.amount ?? 0),
  );
  if (order === undefined) return null;
  return [
    askOrder(context, order, {
      kind: 'ask-total',
      wanted: (mine) => `how much I paid for ${mine} in total`,
      communicate: [moneyWords(order.payment_history[0]?.amount ?? 0)],
    }),
  ];
};

export const planAskDestination: PlanRequest = (context) => {
  const [order] = freeOrders(context, 'pending', 'processed');
  if (order === undefined) return null;
  return [
    askOrder(context, order, {
      kind: 'ask-destination',
      wanted: (mine) => `to which street address ${mine} is being sent`,
      communicate: [order.address.address1],
    }),
  ];
};

export const planAskPrice: PlanRequest = (context) => {
  for (const order of freeOrders(context, 'pending', 'processed', 'delivered')) {
    const item = singleItems(order).find((candidate) => isSayable(candidate.price));
    if (item === undefined || order.items.length < 2) continue;
    const reference = referTo(context, order, [item.name]);
    const where = reference.known ? ` in ${reference.mine}` : '';
    return [
      ask(context, {
        kind: 'ask-price',
        wanted: `how much I paid for ${itemWords([item.name])}${where}`,
        communicate: [moneyWords(item.price)],
        reads: reference.reads,
        about: [...reference.about, spokenName(item.name).toLowerCase()],
        claims: claimsOf(order),
        needsUser: !reference.known,
        points: 1 + (reference.known ? 0 : 1),
        fact: reference.fact,
        prose: ignoranceProse(reference),
      }),
    ];
  }
  return null;
};

export const planAskBalance: PlanRequest = (context) => {
  const card = Object.values(context.user.payment_methods).find(
    (method) => method.source === 'gift_card' && isSayable(method.balance),
  );
  // Another request could move money on the card, and then the answer would depend on when it is given.
  if (card?.source !== 'gift_card' || context.claimed.size > 0) return null;
  return [
    ask(context, {
      kind: 'ask-balance',
      wanted: 'how much is left on my gift card',
      communicate: [moneyWords(card.balance)],
      reads: [],
      about: ['gift card'],
      claims: ['gift card', ...context.orders.map((order) => order.order_id)],
      needsUser: true,
      points: 1,
    }),
  ];
};

/** The sum over all orders of one status: several look-ups and a sum. */
export const planAskSpent: PlanRequest = (context) => {
  const status = context.random.pick(['pending', 'delivered']);
  const orders = context.orders.filter((order) => order.status === status);
  if (orders.length < 2 || freeOrders(context, status).length < orders.length) return null;
  const amounts = orders.map((order) => order.payment_history[0]?.amount ?? 0);
  const total = toDollars(amounts.reduce((sum, amount) => sum + toCents(amount), 0));
  if (!isSayable(total)) return null;
  return [
    ask(context, {
      kind: 'ask-spent',
      wanted: `how much all my ${status} orders cost together`,
      communicate: [moneyWords(total)],
      reads: [
        ...readsUpTo(context, context.orders),
        call('calculate', { expression: amounts.map(moneyWords).join(' + ') }),
      ],
      about: [`${status} orders`, ...orders.map((order) => order.order_id.toLowerCase())],
      claims: claimsOf(...orders),
      needsUser: true,
      points: 4,
      fact: { slot: 'order_id', say: `All of my ${status} orders. I don't have the numbers.` },
    }),
  ];
};

/** What another version would cost more or less, without ordering it. */
export const planAskDifference: PlanRequest = (context) => {
  for (const order of freeOrders(context, 'pending', 'delivered')) {
    const item = context.random.shuffle(singleItems(order))[0];
    const wish = item === undefined ? null : wishSpecified(context, item);
    if (wish === null || item === undefined) continue;
    const difference = toDollars(Math.abs(toCents(wish.target.price) - toCents(item.price)));
    if (!isSayable(difference)) continue;
    const reference = referTo(context, order, [item.name]);
    const where = reference.known ? ` in ${reference.mine}` : '';
    return [
      ask(context, {
        kind: 'ask-difference',
        wanted: `what the difference in price is between ${itemWords([item.name])}${where} and ${oneWord(item.name)} ${wish.words}`,
        communicate: [moneyWords(difference)],
        reads: [...reference.reads, call('get_product_details', { product_id: item.product_id })],
        about: [...reference.about, spokenName(item.name).toLowerCase()],
        claims: claimsOf(order),
        needsUser: !reference.known,
        points: 3 + (reference.known ? 0 : 1),
        fact: reference.fact,
        facts: [
          { slot: 'items', say: `It is about ${itemWords([item.name])}.` },
          { slot: 'new_options', say: `${capitalise(oneWord(item.name))} ${wish.words}.` },
        ],
        prose: ignoranceProse(reference),
      }),
    ];
  }
  return null;
};

/** What the cheapest one in stock costs, of a product the customer has none of. */
export const planAskCheapest: PlanRequest = (context) => {
  const { random, world } = context;
  const product = random.pick([...world.products.values()]);
  if (context.claimed.has(product.name)) return null;
  const prices = Object.values(product.variants).flatMap((variant) =>
    variant.available ? [variant.price] : [],
  );
  const lowest = Math.min(...prices);
  if (!isSayable(lowest)) return null;
  // A count of one digit would be found in any message with a number.
  const few = prices.length < 10;
  const thing = spokenName(product.name);
  return [
    ask(context, {
      kind: 'ask-cheapest',
      wanted: few
        ? `what the lowest price for the ${thing} you have in stock is`
        : `how many versions of the ${thing} you have in stock and what the lowest price among them is`,
      yours: few
        ? `what the lowest price for the ${thing} in stock is`
        : `how many versions of the ${thing} are in stock and what the lowest price among them is`,
      communicate: [...(few ? [] : [String(prices.length)]), moneyWords(lowest)],
      reads: [
        call('list_all_product_types', {}),
        call('get_product_details', { product_id: product.product_id }),
      ],
      about: [thing.toLowerCase()],
      claims: [product.name],
      needsUser: false,
      points: 2,
    }),
  ];
};
