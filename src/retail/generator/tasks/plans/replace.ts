import { toCents, toDollars } from '../../../money.js';
import type { Order } from '../../../world.js';
import { itemMismatches, optionMismatches, orderMismatches, paymentMismatches } from '../mismatches.js';
import { ignoranceProse, type OrderReference, referTo } from '../order-reference.js';
import {
  call,
  claimsOf,
  freeOrders,
  type PlanContext,
  type PlanRequest,
  type RequestPlan,
} from '../request-plan.js';
import { isSayable, itemWords, methodWords, moneyWords, oneWord, speak, spokenName } from '../wording.js';
import { capitalise } from './return.js';
import {
  inFull,
  singleItems,
  type VariantWish,
  wishExtreme,
  wishSpecified,
  wishWithFallback,
  wishWords,
} from './variant-wish.js';

/** Other options for items of an order: an exchange when it was delivered, a modification while it is pending. */
type Verb = 'exchange' | 'modify';

const VERBS = {
  exchange: { status: 'delivered', goal: 'exchange_items', tool: 'exchange_delivered_order_items' },
  modify: { status: 'pending', goal: 'modify_items', tool: 'modify_pending_order_items' },
} as const;

interface Chosen {
  readonly verb: Verb;
  readonly order: Order;
  readonly wishes: readonly VariantWish[];
  readonly reference: OrderReference;
  readonly methodId: string;
}

function differenceOf(wishes: readonly VariantWish[]): number {
  return toDollars(
    wishes.reduce((sum, { item, target }) => sum + toCents(target.price) - toCents(item.price), 0),
  );
}

/** A method that can bear the difference. */
function chooseMethod({ random, user }: PlanContext, difference: number): string | undefined {
  const able = Object.values(user.payment_methods).filter(
    (method) => method.source !== 'gift_card' || toCents(method.balance) >= toCents(difference),
  );
  return able.length === 0 ? undefined : random.pick(able).id;
}

function wishFacts(context: PlanContext, { order, wishes, reference, methodId, verb }: Chosen) {
  const names = wishes.map(({ item }) => item.name);
  const method = methodWords(context.user, methodId);
  return {
    facts: [
      reference.fact,
      { slot: 'items' as const, say: `${capitalise(itemWords(names))}.` },
      {
        slot: 'new_options' as const,
        say: wishes
          .map(({ item, words }) => {
            const wanted = words.startsWith('with ') ? `${oneWord(item.name)} ${words}` : words;
            return `${wishes.length === 1 ? capitalise(wanted) : `${capitalise(spokenName(item.name))}: ${wanted}`}.`;
          })
          .join(' '),
      },
      { slot: 'payment' as const, say: `Use my ${method} for the difference.` },
      {
        slot: 'reason' as const,
        say:
          verb === 'exchange' ? 'It is not quite what I wanted.' : 'I picked the wrong one when I ordered.',
      },
      {
        slot: 'detail' as const,
        say:
          verb === 'exchange'
            ? `I want to exchange ${wishWords(wishes)}.`
            : `I want to change ${wishWords(wishes)}.`,
      },
    ],
    about: [...new Set([...reference.about, ...names.map((name) => spokenName(name).toLowerCase())])],
    mismatches: [
      ...wishes.flatMap((wish) => optionMismatches(wish.item, wish)),
      ...itemMismatches(order, names),
      ...paymentMismatches(context.user, methodId),
      ...(reference.known ? orderMismatches(context.orders, [order]) : []),
    ],
  };
}

function sayReplace(context: PlanContext, { verb, reference, wishes }: Chosen): string {
  const names = itemWords(wishes.map(({ item }) => item.name));
  const where = reference.known ? ` ${verb === 'exchange' ? 'from' : 'in'} ${reference.mine}` : '';
  const full = wishWords(wishes);
  return verb === 'exchange'
    ? speak(context, {
        terse: [`I want to exchange ${names}${where}.`, `Exchange${where.replace(' from', ' in')}: ${full}.`],
        plain: [
          `I'd like to exchange ${names}${where}.`,
          `I got ${names}${where}, and I would rather have a different version.`,
          `Could you exchange something${where.replace(' from', ' in')}? It is ${full}.`,
        ],
      })
    : speak(context, {
        terse: [`Change ${names}${where}.`, `Change${where}: ${full}.`],
        plain: [
          `I'd like to change ${names}${where} before it is sent.`,
          `I chose the wrong options for ${names}${where}. Can that still be changed?`,
          `Could you change something${where}? It is ${full}.`,
        ],
      });
}

const VAGUE: Record<Verb, { terse: string[]; plain: string[] }> = {
  exchange: {
    terse: ['I got the wrong thing.', "Something I got isn't right."],
    plain: [
      "Something that I received isn't quite right.",
      'I have something here that I would rather have in another version.',
    ],
  },
  modify: {
    terse: ['I picked something wrong.'],
    plain: [
      'I think I picked the wrong thing in an order.',
      'There is something in an order of mine that should be different.',
    ],
  },
};

function readsOf({ reference, wishes }: Chosen) {
  const products = new Set(wishes.map(({ product }) => product.product_id));
  return [...reference.reads, ...[...products].map((id) => call('get_product_details', { product_id: id }))];
}

function actOf({ verb, order, wishes, methodId }: Chosen) {
  return call(VERBS[verb].tool, {
    order_id: order.order_id,
    item_ids: wishes.map(({ item }) => item.item_id),
    new_item_ids: wishes.map(({ target }) => target.item_id),
    payment_method_id: methodId,
  });
}

