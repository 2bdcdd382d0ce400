import type { ScenarioRequest } from '../../../task.js';
import { ignoranceProse, referTo } from '../order-reference.js';
import {
  call,
  claimsOf,
  freeOrders,
  type PlanContext,
  type PlanRequest,
  type RequestPlan,
} from '../request-plan.js';
import { speak } from '../wording.js';

/** What none of the agent's tools can do and the policy does not forbid: the right answer is to hand the call over. */
interface Matter {
  readonly kind: string;
  readonly goal: ScenarioRequest['goal'];
  readonly say: readonly string[];
  readonly prose: string;
  readonly about: string[];
  readonly summary: string;
}

function handOver(context: PlanContext, matter: Matter): RequestPlan {
  return {
    kind: matter.kind,
    tags: ['forbidden', 'transfer'],
    goal: matter.goal,
    expected: 'transferred',
    say: speak(context, { terse: matter.say.slice(0, 1), plain: matter.say }),
    facts: [{ slot: 'detail', say: matter.say[0] ?? '' }],
    about: matter.about,
    mismatches: [],
    prose: `${matter.prose} If you are transferred to a person, that is fine with you.`,
    claims: ['hand-over'],
    reads: [],
    acts: [call('transfer_to_human_agents', { summary: matter.summary })],
    communicate: [],
    needsUser: false,
    points: 2,
  };
}

const ACCOUNT_MATTERS: readonly Matter[] = [
  {
    kind: 'transfer-email',
    goal: 'ask',
    say: [
      'I want another email address on my account.',
      'I have a new email address. Please put that into my account.',
    ],
    prose: 'You want the email address of your account changed to a new one.',
    about: ['email address'],
    summary: 'The customer wants another email address on the account, which no tool can change.',
  },
  {
    kind: 'transfer-name',
    goal: 'ask',
    say: [
      'I got married. Change my last name in the account.',
      'I got married and my last name in your account should be changed.',
    ],
    prose: 'You got married and want the last name in your account changed.',
    about: ['last name'],
    summary: 'The customer wants the last name on the account changed, which no tool can do.',
  },
  {
    kind: 'transfer-add-card',
    goal: 'ask',
    say: ['Add a new credit card to my account.', "I'd like to add a new credit card to my account."],
    prose:
      'You want a new credit card added to your account. You do not want to use one that is there already.',
    about: ['new credit card', 'new card'],
    summary: 'The customer wants a credit card added to the account, which no tool can do.',
  },
  {
    kind: 'transfer-close-account',
    goal: 'ask',
    say: ['Close my account.', 'I want my account with you closed, and my data deleted.'],
    prose: 'You want your account closed and your data deleted.',
    about: ['close your account', 'account closed', 'delete'],
    summary: 'The customer wants the account closed and the data deleted, which no tool can do.',
  },
];

export const planTransferAccount: PlanRequest = (context) =>
  context.claimed.has('hand-over') ? null : [handOver(context, context.random.pick(ACCOUNT_MATTERS))];

/** A matter about one order: a lost or broken parcel, a cancellation to be taken back, an invoice. */
export const planTransferOrder: PlanRequest = (context) => {
  const { random } = context;
  const [order] = freeOrders(context, 'delivered', 'cancelled');
  if (order === undefined || context.claimed.has('hand-over')) return null;
  const reference = referTo(context, order);
  const { mine, yours } = reference;
  const id = order.order_id;
  const matter =
    order.status === 'cancelled'
      ? {
          kind: 'transfer-undo-cancel',
          say: [
            `Take back the cancellation of ${mine}.`,
            `I want the cancellation of ${mine} undone, so that it is sent after all.`,
          ],
          prose: `You want the cancellation of ${yours} undone, so that it is sent after all. You do not want to order again.`,
          summary: `The customer wants the cancellation of order ${id} undone, which no tool can do.`,
        }
      : random.pick([
          {
            kind: 'transfer-lost-parcel',
            say: [
              `I never got ${mine}.`,
              `It says that ${mine} was delivered, but nothing ever came. I want somebody to look for it.`,
            ],
            prose: `According to the shop, ${yours} was delivered, but nothing came. You want somebody to look for the parcel. You do not want a return or an exchange.`,
            summary: `The customer says that order ${id}, marked as delivered, never arrived, and wants a search for the parcel.`,
          },
          {
            kind: 'transfer-invoice',
            say: [
              `I need a company invoice for ${mine}.`,
              `Could you make out an invoice to my company for ${mine}?`,
            ],
            prose: `You need an invoice made out to your company for ${yours}.`,
            summary: `The customer wants an invoice made out to a company for order ${id}, which no tool can make.`,
          },
          {
            kind: 'transfer-warranty',
            say: [
              `Something from ${mine} needs a repair.`,
              `I'd like something from ${mine} repaired, not returned and not exchanged.`,
            ],
            prose: `You want something from ${yours} repaired under warranty. You do not want a return or an exchange.`,
            summary: `The customer wants a repair under warranty for something from order ${id}.`,
          },
        ]);
  const plan = handOver(context, { ...matter, goal: 'ask', about: reference.about });
  return [
    {
      ...plan,
      tags: [...plan.tags, ...(reference.known ? [] : ['order-unknown'])],
      facts: [reference.fact, ...plan.facts],
      prose: `${plan.prose}${ignoranceProse(reference)}`,
      claims: [...plan.claims, ...claimsOf(order)],
      reads: reference.reads,
      needsUser: !reference.known,
      points: 2 + (reference.known ? 0 : 1),
    },
  ];
};
