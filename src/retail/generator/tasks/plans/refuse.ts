import type { ScenarioRequest } from '../../../task.js';
import type { Order } from '../../../world.js';
import { inventAddress } from '../../places.js';
import { ignoranceProse, type OrderReference, referTo } from '../order-reference.js';
import {
  claimsOf,
  freeOrders,
  type PlanContext,
  type PlanRequest,
  type RequestPlan,
} from '../request-plan.js';
import { addressWords, itemWords, speak, spokenName } from '../wording.js';
import { planAskTotal } from './ask.js';
import { singleItems } from './variant-wish.js';

/**
 * Requests that the policy forbids. A right refusal has to say something that doing nothing does not: the status that
 * stands in the way, or the answer to a question that comes with the request or after it.
 */
interface Refusal {
  readonly kind: string;
  readonly goal: ScenarioRequest['goal'];
  /** What the customer wants, to follow "I want to". */
  readonly wish: string;
  readonly facts: ScenarioRequest['facts'];
  readonly communicate: readonly string[];
  /** Added to the wish when it is raised. */
  readonly question?: string;
  readonly points?: number;
}

function inSecondPerson(text: string): string {
  return text
    .replace(/\bI am\b/g, 'you are')
    .replace(/\bmy\b/g, 'your')
    .replace(/\bMy\b/g, 'Your')
    .replace(/\bI\b/g, 'you')
    .replace(/\bme\b/g, 'you');
}

