import { ToolError } from '../errors.js';
import { toCents } from '../money.js';
import type { PaymentEntry, User } from '../world.js';
import { addressArguments, readAddress } from './address.js';
import { text } from './arguments.js';
import { findOrder, findPaymentMethod, findUser, quote, refuseShortBalance, requirePending } from './find.js';
import { creditGiftCard, entry, holdsLessThan, netPayments } from './payments.js';
import { defineTool } from './tool.js';

const CANCEL_REASONS = ['no longer needed', 'ordered by mistake'];

/** Refund entries of a cancelled order: of every entry as the references do, or of what each method paid in net. */
function refundsOf(history: readonly PaymentEntry[], everyEntry: boolean): PaymentEntry[] {
  if (everyEntry) return history.map((paid) => entry('refund', toCents(paid.amount), paid.payment_method_id));
  return [...netPayments(history)].map(([methodId, cents]) => entry('refund', cents, methodId));
}

const cancelPendingOrder = defineTool({
  name: 'cancel_pending_order',
  title: 'Cancel a pending order',
  description:
    'Cancels a whole pending order and refunds it to the method it was paid with. Tell the customer what will happen and get a clear yes first.',
  kind: 'write',
  destructive: true,
  arguments: {
    order_id: text('Id of the order with its leading "#", for example "#W0000000"'),
    reason: text('The reason the customer gave', CANCEL_REASONS),
  },
  run: (view, { order_id, reason }) => {
    const order = findOrder(view, order_id);
    requirePending(order, false);
    if (!CANCEL_REASONS.includes(reason))
      throw new ToolError(
        'invalid-reason',
        `${quote(reason)} is no accepted reason to cancel; it must be "no longer needed" or "ordered by mistake"`,
      );
    const refunds = refundsOf(order.payment_history, view.rules.refundsEveryEntry);
    const user = refunds.reduce<User>(
      (owner, { payment_method_id, amount }) => creditGiftCard(owner, payment_method_id, toCents(amount)),
      findUser(view, order.user_id),
    );
    const cancelled = {
      ...order,
      status: 'cancelled',
      cancel_reason: reason,
      payment_history: [...order.payment_history, ...refunds],
    };
    return { value: cancelled, order: cancelled, user: { id: order.user_id, record: user } };
  },
});

const modifyPendingOrderAddress = defineTool({
  name: 'modify_pending_order_address',
  title: 'Change the address of a pending order',
  description:
    'Replaces the shipping address of a pending order. Read the new address back and get a clear yes first.',
  kind: 'write',
  arguments: {
    order_id: text('Id of the order with its leading "#", for example "#W0000000"'),
    ...addressArguments,
  },
  run: (view, args) => {
    const order = findOrder(view, args.order_id);
    requirePending(order, view.rules.modifiedOrderStaysOpen);
    const changed = { ...order, address: readAddress(args, view.rules) };
    return { value: changed, order: changed };
  },
});

const modifyPendingOrderPayment = defineTool({
  name: 'modify_pending_order_payment',
  title: 'Change the payment method of a pending order',
  description:
    'Charges a pending order to another payment method of the customer and refunds the first one. Possible once. Name both methods and get a clear yes first.',
  kind: 'write',
  destructive: true,
  arguments: {
    order_id: text('Id of the order with its leading "#", for example "#W0000000"'),
    payment_method_id: text(
      'Id of the new method, from the profile of the customer, for example "gift_card_0000000"',
    ),
  },
  run: (view, { order_id, payment_method_id }) => {
    const order = findOrder(view, order_id);
    requirePending(order, view.rules.modifiedOrderStaysOpen);
    const method = findPaymentMethod(view, order, payment_method_id);
    const [paid, ...more] = order.payment_history;
    if (paid === undefined || more.length > 0 || paid.transaction_type !== 'payment')
      throw new ToolError(
        'payment-already-changed',
        `the payment of ${order.order_id} was changed or settled already (it has ${order.payment_history.length} entries, exactly one payment was expected), so it cannot be changed again`,
      );
    if (paid.payment_method_id === payment_method_id)
      throw new ToolError(
        'same-payment-method',
        `${order.order_id} is already paid with ${quote(payment_method_id)}; choose a different method`,
      );
    const cents = toCents(paid.amount);
    if (holdsLessThan(method, cents)) refuseShortBalance(method, cents);
    const charged = creditGiftCard(findUser(view, order.user_id), payment_method_id, -cents);
    const changed = {
      ...order,
      payment_history: [
        paid,
        entry('payment', cents, payment_method_id),
        entry('refund', cents, paid.payment_method_id),
      ],
    };
    const record = creditGiftCard(charged, paid.payment_method_id, cents);
    return { value: changed, order: changed, user: { id: order.user_id, record } };
  },
});

export const PENDING_ORDER_TOOLS = [cancelPendingOrder, modifyPendingOrderAddress, modifyPendingOrderPayment];
