import { ToolError } from '../errors.js';
import { formatCents, toCents } from '../money.js';
import type { Order, OrderItem, PaymentMethod, User, Variant } from '../world.js';
import type { WorldView } from './tool.js';

/** Look-ups shared by the tools; each one throws the error that tells the model what to try instead. */

/** Values from the model are quoted back in errors, but never at length. */
export function quote(value: string): string {
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}

export function findUser(view: WorldView, userId: string): User {
  const user = view.user(userId);
  if (user !== undefined) return user;
  throw new ToolError(
    'user-not-found',
    `no user has the id ${quote(userId)}; find the id by email or by name and zip code`,
  );
}

export function findOrder(view: WorldView, orderId: string): Order {
  const order = view.order(orderId);
  if (order !== undefined) return order;
  const repaired = `#${orderId.replace(/[\s#]/g, '').toUpperCase()}`;
  const hint =
    view.order(repaired) === undefined
      ? 'ids look like "#W" and seven digits, and get_user_details lists the orders of a user'
      : `did you mean ${quote(repaired)}? An id starts with "#"`;
  throw new ToolError('order-not-found', `no order has the id ${quote(orderId)}; ${hint}`);
}

export function findPaymentMethod(view: WorldView, order: Order, methodId: string): PaymentMethod {
  const methods = view.user(order.user_id)?.payment_methods ?? {};
  const method = Object.hasOwn(methods, methodId) ? methods[methodId] : undefined;
  if (method !== undefined) return method;
  throw new ToolError(
    'payment-method-not-found',
    `the customer of ${order.order_id} has no payment method ${quote(methodId)}; get_user_details lists the customer's methods`,
  );
}

export function requirePending(order: Order, allowsModified: boolean): void {
  if (allowsModified ? order.status.includes('pending') : order.status === 'pending') return;
  const once = order.status.startsWith('pending')
    ? ' (its items were modified already, which closes it)'
    : '';
  throw new ToolError(
    'order-not-pending',
    `only a pending order can be changed or cancelled; ${order.order_id} has the status ${quote(order.status)}${once}`,
  );
}

export function requireDelivered(order: Order): void {
  if (order.status === 'delivered') return;
  throw new ToolError(
    'order-not-delivered',
    `only a delivered order can be returned or exchanged; ${order.order_id} has the status ${quote(order.status)}`,
  );
}

/** Every id must be in the order at least as often as it is asked for. */
export function requireItems(order: Order, itemIds: readonly string[]): void {
  for (const itemId of new Set(itemIds)) {
    const asked = itemIds.filter((id) => id === itemId).length;
    const present = order.items.filter((item) => item.item_id === itemId).length;
    if (asked > present)
      throw new ToolError(
        'item-not-in-order',
        `${order.order_id} has item ${quote(itemId)} ${present} time(s), but ${asked} were asked for; get_order_details lists its items`,
      );
  }
}

/** A variant of the same product as `item`, in stock. */
export function findReplacement(view: WorldView, item: OrderItem, newItemId: string): Variant {
  const product = view.product(item.product_id);
  const variants = product?.variants ?? {};
  const variant = Object.hasOwn(variants, newItemId) ? variants[newItemId] : undefined;
  if (variant === undefined)
    throw new ToolError(
      'variant-not-found',
      `item ${quote(newItemId)} is not a variant of ${item.name}; get_product_details of ${item.product_id} lists its variants`,
    );
  if (!variant.available)
    throw new ToolError(
      'variant-unavailable',
      `item ${quote(newItemId)} (${item.name}) is out of stock; choose a variant that is available`,
    );
  return variant;
}

export function refuseShortBalance(method: PaymentMethod, amountCents: number): never {
  const balance = method.source === 'gift_card' ? formatCents(toCents(method.balance)) : 'no balance';
  throw new ToolError(
    'insufficient-gift-card-balance',
    `gift card ${quote(method.id)} holds ${balance}, less than the ${formatCents(amountCents)} to be paid; use another payment method`,
  );
}