function refuse(
  context: PlanContext,
  order: Order,
  facts: Refusal & { readonly reference: OrderReference },
): RequestPlan {
  const { reference, wish, question } = facts;
  return {
    kind: facts.kind,
    tags: ['forbidden', 'refuse', ...(reference.known ? [] : ['order-unknown'])],
    goal: facts.goal,
    expected: 'refused',
    say: `${speak(context, {
      terse: [`I want to ${wish}.`],
      plain: [`I'd like to ${wish}.`, `I would like to ${wish}, please.`, `I need to ${wish}.`],
    })}${question === undefined ? '' : ` ${question}`}`,
    facts: [reference.fact, ...facts.facts, { slot: 'detail', say: `I want to ${wish}.` }],
    about: reference.about,
    mismatches: [],
    prose: `You want to ${inSecondPerson(wish)}.${question === undefined ? '' : ` You also ask: "${question}"`} If the agent says that it cannot be done, you accept that and want nothing else instead.${ignoranceProse(reference)}`,
    claims: claimsOf(order),
    reads: reference.reads,
    acts: [],
    communicate: facts.communicate,
    needsUser: !reference.known,
    points: (facts.points ?? 2) + (reference.known ? 0 : 1),
  };
}

const STATUS_QUESTION = 'If you cannot do that, tell me the status of the order.';

/** The order has left the point at which it could be changed. */
export const planRefuseByStatus: PlanRequest = (context) => {
  const { random } = context;
  // An order on its way is where most of this happens, and few customers have one.
  const order = freeOrders(context, 'processed')[0] ?? freeOrders(context, 'delivered', 'pending')[0];
  if (order === undefined) return null;
  const item = singleItems(order)[0];
  if (item === undefined) return null;
  const reference = referTo(context, order, [item.name]);
  const thing = itemWords([item.name]);
  const at = reference.known ? ` from ${reference.mine}` : '';
  const address = inventAddress(random);
  const items = { slot: 'items', say: `${thing.replace('the', 'The')}.` } as const;
  const cancel: Omit<Refusal, 'communicate'> = {
    kind: 'refuse-cancel',
    goal: 'cancel_order',
    wish: `cancel ${reference.mine}`,
    facts: [{ slot: 'reason', say: 'I no longer need it.' }],
  };
  const sendBack: Omit<Refusal, 'communicate'> = {
    kind: 'refuse-return',
    goal: 'return_items',
    wish: `return ${thing}${at}`,
    facts: [items, { slot: 'reason', say: 'I have no use for it after all.' }],
  };
  const options: Readonly<Record<string, readonly Omit<Refusal, 'communicate'>[]>> = {
    processed: [
      cancel,
      sendBack,
      {
        kind: 'refuse-address',
        goal: 'modify_order_address',
        wish: `have ${reference.mine} sent to ${addressWords(address)} instead`,
        facts: [{ slot: 'address', say: `${addressWords(address)}.` }],
      },
    ],
    delivered: [cancel],
    pending: [sendBack],
  };
  const chosen = random.pick(options[order.status] ?? [cancel]);
  return [
    refuse(context, order, { ...chosen, reference, question: STATUS_QUESTION, communicate: [order.status] }),
  ];
};

/** What is asked when the refusal itself holds no string that is sure to be said. */
function priceQuestion(
  context: PlanContext,
  order: Order,
  claimed: readonly string[],
): RequestPlan | undefined {
  const others = { ...context, claimed: new Set([...context.claimed, ...claimed]) };
  const question = planAskTotal(others)?.[0];
  return question === undefined || question.claims.includes(order.order_id) ? undefined : question;
}

type Forbidden = (
  context: PlanContext,
  order: Order,
  reference: OrderReference,
) => Omit<Refusal, 'communicate'> | null;

interface OtherProductWords {
  readonly goal: ScenarioRequest['goal'];
  readonly wish: string;
  readonly newOptions: string;
}

/** An item for one of another product, which no order of the customer holds yet. */
function otherProduct(
  wordsFor: (named: {
    readonly thing: string;
    readonly product: string;
    /** The product that the customer has. */
    readonly own: string;
    readonly reference: OrderReference;
  }) => OtherProductWords,
): Forbidden {
  return (context, order, reference) => {
    const item = singleItems(order)[0];
    const other = context.random.pick([...context.world.products.values()]);
    if (item === undefined || context.orders.some((o) => o.items.some(({ name }) => name === other.name)))
      return null;
    const thing = itemWords([item.name]);
    const product = spokenName(other.name);
    const { goal, wish, newOptions } = wordsFor({ thing, product, own: spokenName(item.name), reference });
    return {
      ...{ kind: 'refuse-other-product', goal, wish },
      facts: [
        { slot: 'items', say: `${thing.replace('the', 'The')}.` },
        { slot: 'new_options', say: newOptions },
      ],
    };
  };
}

const PENDING: readonly Forbidden[] = [
  (context, _order, reference) => ({
    kind: 'refuse-reason',
    goal: 'cancel_order',
    wish: `cancel ${reference.mine}`,
    facts: [
      {
        slot: 'reason',
        say: context.random.pick([
          'I found it for less money somewhere else. That is my only reason.',
          'The delivery takes too long for me. That is my only reason.',
          "My neighbor talked me out of it. That's the reason, there is no other.",
        ]),
      },
    ],
  }),
  (_context, order, reference) => {
    const item = singleItems(order)[0];
    if (item === undefined || order.items.length < 2) return null;
    const thing = itemWords([item.name]);
    return {
      kind: 'refuse-remove-item',
      goal: 'modify_items',
      wish: `remove ${thing} from ${reference.known ? reference.mine : 'that order'} and keep the rest`,
      facts: [{ slot: 'items', say: `${thing.replace('the', 'The')}. Only that one.` }],
    };
  },
  otherProduct(({ thing, product, reference }) => ({
    goal: 'modify_items',
    wish: `change ${thing}${reference.known ? ` in ${reference.mine}` : ''} into a different product, the ${product}`,
    newOptions: `I want the ${product} in its place, any version.`,
  })),
  (context, _order, reference) => {
    if (Object.keys(context.user.payment_methods).length < 2) return null;
    return {
      kind: 'refuse-split-payment',
      goal: 'modify_order_payment',
      wish: `split the payment of ${reference.mine} over two of my payment methods`,
      facts: [{ slot: 'payment', say: 'Half on each of two methods. Not all of it on one.' }],
    };
  },
];

const DELIVERED: readonly Forbidden[] = [
  otherProduct(({ thing, product, own, reference }) => ({
    goal: 'exchange_items',
    wish: `exchange ${thing}${reference.known ? ` from ${reference.mine}` : ''} for a different product, the ${product}`,
    newOptions: `I want the ${product}, any version. No other ${own}.`,
  })),
];

/** Refused whatever the status; the fact that must be said is the answer to a second question. */
export const planRefuseThenAsk: PlanRequest = (context) => {
  const order = freeOrders(context, 'pending')[0] ?? freeOrders(context, 'delivered')[0];
  if (order === undefined) return null;
  const item = singleItems(order)[0];
  const reference = referTo(context, order, item === undefined ? [] : [item.name]);
  const make = context.random.pick(order.status === 'pending' ? PENDING : DELIVERED);
  const forbidden = make(context, order, reference);
  if (forbidden === null) return null;
  const plan = refuse(context, order, { ...forbidden, reference, communicate: [] });
  const question = priceQuestion(context, order, plan.claims);
  return question === undefined ? null : [plan, question];
};

/** Somebody else's order; then a question about one's own. */
export const planRefuseOtherCustomer: PlanRequest = (context) => {
  const { random, world, userId } = context;
  const pending = [...world.orders.values()].filter(
    (order) => order.status === 'pending' && order.user_id !== userId,
  );
  const order = random.pick(pending);
  const who = random.pick(['sister', 'brother', 'neighbor', 'mother', 'friend']);
  const question = planAskTotal(context)?.[0];
  if (question === undefined) return null;
  const id = order.order_id;
  const reference: OrderReference = {
    known: true,
    mine: `order ${id}`,
    yours: `order ${id}`,
    fact: { slot: 'order_id', say: `It is ${id}.` },
    about: [id.toLowerCase()],
    reads: [],
  };
  const plan = refuse(context, order, {
    kind: 'refuse-other-customer',
    goal: 'cancel_order',
    wish: `cancel order ${id} for my ${who}, who asked me to call`,
    facts: [{ slot: 'reason', say: `My ${who} no longer needs it.` }],
    communicate: [],
    reference,
    points: 3,
  });
  return [{ ...plan, claims: [id] }, question];
};
