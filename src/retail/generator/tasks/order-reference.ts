import type { ScenarioRequest, ToolCall } from '../../task.js';
import type { Order } from '../../world.js';
import { call, type PlanContext } from './request-plan.js';
import { spokenName } from './wording.js';

/** How a customer speaks of an order: by its number, or by something in it when the number is not at hand. */
export interface OrderReference {
  readonly known: boolean;
  /** The product by which the customer knows the order, where it does not know the number. */
  readonly name?: string;
  /** "order #W1234567" or "my order with the desk lamp". */
  readonly mine: string;
  /** The same in the second person: "your order with the desk lamp". */
  readonly yours: string;
  readonly fact: ScenarioRequest['facts'][number];
  /** Words that show that a message is about the order. */
  readonly about: string[];
  /** The agent's look-ups: this order, or all up to it when it has to be found. */
  readonly reads: readonly ToolCall[];
}

function readOrder(orderId: string): ToolCall {
  return call('get_order_details', { order_id: orderId });
}

/** Reads of orders in the order of the profile, up to the last one wanted. */
export function readsUpTo(context: PlanContext, wanted: readonly Order[]): ToolCall[] {
  const ids = context.orders.map((order) => order.order_id);
  const last = Math.max(...wanted.map((order) => ids.indexOf(order.order_id)));
  return ids.slice(0, last + 1).map(readOrder);
}

/** A product that this order has and no other order of the customer's; `preferred` ones first. */
function tellTale(context: PlanContext, order: Order, preferred: readonly string[]): string | undefined {
  const elsewhere = new Set(
    context.orders
      .filter((other) => other !== order)
      .flatMap((other) => other.items.map((item) => item.name)),
  );
  const names = [...preferred, ...order.items.map((item) => item.name)];
  return names.find((name) => !elsewhere.has(name));
}

/** The number, and everything in it: no other request of the task touches these products. */
function aboutOrder(order: Order): string[] {
  return [
    order.order_id.toLowerCase(),
    ...new Set(order.items.map((item) => spokenName(item.name).toLowerCase())),
  ];
}

/** Refers to an order, by number in about half the cases, and always where nothing in it sets it apart. */
export function referTo(
  context: PlanContext,
  order: Order,
  preferred: readonly string[] = [],
): OrderReference {
  const id = order.order_id;
  const name = tellTale(context, order, preferred);
  if (name === undefined || context.random.chance(0.5))
    return {
      known: true,
      mine: `order ${id}`,
      yours: `order ${id}`,
      fact: { slot: 'order_id', say: context.style === 'terse' ? `${id}.` : `The order number is ${id}.` },
      about: aboutOrder(order),
      reads: [readOrder(id)],
    };
  const thing = `the ${spokenName(name)}`;
  return {
    known: false,
    name,
    mine: `my order with ${thing}`,
    yours: `your order with ${thing}`,
    fact: {
      slot: 'order_id',
      say:
        context.style === 'terse'
          ? `I don't know the number. It's the one with ${thing}.`
          : `I don't have the order number, but it is the order with ${thing}.`,
    },
    about: aboutOrder(order),
    reads: readsUpTo(context, [order]),
  };
}

/** For the instruction: what the customer does not know about the order; empty when it knows the number. */
export function ignoranceProse({ known }: OrderReference): string {
  return known ? '' : ' You do not know the number of that order.';
}
