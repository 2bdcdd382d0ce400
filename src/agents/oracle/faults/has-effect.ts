import type { ToolCall } from '../../../retail/index.js';
import { differenceCents } from '../prices.js';
import type { SeenWorld } from '../seen-world.js';
import { type WriteArguments, writeArguments } from '../write-call.js';

function sameAddress(to: WriteArguments, address: object | undefined): boolean {
  if (address === undefined) return false;
  return Object.entries(address).every(([field, value]) => to[field as keyof WriteArguments] === value);
}

/**
 * Would the write change anything, as far as what was read tells? Leaving out a write that the tools refuse, or that
 * sets what is set already, is no fault that an outcome could show.
 */
export function hasEffect(call: ToolCall, seen: SeenWorld): boolean {
  const to = writeArguments(call);
  if (call.name === 'modify_user_address') return !sameAddress(to, seen.users.get(to.user_id)?.address);
  const order = seen.orders.get(to.order_id);
  if (order === undefined) return true;
  if (call.name === 'modify_pending_order_address') return !sameAddress(to, order.address);
  const delivered = /^(?:return|exchange)_/.test(call.name);
  if (!order.status.startsWith(delivered ? 'delivered' : 'pending')) return false;
  const method = seen.method(to.payment_method_id);
  if (call.name === 'return_delivered_order_items')
    return (
      method === null ||
      method.source === 'gift_card' ||
      method.id === order.payment_history[0]?.payment_method_id
    );
  if (method?.source !== 'gift_card' || call.name === 'modify_pending_order_payment') return true;
  return Math.round((method.balance ?? 0) * 100) >= (differenceCents(to, seen) ?? 0);
}
