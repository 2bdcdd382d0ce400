import { canonicalJson } from '../../shared/index.js';
import { toCents } from '../money.js';
import type { Overlay } from '../overlay.js';
import { recordText } from '../record-text.js';
import type { Order, PaymentEntry, User } from '../world.js';

/**
 * Records in canonical form, so that two end states that a shop would call the same compare equal.
 *
 * - Money is whole cents.
 * - Multisets, order ignored: `items`, `payment_history`, a user's `orders`.
 * - `return_items`, `exchange_items` and `exchange_new_items` stay as stored: the tools sort them on writing, under
 *   `parlor` rules pair by pair, so a difference there is one of content.
 * - Delivery records stay as they are; no tool writes them.
 * - Absent and undefined are the same; key order does not matter.
 */
export interface CanonicalRecord {
  readonly [field: string]: unknown;
}

interface CanonicalPayment {
  readonly type: PaymentEntry['transaction_type'];
  readonly cents: number;
  readonly methodId: string;
}

function compareCanonical(a: unknown, b: unknown): number {
  const [left, right] = [canonicalJson(a), canonicalJson(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function asMultiset<T>(list: readonly T[]): T[] {
  return list.length < 2 ? [...list] : list.toSorted(compareCanonical);
}

export function canonicalOrder(order: Order): CanonicalRecord {
  const { exchange_price_difference: difference } = order;
  const payments = order.payment_history.map(
    ({ transaction_type, amount, payment_method_id }): CanonicalPayment => ({
      type: transaction_type,
      cents: toCents(amount),
      methodId: payment_method_id,
    }),
  );
  return {
    ...order,
    items: asMultiset(order.items.map((item) => ({ ...item, price: toCents(item.price) }))),
    payment_history: asMultiset(payments),
    exchange_price_difference: difference === undefined ? undefined : toCents(difference),
  };
}

export function canonicalUser(user: User): CanonicalRecord {
  const methods = Object.entries(user.payment_methods).map(([id, method]) => [
    id,
    method.source === 'gift_card' ? { ...method, balance: toCents(method.balance) } : method,
  ]);
  return { ...user, orders: asMultiset(user.orders), payment_methods: Object.fromEntries(methods) };
}

/** Canonical texts of immutable records, made once for each. */
const texts = new WeakMap<Order | User, string>();

function textOf<R extends Order | User>(record: R, canonical: (record: R) => CanonicalRecord): string {
  const known = texts.get(record);
  if (known !== undefined) return known;
  const text = canonicalJson(canonical(record));
  texts.set(record, text);
  return text;
}

function isSame<R extends Order | User>(
  a: R | undefined,
  b: R | undefined,
  canonical: (record: R) => CanonicalRecord,
): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  // Most episodes reach the very same record; its text is there already, since the model has read it.
  return recordText(a) === recordText(b) || textOf(a, canonical) === textOf(b, canonical);
}

export interface RecordDifference<R> {
  readonly id: string;
  readonly is: R;
  readonly shouldBe: R;
}

export interface EndStateDifference {
  readonly isSame: boolean;
  readonly orders: readonly RecordDifference<Order>[];
  readonly users: readonly RecordDifference<User>[];
  /** Set where a hand-over to a person counts and happened in only one of the two. */
  readonly transfer: 'missing' | 'needless' | undefined;
}

function differing<R extends Order | User>(
  ids: Iterable<string>,
  read: { is: (id: string) => R | undefined; shouldBe: (id: string) => R | undefined },
  canonical: (record: R) => CanonicalRecord,
): RecordDifference<R>[] {
  return [...new Set(ids)].flatMap((id) => {
    const [is, shouldBe] = [read.is(id), read.shouldBe(id)];
    if (isSame(is, shouldBe, canonical) || is === undefined || shouldBe === undefined) return [];
    return [{ id, is, shouldBe }];
  });
}

/**
 * What differs between two overlays of one world. Only records that one of them holds can differ, so the cost is that
 * of a handful of records, whatever the world's size.
 */
export function compareEndStates(is: Overlay, shouldBe: Overlay): EndStateDifference {
  const counts = shouldBe.rules.transferIsEndState && is.transferred !== shouldBe.transferred;
  const orders = differing(
    [...is.orders.keys(), ...shouldBe.orders.keys()],
    { is: (id) => is.order(id), shouldBe: (id) => shouldBe.order(id) },
    canonicalOrder,
  );
  const users = differing(
    [...is.users.keys(), ...shouldBe.users.keys()],
    { is: (id) => is.user(id), shouldBe: (id) => shouldBe.user(id) },
    canonicalUser,
  );
  const transfer = counts ? (shouldBe.transferred ? 'missing' : 'needless') : undefined;
  return { isSame: orders.length + users.length === 0 && !counts, orders, users, transfer };
}