function choose(context: PlanContext, verb: Verb): Chosen | null {
  const { random } = context;
  const order = freeOrders(context, VERBS[verb].status).find((free) => singleItems(free).length > 0);
  if (order === undefined) return null;
  const items = random.shuffle(singleItems(order));
  const [first] = items;
  if (first === undefined) return null;
  const kind = random.next();
  const special =
    kind < 0.15 ? wishExtreme(context, first) : kind < 0.3 ? wishWithFallback(context, first) : null;
  const count = random.pick([1, 1, 2]);
  const wishes =
    special === null
      ? items.slice(0, count).flatMap((item) => wishSpecified(context, item) ?? [])
      : [special];
  if (wishes.length === 0) return null;
  const methodId = chooseMethod(context, differenceOf(wishes));
  if (methodId === undefined) return null;
  const reference = referTo(
    context,
    order,
    wishes.map(({ item }) => item.name),
  );
  return { verb, order, wishes, reference, methodId };
}

function wishProse({ verb, wishes, reference, methodId }: Chosen, context: PlanContext): string {
  const knownByItem = wishes.some(({ item }) => item.name === reference.name);
  const where = knownByItem ? '' : ` ${wishes.length > 1 ? 'They are' : 'It is'} in ${reference.yours}.`;
  return `You want to ${verb === 'exchange' ? 'exchange' : 'change'} ${wishWords(wishes)}.${where} Any difference in price goes on your ${methodWords(context.user, methodId)}.${ignoranceProse(reference)}`;
}

function planReplace(context: PlanContext, verb: Verb): readonly RequestPlan[] | null {
  const chosen = choose(context, verb);
  if (chosen === null) return null;
  const { order, wishes, reference } = chosen;
  const vague = context.random.chance(0.2);
  const difference = Math.abs(differenceOf(wishes));
  const asksAmount = !vague && isSayable(difference) && context.random.chance(0.4);
  const special = wishes.flatMap((wish) => wish.tags);
  return [
    {
      kind: verb,
      tags: [
        ...special,
        ...(vague ? ['vague'] : []),
        ...(reference.known ? [] : ['order-unknown']),
        ...(wishes.length > 1 ? ['several-items'] : []),
      ],
      goal: VERBS[verb].goal,
      expected: 'done',
      say: vague
        ? speak(context, VAGUE[verb])
        : `${sayReplace(context, chosen)}${asksAmount ? ' And tell me the difference in price, please.' : ''}`,
      ...wishFacts(context, chosen),
      prose: `${wishProse(chosen, context)}${vague ? ' You start vaguely, with only that something is not right, and tell the rest when asked.' : ''}${
        asksAmount ? ' You want to be told the exact difference in price.' : ''
      }`,
      claims: claimsOf(order),
      reads: readsOf(chosen),
      acts: [actOf(chosen)],
      communicate: asksAmount ? [moneyWords(difference)] : [],
      needsUser: true,
      points:
        1 +
        (reference.known ? 0 : 1) +
        (vague ? 1 : 0) +
        (wishes.length > 1 ? 1 : 0) +
        (special.length > 0 ? 2 : 0),
    },
  ];
}

/** Asks for one variant, then for another one. */
function planReplaceChanged(context: PlanContext, verb: Verb): readonly RequestPlan[] | null {
  const drawn = choose(context, verb);
  const specified = drawn?.wishes[0];
  if (drawn === null || specified === undefined || drawn.wishes.length > 1 || specified.tags.length > 0)
    return null;
  const wish = inFull(specified);
  const chosen = { ...drawn, wishes: [wish] };
  const first = wishSpecified(context, wish.item);
  if (first === null || first.target.item_id === wish.target.item_id) return null;
  const before = { ...chosen, wishes: [first] };
  const { order, reference } = chosen;
  const thing = spokenName(wish.item.name);
  return [
    {
      kind: verb,
      tags: ['change-of-mind', ...(reference.known ? [] : ['order-unknown'])],
      goal: VERBS[verb].goal,
      expected: 'done',
      ...wishFacts(context, before),
      say: speak(context, {
        terse: [`${verb === 'exchange' ? 'Exchange' : 'Change'} ${wishWords([first])}.`],
        plain: [`I'd like to ${verb === 'exchange' ? 'exchange' : 'change'} ${wishWords([first])}.`],
      }),
      mismatches: [],
      change: {
        say: `${context.random.pick(['Wait, I have changed my mind.', 'Actually, I have thought again.', 'Sorry, one correction.'])} For the ${thing} I would rather have ${oneWord(wish.item.name)} ${wish.words}.`,
        ...wishFacts(context, chosen),
      },
      prose: `At first you ask to ${verb === 'exchange' ? 'exchange' : 'change'} ${wishWords([first])}. As soon as the agent has said something, you change your mind. ${wishProse(chosen, context)}`,
      claims: claimsOf(order),
      reads: readsOf(chosen),
      acts: [actOf(chosen)],
      communicate: [],
      needsUser: true,
      points: 3,
    },
  ];
}

export const planExchange: PlanRequest = (context) => planReplace(context, 'exchange');
export const planModifyItems: PlanRequest = (context) => planReplace(context, 'modify');
export const planExchangeChanged: PlanRequest = (context) => planReplaceChanged(context, 'exchange');
export const planModifyItemsChanged: PlanRequest = (context) => planReplaceChanged(context, 'modify');
