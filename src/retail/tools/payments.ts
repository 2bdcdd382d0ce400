import { toCents, toDollars } from '../money.js';
import type { PaymentEntry, PaymentMethod, User } from '../world.js';

/** Movements of money on the user's and the order's side. Amounts are whole cents. */

export function entry(
  type: PaymentEntry['transaction_type'],
  amountCents: number,
  methodId: string,
): PaymentEntry {
  return { transaction_type: type, amount: toDollars(amountCents), payment_method_id: methodId };
}

/** The user after `amountCents` were put on a gift card (negative: taken off). Other methods hold no balance. */
export function creditGiftCard(user: User, methodId: string, amountCents: number): User {
  const method = user.payment_methods[methodId];
  if (method?.source !== 'gift_card' || amountCents === 0) return user;
  const balance = toDollars(toCents(method.balance) + amountCents);
  return { ...user, payment_methods: { ...user.payment_methods, [methodId]: { ...method, balance } } };
}

export function holdsLessThan(method: PaymentMethod, amountCents: number): boolean {
  return method.source === 'gift_card' && toCents(method.balance) < amountCents;
}

/** What each method paid in net, in cents, in the order of its first entry; methods that got all back are left out. */
export function netPayments(history: readonly PaymentEntry[]): ReadonlyMap<string, number> {
  const net = new Map<string, number>();
  for (const { transaction_type, amount, payment_method_id } of history) {
    const signed = transaction_type === 'payment' ? toCents(amount) : -toCents(amount);
    net.set(payment_method_id, (net.get(payment_method_id) ?? 0) + signed);
  }
  return new Map([...net].filter(([, cents]) => cents > 0));
}
