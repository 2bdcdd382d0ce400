import type { Address, Order } from '../../../world.js';
import { inventAddress } from '../../places.js';
import { addressMismatches, orderMismatches } from '../mismatches.js';
import { ignoranceProse, type OrderReference, referTo } from '../order-reference.js';
import {
  call,
  claimsOf,
  freeOrders,
  type PlanContext,
  type PlanRequest,
  type RequestPlan,
} from '../request-plan.js';
import { addressWords, speak } from '../wording.js';

const PROFILE = 'profile address';

function isSame(a: Address, b: Address): boolean {
  return a.zip === b.zip && a.address1 === b.address1;
}

function noSecondLine({ address2 }: Address): string {
  return address2 === '' ? ' There is no apartment or suite number.' : '';
}

function orderCall(order: Order, address: Address) {
  return call('modify_pending_order_address', { order_id: order.order_id, ...address });
}

function orderWish(
  context: PlanContext,
  order: Order,
  wish: { reference: OrderReference; address: Address },
) {
  const { reference, address } = wish;
  return {
    facts: [
      reference.fact,
      { slot: 'address' as const, say: `${addressWords(address)}.${noSecondLine(address)}` },
      { slot: 'detail' as const, say: `I want ${reference.mine} to go to another address.` },
    ],
    about: [...reference.about, address.address1.toLowerCase()],
    mismatches: [
      ...addressMismatches(
        address,
        [order.address, context.user.address].filter((other) => !isSame(other, address)),
      ),
      ...(reference.known ? orderMismatches(context.orders, [order]) : []),
    ],
  };
}

function sayShipElsewhere(context: PlanContext, mine: string): string {
  return speak(context, {
    terse: [`Change the address of ${mine}.`, `New address for ${mine}.`],
    plain: [
      `I'd like to change the shipping address of ${mine}.`,
      `${mine.startsWith('order') ? 'Order' : 'My order'}${mine.replace(/^(my )?order/, '')} is going to the wrong address. Can you change it?`,
      `Could you send ${mine} to a different address?`,
    ],
  });
}

const VAGUE = {
  terse: ['A parcel is going to the wrong place.'],
  plain: [
    "I'm worried that a parcel of mine is going to the wrong place.",
    'There is something wrong with where you are sending my things.',
  ],
};

/** One pending order goes to a new address, sometimes corrected half-way. */
export const planOrderAddress: PlanRequest = (context) => {
  const { random } = context;
  const [order] = freeOrders(context, 'pending');
  if (order === undefined) return null;
  const reference = referTo(context, order);
  const [address, first] = [inventAddress(random), inventAddress(random)];
  if (isSame(address, order.address) || isSame(address, first)) return null;
  const changes = random.chance(0.25);
  const vague = !changes && random.chance(0.2);
  const wish = orderWish(context, order, { reference, address });
  const before = orderWish(context, order, { reference, address: first });
  const plan: RequestPlan = {
    kind: 'order-address',
    tags: [
      ...(changes ? ['change-of-mind'] : []),
      ...(vague ? ['vague'] : []),
      ...(reference.known ? [] : ['order-unknown']),
    ],
    goal: 'modify_order_address',
    expected: 'done',
    say: vague
      ? speak(context, VAGUE)
      : `${sayShipElsewhere(context, reference.mine)}${changes ? ` The new address is ${addressWords(first)}.` : ''}`,
    ...wish,
    ...(changes && {
      ...before,
      mismatches: [],
      change: {
        say: `${random.pick(['Sorry, I gave you the wrong address.', 'Wait, I have changed my mind about the address.'])} It should go to ${addressWords(address)}.${noSecondLine(address)}`,
        ...wish,
      },
    }),
    prose: changes
      ? `You want ${reference.yours} sent to another address. At first you say ${addressWords(first)}. As soon as the agent has said something, you correct yourself: it must go to ${addressWords(address)}, USA.${noSecondLine(address)}${ignoranceProse(reference)}`
      : `You want ${reference.yours} sent to another address: ${addressWords(address)}, USA.${noSecondLine(address)} Your profile stays as it is.${ignoranceProse(reference)}${
          vague
            ? ' You begin with a vague worry about where a parcel is going, and tell the rest when asked.'
            : ''
        }`,
    claims: [...claimsOf(order), PROFILE],
    reads: reference.reads,
    acts: [orderCall(order, address)],
    communicate: [],
    needsUser: !reference.known,
    points: 1 + (reference.known ? 0 : 1) + (vague ? 1 : 0) + (changes ? 2 : 0),
  };
  return [plan];
};

