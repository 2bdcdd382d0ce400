import type { Item, Order } from '../shop.js';
import { namedIn } from './find-orders.js';
import type { Request } from './request.js';
import { words } from './words.js';

const EVERYTHING = /\b(?:everything|all (?:of it|items|of them)|the whole order)\b(?! else)/;

/** Without what only says which order is meant. */
function withoutOrder(text: string, names: readonly string[]): string {
  const plain = names.map(words).toSorted((a, b) => b.length - a.length);
  return plain.reduce(
    (rest, name) =>
      rest.replaceAll(`order with the ${name}`, ' ').replaceAll(`the one with the ${name}`, ' '),
    text,
  );
}

function keptIn(text: string, names: readonly string[]): string[] {
  return [...text.matchAll(/\bkeep (?:the )?(.{0,40})/g)].flatMap(([, rest = '']) =>
    namedIn(rest, names).slice(0, 1),
  );
}

/** The items of an order that a request is about, by the latest words that name any; null when none were named. */
export function findItems(request: Request, order: Order): Item[] | null {
  const names = order.items.map(({ name }) => name);
  for (const turn of request.turns) {
    const text = words(turn);
    if (EVERYTHING.test(text) && !/\bkeep everything\b/.test(text)) return [...order.items];
    const kept = keptIn(text, names);
    const named = namedIn(withoutOrder(text, names), names).filter((name) => !kept.includes(name));
    if (named.length > 0)
      return named.flatMap((name) => order.items.find((item) => item.name === name) ?? []);
  }
  // Only the order was described: "it is the order with the tent". If that is all there is to know, it is the tent.
  if (order.items.length > 1 && !request.asked.has('items')) return null;
  const described = namedIn(words(request.all), names)[0];
  const item = order.items.length === 1 ? order.items[0] : order.items.find(({ name }) => name === described);
  return item === undefined ? null : [item];
}
