import type { MessageReading } from '../reading/agent-message.js';
import { type Deed, deedOf, speaksOf } from '../reading/deeds.js';
import { names } from '../rules/naming.js';
import { orderOf, type Story } from '../rules/story.js';

const ORDER_DEEDS: readonly Deed[] = ['cancel', 'return', 'exchange', 'modify_items'];

function namesOrder(message: MessageReading, order: string, story: Story): boolean {
  const naming = { slot: 'order', value: order, rival: null, orderId: null } as const;
  return names(message.ahead, naming, story.facts);
}

/** The one order that a message names; null: none or several. */
function orderAtHand(message: MessageReading, story: Story): string | null {
  const named = [...story.facts.orders.keys()].filter((order) => namesOrder(message, order, story));
  return named.length === 1 ? (named[0] ?? null) : null;
}

const allDeeds = (story: Story): readonly Deed[] => [
  ...ORDER_DEEDS,
  ...story.goldWrites.flatMap(({ name }) => deedOf(name) ?? []),
];

/** Does the last message ask for a yes on an order without a word on what would be done to it? */
export function asksVaguely(story: Story): boolean {
  const message = story.messages.at(-1);
  if (message?.asksForYes !== true || message.asksForFacts || story.matching.outstanding.length === 0)
    return false;
  const speaks = allDeeds(story).some((deed) => speaksOf(message.ahead.folded, deed));
  return !speaks && orderAtHand(message, story) !== null;
}

/** Does the last message ask for a yes to something on an order for which nothing of the kind is to be done? */
export function proposesNeedless(story: Story): boolean {
  const message = story.messages.at(-1);
  if (message?.asksForYes !== true) return false;
  const order = orderAtHand(message, story);
  if (order === null) return false;
  const isSpokenOf = (deed: Deed | null): boolean => deed !== null && speaksOf(message.ahead.folded, deed);
  const wanted = story.goldWrites.some(
    (call) => (orderOf(call) ?? order) === order && isSpokenOf(deedOf(call.name)),
  );
  return !wanted && ORDER_DEEDS.some(isSpokenOf);
}
