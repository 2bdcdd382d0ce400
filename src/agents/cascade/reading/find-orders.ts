import type { Order, Shop } from '../shop.js';
import type { Request } from './request.js';
import { findWords, words } from './words.js';

const ORDER_ID = /#?\bw ?(\d{7})\b/gi;
const ALL_OF = /\ball (?:of )?my (\w+) orders\b/;

export type FoundOrders =
  | { readonly kind: 'orders'; readonly orders: readonly Order[] }
  | { readonly kind: 'foreign'; readonly id: string }
  | { readonly kind: 'unknown' };

/** The names of products in orders, the longest first, so that "desk lamp" is not read as "lamp". */
function namesIn(orders: readonly Order[]): string[] {
  const names = new Set(orders.flatMap((order) => order.items.map(({ name }) => name)));
  return [...names].toSorted((a, b) => b.length - a.length);
}

/** Names of things mentioned in a text of `words`; longer names hide shorter ones inside them. */
export function namedIn(text: string, names: readonly string[]): string[] {
  let rest = text;
  const found: { name: string; at: number }[] = [];
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    for (const { start, end } of findWords(rest, name)) {
      found.push({ name, at: start });
      rest = `${rest.slice(0, start)}${'*'.repeat(end - start)}${rest.slice(end)}`;
    }
  }
  return [...new Set(found.toSorted((a, b) => a.at - b.at).map(({ name }) => name))];
}

/** Of several orders those in a state that the request can be about. */
function fitting(orders: readonly Order[], statuses: readonly string[]): readonly Order[] {
  const fit = orders.filter(({ status }) => statuses.includes(status));
  return fit.length > 0 ? fit : orders;
}

/** Digits of seven that may have been misheard: two numbers of one customer hardly ever are that much alike. */
const MOST_MISHEARD = 2;

function orderOf(id: string, shop: Shop): Order | undefined {
  const differing = (other: string): number =>
    [...id].reduce((count, sign, at) => (sign === other[at] ? count : count + 1), 0);
  const exact = shop.list.find((order) => order.order_id === id);
  if (exact !== undefined) return exact;
  const alike = shop.list.filter((order) => differing(order.order_id) <= MOST_MISHEARD);
  return alike.length === 1 ? alike[0] : undefined;
}

/** Which orders a request is about: by number, "all my pending orders", or what is in them. The latest word counts. */
export function findOrders(request: Request, shop: Shop, statuses: readonly string[]): FoundOrders {
  for (const turn of request.turns) {
    const ids = [...turn.matchAll(ORDER_ID)].map(([, digits]) => `#W${digits}`);
    const orders = ids.flatMap((id) => orderOf(id, shop) ?? []);
    const [foreign] = ids.filter((id) => orderOf(id, shop) === undefined);
    if (foreign !== undefined) return { kind: 'foreign', id: foreign };
    if (orders.length > 0) return { kind: 'orders', orders: [...new Set(orders)] };
    const text = words(turn);
    const status = ALL_OF.exec(text)?.[1];
    const all = shop.list.filter((order) => order.status === status);
    if (all.length > 0) return { kind: 'orders', orders: all };
    const byName = findByName(text, shop, statuses);
    if (byName !== null) return { kind: 'orders', orders: [byName] };
  }
  return { kind: 'unknown' };
}

function findByName(text: string, shop: Shop, statuses: readonly string[]): Order | null {
  const names = namesIn(shop.list);
  const told = /\b(?:order|one) with the (.*)$/.exec(text)?.[1];
  for (const part of told === undefined ? [text] : [told, text]) {
    const named = namedIn(part, names);
    const mentioned = part === told ? named.slice(0, 1) : named;
    if (mentioned.length === 0) continue;
    const holding = shop.list.filter((order) =>
      mentioned.every((name) => order.items.some((item) => item.name === name)),
    );
    const fit = fitting(holding, statuses);
    if (fit.length === 1) return fit[0] ?? null;
    if (fit.length > 1) return null;
  }
  return null;
}
