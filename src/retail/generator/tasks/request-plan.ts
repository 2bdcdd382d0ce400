import type { Random } from '../../../shared/index.js';
import type { Scenario, ScenarioRequest, ToolCall } from '../../task.js';
import type { Order, User, World } from '../../world.js';

/** One request of a customer's with everything that follows from it: what is said, what is right to do. */
export interface RequestPlan
  extends Pick<ScenarioRequest, 'goal' | 'say' | 'facts' | 'about' | 'mismatches' | 'change' | 'expected'> {
  /** Name of what was planned, a tag of the task: "exchange", "ask-tracking", … */
  readonly kind: string;
  readonly tags: readonly string[];
  /** Second-person sentences for the task's instruction. */
  readonly prose: string;
  /** Orders, product names and the like that no other request of the task may touch. */
  readonly claims: readonly string[];
  /** Calls a careful agent makes before it acts, identification and user details left out. */
  readonly reads: readonly ToolCall[];
  /** Writes, and the hand-over where that is right. */
  readonly acts: readonly ToolCall[];
  readonly communicate: readonly string[];
  /** True where the agent needs the customer's profile: payment methods, list of orders, address. */
  readonly needsUser: boolean;
  /** How much harder it makes the task; 1 is one plain act. */
  readonly points: number;
}

/** What a plan is made from: one customer of one world, and what other requests of the task already use. */
export interface PlanContext {
  readonly random: Random;
  readonly world: World;
  readonly user: User;
  readonly userId: string;
  readonly style: Scenario['style'];
  /** The customer's orders, as listed in the profile. */
  readonly orders: readonly Order[];
  readonly claimed: ReadonlySet<string>;
}

/** Plans a request, now and then two that belong together; null where this customer cannot have such a request. */
export type PlanRequest = (context: PlanContext) => readonly RequestPlan[] | null;

/** Orders with one of the statuses that no other request of the task touches, products included; shuffled. */
export function freeOrders(context: PlanContext, ...statuses: readonly string[]): Order[] {
  const { claimed, orders, random } = context;
  return random.shuffle(
    orders.filter(
      (order) =>
        statuses.includes(order.status) &&
        !claimed.has(order.order_id) &&
        !order.items.some((item) => claimed.has(item.name)),
    ),
  );
}

export function claimsOf(...orders: readonly Order[]): string[] {
  return [...new Set(orders.flatMap((order) => [order.order_id, ...order.items.map((item) => item.name)]))];
}

export function call(name: string, args: ToolCall['arguments']): ToolCall {
  return { name, arguments: args };
}
