import type { Request } from '../reading/request.js';
import type { Address, Order, Shop } from '../shop.js';

export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What has to be asked, looked up, said or done next for a request. */
export type Step =
  | { readonly kind: 'ask'; readonly slot: Slot }
  | { readonly kind: 'read'; readonly call: Call }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'refuse'; readonly text: string }
  | {
      readonly kind: 'write';
      readonly calls: readonly Call[];
      readonly plan: string;
      readonly report: string;
    }
  | { readonly kind: 'hand_over'; readonly summary: string };

export type Slot = 'order' | 'items' | 'options' | 'payment' | 'refund' | 'reason' | 'address' | 'more';

export interface Desk {
  readonly shop: Shop;
  /** The last address that was written in this call. */
  readonly lastAddress: Address | null;
}

export type Planner = (request: Request, desk: Desk) => Step;

export const ask = (slot: Slot): Step => ({ kind: 'ask', slot });
export const refuse = (text: string): Step => ({ kind: 'refuse', text });
export const money = (dollars: number): string => `$${dollars.toFixed(2)}`;

export function notYours(id: string): Step {
  return refuse(
    `I am sorry, but I cannot do anything about order ${id}: it is not an order of your own account.`,
  );
}

export function wrongStatus({ order_id: id, status }: Order, deed: string): Step {
  return refuse(`I am sorry, but order ${id} cannot be ${deed}: its status is ${status}.`);
}

/** "the tent and the webcam" */
export function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? '';
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
