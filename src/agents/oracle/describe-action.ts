import type { ToolCall } from '../../retail/index.js';
import { differenceCents, paidCents } from './prices.js';
import type { SeenItem, SeenWorld } from './seen-world.js';
import { type WriteArguments, writeArguments } from './write-call.js';

/** One write in words: as a plan ("return X from order Y") and as a report ("The return of X … has been requested."). */
export interface ActionWords {
  readonly plan: string;
  readonly report: string;
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function optionWords(item: SeenItem): string {
  return Object.entries(item.options)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}

function itemWords(itemId: string, seen: SeenWorld): string {
  const item = seen.item(itemId);
  return item === null ? `item ${itemId}` : `the ${item.name} (${optionWords(item)}; item ${itemId})`;
}

const KIND_BY_PREFIX: readonly (readonly [RegExp, string])[] = [
  [/^gift_card/, 'your gift card'],
  [/^credit_card/, 'your credit card'],
  [/^paypal/, 'your PayPal account'],
];

function methodWords(methodId: string, seen: SeenWorld): string {
  const method = seen.method(methodId);
  if (method?.source === 'credit_card' && method.last_four !== undefined)
    return `your ${method.brand ?? ''} credit card ending in ${method.last_four}`.replace('  ', ' ');
  return KIND_BY_PREFIX.find(([prefix]) => prefix.test(methodId))?.[1] ?? `the payment method ${methodId}`;
}

function addressWords(to: WriteArguments): string {
  return [to.address1, to.address2, to.city, `${to.state} ${to.zip}`.trim(), to.country]
    .filter((part) => part !== '')
    .join(', ');
}

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

function refundWords(to: WriteArguments, seen: SeenWorld): string {
  const total = paidCents(to, seen);
  return total === null ? '' : ` of ${dollars(total)}`;
}

function differenceWords(to: WriteArguments, seen: SeenWorld): string {
  const difference = differenceCents(to, seen);
  const by = methodWords(to.payment_method_id, seen);
  if (difference === null) return `the price difference goes through ${by}`;
  if (difference === 0) return `there is no price difference; ${by} is kept for it`;
  return difference > 0
    ? `the price difference of ${dollars(difference)} is charged to ${by}`
    : `the price difference of ${dollars(-difference)} is refunded to ${by}`;
}

function swapWords(to: WriteArguments, seen: SeenWorld): string {
  return listWords(
    to.item_ids.map(
      (id, place) => `${itemWords(id, seen)} for ${itemWords(to.new_item_ids[place] ?? '', seen)}`,
    ),
  );
}

/** Words for one write, from what was read during the episode. */
export function describeAction(call: ToolCall, seen: SeenWorld): ActionWords {
  const to = writeArguments(call);
  const order = `order ${to.order_id}`;
  const items = listWords(to.item_ids.map((id) => itemWords(id, seen)));
  switch (call.name) {
    case 'cancel_pending_order':
      return { plan: `cancel ${order}, reason: ${to.reason}`, report: `I have cancelled ${order}.` };
    case 'return_delivered_order_items':
      return {
        plan: `return ${items} from ${order}, with the refund${refundWords(to, seen)} to ${methodWords(to.payment_method_id, seen)}`,
        report: `The return of ${items} from ${order} has been requested, with the refund to ${methodWords(to.payment_method_id, seen)}.`,
      };
    case 'exchange_delivered_order_items':
      return {
        plan: `exchange in ${order} ${swapWords(to, seen)}; ${differenceWords(to, seen)}`,
        report: `The exchange in ${order} has been requested: ${swapWords(to, seen)}.`,
      };
    case 'modify_pending_order_items':
      return {
        plan: `modify ${order}: change ${swapWords(to, seen)}; ${differenceWords(to, seen)}. After this the items of the order cannot be modified again`,
        report: `I have modified the items of ${order}: ${swapWords(to, seen)}.`,
      };
    case 'modify_pending_order_address':
      return {
        plan: `change the shipping address of ${order} to ${addressWords(to)}`,
        report: `The shipping address of ${order} has been changed to ${addressWords(to)}.`,
      };
    case 'modify_pending_order_payment':
      return {
        plan: `change the payment method of ${order} to ${methodWords(to.payment_method_id, seen)}`,
        report: `The payment method of ${order} has been changed to ${methodWords(to.payment_method_id, seen)}.`,
      };
    case 'modify_user_address':
      return {
        plan: `change the default address of your profile to ${addressWords(to)}`,
        report: `The default address of your profile has been changed to ${addressWords(to)}.`,
      };
    default:
      return { plan: `carry out ${call.name}`, report: `I have carried out ${call.name}.` };
  }
}

/** The same with bare numbers, so vague that a customer cannot tell what it is about. */
export function describeVaguely(call: ToolCall): string {
  const { order_id, item_ids, new_item_ids } = writeArguments(call);
  const ids = [...item_ids, ...new_item_ids].map((id) => `item ${id}`);
  return `put through what we spoke about for ${order_id === '' ? 'your account' : `order ${order_id}`}${ids.length === 0 ? '' : ` (${ids.join(', ')})`}`;
}
