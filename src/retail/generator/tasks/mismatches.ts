import type { ScenarioRequest } from '../../task.js';
import type { Address, Order, OrderItem, PaymentMethod, Product, User, Variant } from '../../world.js';
import { addressWords, listWords, methodWords, spokenName } from './wording.js';

type Mismatch = ScenarioRequest['mismatches'][number];

/** What a customer objects to when an agent reads an action back. See `mismatchSchema` for how they are applied. */

const SOURCE_WORDS: Readonly<Record<PaymentMethod['source'], readonly string[]>> = {
  credit_card: ['credit card', 'credit_card'],
  paypal: ['paypal'],
  gift_card: ['gift card', 'gift_card'],
};

/** Another kind of payment, or another card, than the one wanted. */
export function paymentMismatches(user: User, wantedId: string): Mismatch[] {
  const wanted = user.payment_methods[wantedId];
  if (wanted === undefined) return [];
  const say = `No, please use my ${methodWords(user, wantedId)}.`;
  const kinds = (Object.keys(SOURCE_WORDS) as PaymentMethod['source'][]).filter(
    (source) => source !== wanted.source,
  );
  const ofKind = kinds.flatMap((kind) =>
    SOURCE_WORDS[kind].map((phrase) => ({ phrase, unless: [...SOURCE_WORDS[wanted.source]], say })),
  );
  const otherCards = Object.values(user.payment_methods).flatMap((method) =>
    method.source === 'credit_card' && wanted.source === 'credit_card' && method.id !== wanted.id
      ? [{ phrase: method.last_four, unless: [wanted.last_four], say }]
      : [],
  );
  return [...ofKind, ...otherCards];
}

/** The number of another order of the customer's, where the customer knows the numbers. */
export function orderMismatches(orders: readonly Order[], wanted: readonly Order[]): Mismatch[] {
  const unless = wanted.map((order) => order.order_id);
  return orders
    .filter((order) => !unless.includes(order.order_id))
    .map(({ order_id }) => ({
      phrase: order_id,
      unless,
      say: `No, that is the wrong order. I mean ${listWords(unless)}.`,
    }));
}

/** Something else in the order than what was named. */
export function itemMismatches(order: Order, wantedNames: readonly string[]): Mismatch[] {
  const unless = wantedNames.map((name) => spokenName(name).toLowerCase());
  const others = new Set(order.items.map((item) => item.name).filter((name) => !wantedNames.includes(name)));
  return [...others].map((name) => ({
    phrase: spokenName(name).toLowerCase(),
    unless,
    say: `No, not the ${spokenName(name)}. I mean the ${listWords(wantedNames.map(spokenName))}.`,
  }));
}

/**
 * Values of another variant than the wished one: for each option that the wish names, every value that a variant in
 * stock could have instead. The old item's own values are left out, for an agent that speaks of the old item says them.
 */
export function optionMismatches(
  item: OrderItem,
  wish: { readonly product: Product; readonly target: Variant; readonly keys: readonly string[] },
): Mismatch[] {
  const { product, target, keys } = wish;
  const inStock = Object.values(product.variants).filter((variant) => variant.available);
  return keys.flatMap((key) => {
    const wanted = target.options[key] ?? '';
    const values = new Set(inStock.map((variant) => variant.options[key] ?? ''));
    return [...values]
      .filter((value) => value !== wanted && value !== item.options[key])
      .map((value) => ({
        phrase: value,
        unless: [wanted],
        say: `No, for the ${spokenName(item.name)} I want ${key} ${wanted}, not ${value}.`,
      }));
  });
}

/** The place where the customer is not, or not any more. */
export function addressMismatches(wanted: Address, others: readonly Address[]): Mismatch[] {
  const say = `No, the address is ${addressWords(wanted)}.`;
  return others.flatMap((other) =>
    (['zip', 'address1', 'city'] as const)
      .filter((field) => other[field] !== wanted[field])
      .map((field) => ({ phrase: other[field], unless: [wanted[field]], say })),
  );
}

const REASONS = ['no longer needed', 'ordered by mistake'] as const;
export type CancelReason = (typeof REASONS)[number];

export function reasonMismatches(wanted: CancelReason): Mismatch[] {
  const say =
    wanted === 'no longer needed'
      ? 'No, the reason is that I no longer need it.'
      : 'No, the reason is that I ordered it by mistake.';
  return REASONS.filter((reason) => reason !== wanted).map((reason) => ({
    phrase: reason,
    unless: wanted === 'ordered by mistake' ? [wanted, 'by mistake'] : [wanted, 'no longer need'],
    say,
  }));
}
