import type { Wording } from '../reading/agent-message.js';
import { countPhrase, hasPhrase } from '../reading/folding.js';
import type { Facts, ItemFact, PaymentFact } from './facts.js';

/** What an argument stands for, by its name. */
export type Slot = 'order' | 'item' | 'payment' | 'reason' | 'address' | 'other';

export function slotOf(argument: string): Slot {
  if (argument === 'order_id') return 'order';
  if (argument === 'item_ids' || argument === 'new_item_ids' || argument === 'item_id') return 'item';
  if (argument === 'payment_method_id') return 'payment';
  if (argument === 'reason') return 'reason';
  return /^(?:address[12]|city|state|country|zip)$/.test(argument) ? 'address' : 'other';
}

export interface Naming {
  readonly slot: Slot;
  readonly value: string;
  /** The value it could be mistaken for. Null: none. */
  readonly rival: string | null;
  /** The order it is about, for "the original payment method". */
  readonly orderId: string | null;
  /** Items that the same sentence names anyway, as the ones to be replaced: their options tell nothing. */
  readonly replaced?: readonly string[];
}

const SOURCE_WORDS: Readonly<Record<string, RegExp>> = {
  paypal: /\bpay ?pal\b/,
  'gift card': /\bgift ?-?card\b/,
  'credit card': /\b(?:credit ?card|visa|master ?card|amex|american express)\b/,
};
const ORIGINAL_METHOD =
  /\b(?:original|same) (?:payment(?: method)?|method|form of payment|card|paypal|gift card)|\bway you paid\b|\bmethod you (?:used|paid)/;

function paymentOf(id: string, facts: Facts): PaymentFact {
  const known = facts.payments.get(id);
  if (known !== undefined) return known;
  const source = id.replace(/_?\d+$/, '').replaceAll('_', ' ');
  return { id, source, lastFour: null, brand: null };
}

function namesPayment(text: string, { value, rival, orderId }: Naming, facts: Facts): boolean {
  const own = paymentOf(value, facts);
  const other = rival === null ? null : paymentOf(rival, facts);
  if (own.lastFour !== null && hasPhrase(text, own.lastFour)) return true;
  if (other?.lastFour != null && hasPhrase(text, other.lastFour)) return false;
  if (
    orderId !== null &&
    facts.orders.get(orderId)?.paidBy === value &&
    ORIGINAL_METHOD.test(text) &&
    !/\bnot\b.{0,20}\boriginal\b/.test(text)
  )
    return true;
  if (other !== null && other.source === own.source)
    return own.brand !== null && own.brand !== other.brand && hasPhrase(text, own.brand);
  return (SOURCE_WORDS[own.source] ?? /(?!)/).test(text);
}

/** Options by which two items differ, as [name, own value, other value]. */
function differences(own: ItemFact, other: ItemFact): (readonly [string, string, string | null])[] {
  return [...own.options].flatMap(([name, value]) => {
    const rival = other.options.get(name) ?? null;
    return rival === value ? [] : [[name, value, rival] as const];
  });
}

/** How many of an item's options a text holds. */
function optionsIn(text: string, item: ItemFact): number {
  return [...item.options.values()].filter((option) => hasPhrase(text, option)).length;
}

function namesItem(text: string, naming: Naming, facts: Facts): boolean {
  const { value, rival, orderId } = naming;
  const own = facts.items.get(value);
  if (own === undefined) return false;
  const other = rival === null ? undefined : facts.items.get(rival);
  if (other === undefined || other.product !== own.product) {
    // No rival of the same product: its name tells it apart, unless the order holds a sibling that fits better.
    const siblings = (facts.orders.get(orderId ?? '')?.items ?? [])
      .flatMap((id) => facts.items.get(id) ?? [])
      .filter((item) => item.product === own.product && item.id !== own.id);
    const fit = optionsIn(text, own);
    return namesProduct(text, own) && siblings.every((item) => optionsIn(text, item) <= fit);
  }
  const replaced = (naming.replaced ?? []).flatMap((id) => facts.items.get(id) ?? []);
  // Said more often than the items to be replaced account for.
  const tells = (name: string, option: string | null): option is string =>
    option !== null &&
    countPhrase(text, option) >
      replaced.filter((item) => item.product === own.product && item.options.get(name) === option).length;
  const telling = differences(own, other);
  return (
    telling.some(([name, mine, theirs]) => tells(name, mine) && !tells(name, theirs)) &&
    !telling.some(([name, mine, theirs]) => tells(name, theirs) && !tells(name, mine))
  );
}

function namesProduct(text: string, item: ItemFact): boolean {
  if (item.product === null) return false;
  if (hasPhrase(text, item.product) || hasPhrase(text, `${item.product}s`)) return true;
  // "the bottle" for a water bottle.
  const last = item.product.split(' ').at(-1) ?? '';
  return last.length > 3 && (hasPhrase(text, last) || hasPhrase(text, `${last}s`));
}

const REASON_WORDS: Readonly<Record<string, RegExp>> = {
  'no longer needed': /\bno longer need|\bnot need(?:ed)? any ?more|\bdon't need/,
  'ordered by mistake': /\bmistake|\baccident/,
};

/** Does one sentence name the value, by id or in words that cannot mean its rival? */
function segmentNames(text: string, naming: Naming, facts: Facts): boolean {
  const value = naming.value.toLowerCase().trim();
  switch (naming.slot) {
    case 'order':
      return hasPhrase(text, value.replace(/^#/, '')) || hasPhrase(text, value.replace(/^#?w/, ''));
    case 'item':
      return namesItem(text, naming, facts);
    case 'payment':
      return namesPayment(text, naming, facts);
    case 'reason':
      return hasPhrase(text, value) || (REASON_WORDS[value] ?? /(?!)/).test(text);
    default:
      return value.length > 0 && hasPhrase(text, value);
  }
}

/** Ids leave no doubt: the value's own, or its rival's alone. Null: neither id is in the message. */
function namedById(folded: string, { slot, value, rival }: Naming): boolean | null {
  if (slot !== 'item' && slot !== 'payment') return null;
  if (hasPhrase(folded, value.toLowerCase())) return true;
  return rival !== null && hasPhrase(folded, rival.toLowerCase()) ? false : null;
}

/** Does a message name the value, by id or in one of its sentences? */
export function names(message: Wording, naming: Naming, facts: Facts): boolean {
  const byId = namedById(message.folded, naming);
  if (byId !== null) return byId;
  if (naming.slot === 'item') {
    const item = facts.items.get(naming.value);
    if (item === undefined || !namesProduct(message.folded, item)) return false;
  }
  return message.segments.some((segment) => segmentNames(segment, naming, facts));
}