/** An order on its way elsewhere shall come home, to the address in the profile. */
export const planOrderAddressHome: PlanRequest = (context) => {
  const { user } = context;
  const order = freeOrders(context, 'pending').find((candidate) => !isSame(candidate.address, user.address));
  if (order === undefined) return null;
  const reference = referTo(context, order);
  return [
    {
      kind: 'order-address',
      tags: ['look-up', ...(reference.known ? [] : ['order-unknown'])],
      goal: 'modify_order_address',
      expected: 'done',
      say: sayShipElsewhere(context, reference.mine),
      ...orderWish(context, order, { reference, address: user.address }),
      facts: [
        reference.fact,
        { slot: 'address', say: 'My home address, the one in my profile.' },
        { slot: 'detail', say: `I want ${reference.mine} sent to the address in my profile.` },
      ],
      prose: `You want ${reference.yours} sent to the address in your profile instead of the address it has now. You say "the one in my profile" and do not spell it out.${ignoranceProse(reference)}`,
      claims: [...claimsOf(order), PROFILE],
      reads: reference.reads,
      acts: [orderCall(order, user.address)],
      communicate: [],
      needsUser: true,
      points: 2 + (reference.known ? 0 : 1),
    },
  ];
};

function profilePlan(context: PlanContext, address: Address): RequestPlan {
  const { user, userId } = context;
  return {
    kind: 'profile-address',
    tags: [],
    goal: 'modify_profile_address',
    expected: 'done',
    say: speak(context, {
      terse: ['I moved. Change my address.', 'Update the address in my profile.'],
      plain: [
        "I have moved, so I'd like to change the address in my profile.",
        'Could you update my default address? I live somewhere else now.',
        'I need a new address in my account.',
      ],
    }),
    facts: [
      { slot: 'address', say: `${addressWords(address)}.${noSecondLine(address)}` },
      { slot: 'detail', say: 'I want a new default address in my profile.' },
    ],
    about: ['profile', 'default address', 'account address', address.address1.toLowerCase()],
    mismatches: addressMismatches(address, [user.address]),
    prose: `You want the address in your profile changed, because you have moved. The new address is ${addressWords(address)}, USA.${noSecondLine(address)}`,
    claims: [PROFILE],
    reads: [],
    acts: [call('modify_user_address', { user_id: userId, ...address })],
    communicate: [],
    needsUser: true,
    points: 1,
  };
}

/** The customer has moved; sometimes the address comes out wrong at first. */
export const planProfileAddress: PlanRequest = (context) => {
  const { random } = context;
  if (context.claimed.has(PROFILE)) return null;
  const [address, first] = [inventAddress(random), inventAddress(random)];
  const plan = profilePlan(context, address);
  if (isSame(address, context.user.address) || isSame(address, first)) return null;
  if (!random.chance(0.3)) return [plan];
  const { facts, about, mismatches } = plan;
  return [
    {
      ...plan,
      tags: ['change-of-mind'],
      facts: [{ slot: 'address', say: `${addressWords(first)}.${noSecondLine(first)}` }],
      say: `${plan.say} The new one is ${addressWords(first)}.`,
      mismatches: [],
      change: {
        say: `Sorry, that is where I lived before. The new address is ${addressWords(address)}.${noSecondLine(address)}`,
        ...{ facts, about, mismatches },
      },
      prose: `You want the address in your profile changed, because you have moved. At first you say ${addressWords(first)}. As soon as the agent has said something, you correct yourself: the new address is ${addressWords(address)}, USA.${noSecondLine(address)}`,
      points: 3,
    },
  ];
};

/** Moved: the profile first, then an order that must follow. */
export const planMove: PlanRequest = (context) => {
  const [order] = freeOrders(context, 'pending');
  if (order === undefined || context.claimed.has(PROFILE)) return null;
  const address = inventAddress(context.random);
  if (isSame(address, order.address) || isSame(address, context.user.address)) return null;
  const reference = referTo(context, order);
  const profile = profilePlan(context, address);
  return [
    { ...profile, tags: ['move'] },
    {
      kind: 'order-address',
      tags: ['move', ...(reference.known ? [] : ['order-unknown'])],
      goal: 'modify_order_address',
      expected: 'done',
      say: speak(context, {
        terse: [`Send ${reference.mine} there too.`],
        plain: [
          `And please have ${reference.mine} sent to the new address as well.`,
          `Then ${reference.mine} should go to that same new address, please.`,
        ],
      }),
      ...orderWish(context, order, { reference, address }),
      prose: `When that is done, you want ${reference.yours} sent to that same new address too.${ignoranceProse(reference)}`,
      claims: [...claimsOf(order), PROFILE],
      reads: reference.reads,
      acts: [orderCall(order, address)],
      communicate: [],
      needsUser: !reference.known,
      points: 2,
    },
  ];
};
