import type { Overlay } from '../../overlay.js';
import { compareEndStates } from '../../verifier/end-state.js';
import type { Order, User } from '../../world.js';

/** Fields that the verifier compares as they are: where one differs, the orders differ. */
function surfaceOf(order: Order | undefined): string {
  if (order === undefined) return '';
  return [
    order.status,
    order.address.zip,
    order.payment_history.length,
    order.cancel_reason,
    order.return_items?.join(),
    order.return_payment_method_id,
    order.exchange_new_items?.join(),
    order.exchange_payment_method_id,
  ].join('|');
}

function zipOf(user: User | undefined): string | undefined {
  return user?.address.zip;
}

/** Does the verifier tell the two end states apart? A glance at a few fields settles most cases before it is asked. */
export function endStatesDiffer(is: Overlay, shouldBe: Overlay): boolean {
  if (is.rules.transferIsEndState && is.transferred !== shouldBe.transferred) return true;
  for (const id of new Set([...is.orders.keys(), ...shouldBe.orders.keys()]))
    if (surfaceOf(is.order(id)) !== surfaceOf(shouldBe.order(id))) return true;
  for (const id of new Set([...is.users.keys(), ...shouldBe.users.keys()]))
    if (zipOf(is.user(id)) !== zipOf(shouldBe.user(id))) return true;
  const { orders, users, transfer } = compareEndStates(is, shouldBe);
  return orders.length + users.length > 0 || transfer !== undefined;
}
