import { toCents } from '../../money.js';
import type { ToolCall } from '../../task.js';
import type { Order, OrderItem, Variant, World } from '../../world.js';
import { addressWords, listWords, moneyWords, spokenName } from './wording.js';

/**
 * How an agent may read a write call back to the customer before it acts: `full` with every option and id, `plain`
 * with what changes, `short` in a breath. Used to make sure that a customer never objects to a right action.
 */
export type ConfirmationStyle = 'full' | 'plain' | 'short';
export const CONFIRMATION_STYLES: readonly ConfirmationStyle[] = ['full', 'plain', 'short'];

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function describeOptions(variant: { readonly options: Readonly<Record<string, string>> }): string {
  return Object.entries(variant.options)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}

function describeItem(item: OrderItem, style: ConfirmationStyle): string {
  if (style === 'short') return `the ${spokenName(item.name)}`;
  if (style === 'plain') return `the ${spokenName(item.name)} (${describeOptions(item)})`;
  return `the ${item.name} (item ${item.item_id}, ${describeOptions(item)})`;
}

function describeNew(item: OrderItem, variant: Variant, style: ConfirmationStyle): string {
  if (style === 'full')
    return `item ${variant.item_id} (${describeOptions(variant)}, ${moneyWords(variant.price)} dollars)`;
  if (style === 'plain') return `the one with ${describeOptions(variant)}`;
  const changed = Object.entries(variant.options).filter(([key, value]) => item.options[key] !== value);
  return changed.map(([key, value]) => `${key} ${value}`).join(' and ');
}

function describeMethod(world: World, order: Order, methodId: string, style: ConfirmationStyle): string {
  const method = world.users.get(order.user_id)?.payment_methods[methodId];
  const name =
    method?.source === 'credit_card'
      ? `credit card ending in ${method.last_four}`
      : method?.source === 'paypal'
        ? 'PayPal account'
        : 'gift card';
  return style === 'full' ? `${name} (${methodId})` : name;
}

function pickItems(order: Order, ids: readonly string[]): OrderItem[] {
  const left = [...order.items];
  return ids.flatMap((id) => {
    const index = left.findIndex((item) => item.item_id === id);
    return index < 0 ? [] : left.splice(index, 1);
  });
}

function describeReplacement(world: World, order: Order, call: ToolCall, style: ConfirmationStyle): string {
  const newIds = strings(call.arguments.new_item_ids);
  const pairs = pickItems(order, strings(call.arguments.item_ids)).flatMap((item, place) => {
    const variant = world.products.get(item.product_id)?.variants[newIds[place] ?? ''];
    return variant === undefined ? [] : [{ item, variant }];
  });
  const cents = pairs.reduce(
    (sum, { item, variant }) => sum + toCents(variant.price) - toCents(item.price),
    0,
  );
  const verb = call.name === 'exchange_delivered_order_items' ? 'exchange' : 'change';
  const method = describeMethod(world, order, String(call.arguments.payment_method_id), style);
  const changes = pairs.map(
    ({ item, variant }) => `${describeItem(item, style)} for ${describeNew(item, variant, style)}`,
  );
  return `${verb} ${listWords(changes)} in order ${order.order_id}; the difference of ${moneyWords(Math.abs(cents) / 100)} dollars is ${cents > 0 ? 'charged' : 'refunded'} to your ${method}`;
}

/** What the agent is about to do, to follow "I will". Undefined for calls that are no write. */
export function describeAct(world: World, call: ToolCall, style: ConfirmationStyle): string | undefined {
  const { name, arguments: args } = call;
  const order = world.orders.get(String(args.order_id));
  const address = {
    address1: String(args.address1),
    address2: String(args.address2),
    city: String(args.city),
    state: String(args.state),
    zip: String(args.zip),
    country: String(args.country),
  };
  if (name === 'modify_user_address') return `change your profile address to ${addressWords(address)}`;
  if (order === undefined) return undefined;
  const methodId = String(args.payment_method_id);
  switch (name) {
    case 'cancel_pending_order':
      return style === 'short'
        ? `cancel order ${order.order_id}, reason: ${String(args.reason)}`
        : `cancel order ${order.order_id} with ${listWords(order.items.map((item) => describeItem(item, style)))}, reason: ${String(args.reason)}, and refund ${moneyWords(order.payment_history[0]?.amount ?? 0)} dollars to your ${describeMethod(world, order, order.payment_history[0]?.payment_method_id ?? '', style)}`;
    case 'modify_pending_order_address':
      return style === 'full'
        ? `change the address of order ${order.order_id} from ${addressWords(order.address)} to ${addressWords(address)}`
        : `send order ${order.order_id} to ${addressWords(address)}`;
    case 'modify_pending_order_payment':
      return style === 'short'
        ? `charge order ${order.order_id} to your ${describeMethod(world, order, methodId, style)}`
        : `change the payment of order ${order.order_id} from your ${describeMethod(world, order, order.payment_history[0]?.payment_method_id ?? '', style)} to your ${describeMethod(world, order, methodId, style)}`;
    case 'return_delivered_order_items':
      return `return ${listWords(pickItems(order, strings(args.item_ids)).map((item) => describeItem(item, style)))} of order ${order.order_id} and refund your ${describeMethod(world, order, methodId, style)}`;
    case 'modify_pending_order_items':
    case 'exchange_delivered_order_items':
      return describeReplacement(world, order, call, style);
    default:
      return undefined;
  }
}
