import { canonicalJson } from '../../shared/index.js';
import { formatCents, toCents } from '../money.js';
import type { Address, Order, OrderItem, PaymentEntry, User } from '../world.js';
import {
  type CanonicalRecord,
  canonicalOrder,
  canonicalUser,
  type EndStateDifference,
  type RecordDifference,
} from './end-state.js';

/** A difference between two end states in lines for people: "order #W1: status is 'pending', should be 'cancelled'". */

function show(value: unknown): string {
  if (value === undefined || value === null) return 'not set';
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map(String).join(', ');
  return typeof value === 'object' ? canonicalJson(value) : String(value);
}

function showAddress({ address1, address2, city, state, zip, country }: Address): string {
  return `'${[address1, address2, city, `${state} ${zip}`, country].filter((part) => part !== '').join(', ')}'`;
}

function showItem({ name, item_id, price, options }: OrderItem): string {
  const details = Object.entries(options).map(([option, value]) => `${option} ${value}`);
  return `${name} ${item_id} at ${formatCents(toCents(price))} (${details.toSorted().join(', ')})`;
}

function showPayment({ transaction_type, amount, payment_method_id }: PaymentEntry): string {
  const way = transaction_type === 'payment' ? 'by' : 'to';
  return `${transaction_type} of ${formatCents(toCents(amount))} ${way} ${payment_method_id}`;
}

/** What is in one multiset and not in the other, by the text shown. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((entry) => {
    const place = left.indexOf(entry);
    if (place < 0) return true;
    left.splice(place, 1);
    return false;
  });
}

function describeLists(name: string, is: readonly string[], shouldBe: readonly string[]): string[] {
  const extra = without(is, shouldBe);
  const lacking = without(shouldBe, is);
  return [
    ...(extra.length > 0 ? [`${name} should not have: ${extra.join('; ')}`] : []),
    ...(lacking.length > 0 ? [`${name} should have: ${lacking.join('; ')}`] : []),
  ];
}

/** Names of the fields whose canonical values differ. */
function changedFields(is: CanonicalRecord, shouldBe: CanonicalRecord): string[] {
  return [...new Set([...Object.keys(is), ...Object.keys(shouldBe)])].filter(
    // Untouched parts are the very same objects on both sides.
    (field) =>
      is[field] !== shouldBe[field] &&
      canonicalJson(is[field] ?? null) !== canonicalJson(shouldBe[field] ?? null),
  );
}

function describeOrder({ id, is, shouldBe }: RecordDifference<Order>): string[] {
  const lines = changedFields(canonicalOrder(is), canonicalOrder(shouldBe)).flatMap((field) => {
    if (field === 'items')
      return describeLists('items', is.items.map(showItem), shouldBe.items.map(showItem));
    if (field === 'payment_history')
      return describeLists(
        'payments',
        is.payment_history.map(showPayment),
        shouldBe.payment_history.map(showPayment),
      );
    if (field === 'address')
      return [`address is ${showAddress(is.address)}, should be ${showAddress(shouldBe.address)}`];
    const key = field as keyof Order;
    return [`${field.replaceAll('_', ' ')} is ${show(is[key])}, should be ${show(shouldBe[key])}`];
  });
  return lines.map((line) => `order ${id}: ${line}`);
}

function showMethod(user: User, methodId: string): string {
  const method = user.payment_methods[methodId];
  return method?.source === 'gift_card' ? `holds ${formatCents(toCents(method.balance))}` : show(method);
}

function describeUser({ id, is, shouldBe }: RecordDifference<User>): string[] {
  const lines = changedFields(canonicalUser(is), canonicalUser(shouldBe)).flatMap((field) => {
    if (field === 'address')
      return [`address is ${showAddress(is.address)}, should be ${showAddress(shouldBe.address)}`];
    if (field === 'payment_methods')
      return changedFields(is.payment_methods, shouldBe.payment_methods).map(
        (methodId) => `${methodId} ${showMethod(is, methodId)}, should be: ${showMethod(shouldBe, methodId)}`,
      );
    const key = field as keyof User;
    return [`${field} is ${show(is[key])}, should be ${show(shouldBe[key])}`];
  });
  return lines.map((line) => `user ${id}: ${line}`);
}

export function describeEndStateDifference({ orders, users, transfer }: EndStateDifference): string[] {
  const transfers = {
    missing: 'the conversation was not handed over to a person, but should have been',
    needless: 'the conversation was handed over to a person, but should not have been',
  };
  return [
    ...orders.flatMap(describeOrder),
    ...users.flatMap(describeUser),
    ...(transfer === undefined ? [] : [transfers[transfer]]),
  ];
}
