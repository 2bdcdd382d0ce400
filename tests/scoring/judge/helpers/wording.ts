import type { RetailDomain, ToolCall } from '../../../../src/retail/index.js';

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function item(domain: RetailDomain, id: string, withId: boolean): string {
  for (const product of domain.world.products.values()) {
    const variant = product.variants[id];
    if (variant === undefined) continue;
    const options = Object.entries(variant.options)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ');
    return withId ? `${product.name} (${options}; item ${id})` : `${product.name} (${options})`;
  }
  return `item ${id}`;
}

function method(domain: RetailDomain, userId: string, id: string, withId: boolean): string {
  const found = domain.world.users.get(userId)?.payment_methods[id];
  const words =
    found === undefined
      ? id
      : found.source === 'credit_card'
        ? `${found.brand} credit card ending in ${found.last_four}`
        : found.source === 'paypal'
          ? 'PayPal account'
          : 'gift card';
  return withId ? `${words} (${id})` : words;
}

const VERBS: Readonly<Record<string, string>> = {
  cancel_pending_order: 'cancel',
  return_delivered_order_items: 'return',
  exchange_delivered_order_items: 'exchange',
  modify_pending_order_items: 'modify',
  modify_pending_order_address: 'change the address of',
  modify_pending_order_payment: 'change the payment method of',
  modify_user_address: 'update your default address',
};

/** How the customer raises it. */
export function changePhrase(call: ToolCall, domain: RetailDomain): string {
  const items = listOf(call.arguments.item_ids).map((id) => item(domain, id, false));
  return `I'd like to ${VERBS[call.name]} order ${call.arguments.order_id ?? ''} ${items.join(' and ')}.`;
}

function details(call: ToolCall, domain: RetailDomain, userId: string, withIds: boolean): string[] {
  const { order_id: order, item_ids, new_item_ids, payment_method_id, reason, address1 } = call.arguments;
  const [items, news] = [listOf(item_ids), listOf(new_item_ids)];
  const lines = items.map((id, at) => {
    const next = news[at];
    return next === undefined
      ? item(domain, id, withIds)
      : `${item(domain, id, withIds)} -> ${item(domain, next, withIds)}`;
  });
  if (typeof payment_method_id === 'string')
    lines.push(
      `${call.name.startsWith('return') ? 'refund to' : 'payment by'} ${method(domain, userId, payment_method_id, withIds)}`,
    );
  if (typeof reason === 'string') lines.push(`reason: ${reason}`);
  if (typeof address1 === 'string')
    lines.push(
      `new address ${['address1', 'address2', 'city', 'state', 'zip', 'country'].map((key) => call.arguments[key]).join(', ')}`,
    );
  return [...(order === undefined ? [] : [`order ${String(order)}`]), ...lines];
}

/** Four agents' ways of reading an action back. */
export function askForYes(
  call: ToolCall,
  domain: RetailDomain,
  { style, userId }: { style: number; userId: string },
): string {
  const verb = VERBS[call.name] ?? 'do';
  const lines = details(call, domain, userId, style % 2 === 0);
  if (style === 0)
    return `Here are the details of the ${verb} request:\n${lines.map((line) => `- **${line}**`).join('\n')}\n\nDo you confirm (yes/no)?`;
  if (style === 1) return `To ${verb}: ${lines.join('; ')}. Shall I go ahead?`;
  if (style === 2) return `I will ${verb} the following for you: ${lines.join(', ')}. Is that correct?`;
  return `Just to be sure. You would like to ${verb} ${lines.join(', ')}. If that is right, please say yes.`;
}

export function reportDone(call: ToolCall, style: number): string {
  const order = call.arguments.order_id ?? 'your profile';
  const past: Readonly<Record<string, string>> = {
    cancel_pending_order: 'cancelled',
    return_delivered_order_items: 'returned',
    exchange_delivered_order_items: 'exchanged',
  };
  const done = past[call.name] ?? 'updated';
  if (style === 0)
    return `Your order ${order} has been successfully ${done}. Is there anything else I can help you with?`;
  if (style === 1) return `Done: I have ${done} it (${order}). Anything else?`;
  if (style === 2)
    return `I've ${done} ${order} as you asked. You will get an email. Is there anything else?`;
  return `That went through, ${order} is now ${done}. What else can I do for you?`;
}
