import type { ToolCall } from '../../../retail/index.js';
import type { Random } from '../../../shared/index.js';
import { differenceCents } from '../prices.js';
import type { SeenMethod, SeenWorld } from '../seen-world.js';
import { writeArguments } from '../write-call.js';

/** A call made wrong on purpose. */
export interface WrongCall {
  readonly call: ToolCall;
  readonly detail: string;
}

function replaced(ids: readonly string[], place: number, id: string): string[] {
  return ids.map((each, at) => (at === place ? id : each));
}

/** Another variant of the same product in stock, or for a return another item of the order. Null where there is none. */
export function wrongItem(call: ToolCall, seen: SeenWorld, random: Random): WrongCall | null {
  const { order_id, item_ids, new_item_ids } = writeArguments(call);
  if (call.name === 'return_delivered_order_items') {
    const others = (seen.orders.get(order_id)?.items ?? []).filter(
      ({ item_id }) => !item_ids.includes(item_id),
    );
    if (others.length === 0) return null;
    const place = random.int(0, item_ids.length - 1);
    const { item_id } = random.pick(others);
    return {
      call: { ...call, arguments: { ...call.arguments, item_ids: replaced(item_ids, place, item_id) } },
      detail: `returned item ${item_id} in place of ${item_ids[place]}`,
    };
  }
  if (new_item_ids.length === 0) return null;
  const candidates = new_item_ids.flatMap((wanted, place) => {
    const product = [...seen.products.values()].find(({ variants }) => wanted in variants);
    return Object.values(product?.variants ?? {})
      .filter(
        ({ item_id, available }) =>
          available && !new_item_ids.includes(item_id) && !item_ids.includes(item_id),
      )
      .map(({ item_id }) => ({ item_id, place, wanted }));
  });
  if (candidates.length === 0) return null;
  const { item_id, place, wanted } = random.pick(candidates);
  return {
    call: { ...call, arguments: { ...call.arguments, new_item_ids: replaced(new_item_ids, place, item_id) } },
    detail: `chose item ${item_id} in place of ${wanted}`,
  };
}

/** What a gift card would have to hold for the write; null when not known. */
function neededCents(call: ToolCall, seen: SeenWorld): number | null {
  const to = writeArguments(call);
  if (call.name !== 'modify_pending_order_payment') return differenceCents(to, seen);
  const paid = seen.orders.get(to.order_id)?.payment_history[0]?.amount;
  return paid === undefined ? null : Math.round(paid * 100);
}

/** Another payment method of the customer's that the tool would take. Null where there is none. */
export function wrongPayment(call: ToolCall, seen: SeenWorld, random: Random): WrongCall | null {
  const { order_id, payment_method_id: wanted } = writeArguments(call);
  const order = seen.orders.get(order_id);
  const user = order === undefined ? undefined : seen.users.get(order.user_id);
  if (order === undefined || user === undefined || wanted === '') return null;
  const original = order.payment_history[0]?.payment_method_id;
  const needed = neededCents(call, seen);
  // Where nothing is to be paid, a modified order keeps no trace of the method.
  if (call.name === 'modify_pending_order_items' && needed === 0) return null;
  const covers = ({ balance }: SeenMethod): boolean =>
    needed !== null && Math.round((balance ?? 0) * 100) >= needed;
  const accepted = Object.values(user.payment_methods).filter((method) => {
    const giftCard = method.source === 'gift_card';
    if (method.id === wanted) return false;
    if (call.name === 'return_delivered_order_items') return giftCard || method.id === original;
    if (call.name === 'modify_pending_order_payment' && method.id === original) return false;
    return !giftCard || covers(method);
  });
  if (accepted.length === 0) return null;
  const { id } = random.pick(accepted);
  return {
    call: { ...call, arguments: { ...call.arguments, payment_method_id: id } },
    detail: `used ${id} in place of ${wanted}`,
  };
}

/** A write nobody asked for: another pending order is cancelled, else the profile's address changed. */
export function needlessWrite(done: readonly ToolCall[], seen: SeenWorld): WrongCall | null {
  const touched = new Set(done.map((call) => call.arguments.order_id));
  const idle = [...seen.orders.values()].find(
    ({ order_id, status }) => status === 'pending' && !touched.has(order_id),
  );
  if (idle !== undefined)
    return {
      call: {
        name: 'cancel_pending_order',
        arguments: { order_id: idle.order_id, reason: 'no longer needed' },
      },
      detail: `cancelled order ${idle.order_id}, which nobody asked for`,
    };
  const [entry] = seen.users;
  if (entry === undefined) return null;
  const [userId, { address }] = entry;
  // The profile may have been changed in this call: the house number makes it differ from both.
  const { address1, address2, city, state, country, zip } = address;
  return {
    call: {
      name: 'modify_user_address',
      arguments: { user_id: userId, address1: `${address1} 2b`, address2, city, state, country, zip },
    },
    detail: `changed the address of ${userId}, which nobody asked for`,
  };
}
