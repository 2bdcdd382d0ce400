import { addressLine } from '../reading/find-address.js';
import { findItems } from '../reading/find-items.js';
import { findOrders, namedIn } from '../reading/find-orders.js';
import type { Request } from '../reading/request.js';
import { words } from '../reading/words.js';
import { type Order, orderTotal, type Shop, sum } from '../shop.js';
import { readProduct, wishFor } from './replace.js';
import { ask, listed, money, notYours, type Planner, type Step } from './step.js';

const answer = (text: string): Step => ({ kind: 'answer', text });

function withOrder(request: Request, shop: Shop, then: (order: Order) => Step): Step {
  const found = findOrders(request, shop, []);
  if (found.kind === 'foreign') return notYours(found.id);
  const [order] = found.kind === 'orders' ? found.orders : [];
  return order === undefined ? ask('order') : then(order);
}

const planTotal: Planner = (request, { shop }) => {
  const found = findOrders(request, shop, []);
  if (found.kind === 'orders' && found.orders.length > 1) {
    const ids = listed(found.orders.map(({ order_id: id }) => id));
    return answer(`The orders ${ids} cost ${money(sum(found.orders.map(orderTotal)))} together.`);
  }
  return withOrder(request, shop, (order) => {
    const wholeOrder = /\b(?:in total|altogether|whole order|order .*cost)\b/.test(words(request.all));
    const items = wholeOrder ? null : findItems(request, order);
    if (items === null || items.length === 0)
      return answer(`You paid ${money(orderTotal(order))} in total for order ${order.order_id}.`);
    const prices = listed(items.map(({ name, price }) => `${money(price)} for the ${name}`));
    return answer(`In order ${order.order_id} you paid ${prices}.`);
  });
};

const planDifference: Planner = (request, { shop }) =>
  withOrder(request, shop, (order) => {
    const [item] = findItems(request, order) ?? [];
    if (item === undefined) return ask('items');
    const product = shop.products.get(item.product_id);
    if (product === undefined) return readProduct(item.product_id);
    const wish = wishFor(request, item, { product, names: order.items.map(({ name }) => name) });
    if ('kind' in wish) return wish;
    const difference = sum([wish.price, -item.price]);
    const way = difference < 0 ? 'less' : 'more';
    return answer(
      `The difference in price is ${money(Math.abs(difference))}: the other ${item.name} costs ${money(wish.price)}, which is ${way} than the ${money(item.price)} of yours.`,
    );
  });

const planLowest: Planner = (request, { shop }) => {
  if (shop.types === null) return { kind: 'read', call: { name: 'list_all_product_types', arguments: {} } };
  const [name] = request.turns.flatMap((turn) => namedIn(words(turn), [...(shop.types?.keys() ?? [])]));
  const id = name === undefined ? undefined : shop.types.get(name);
  if (name === undefined || id === undefined) return ask('items');
  const product = shop.products.get(id);
  if (product === undefined) return readProduct(id);
  const stock = Object.values(product.variants).filter(({ available }) => available);
  const prices = stock.map(({ price }) => price).toSorted((a, b) => a - b);
  return answer(
    `There are ${stock.length} versions of the ${name} in stock, and the lowest price among them is ${money(prices[0] ?? 0)}.`,
  );
};

const planBalance: Planner = (_request, { shop }) => {
  const cards = shop.methods.flatMap(({ balance }) => (balance === undefined ? [] : [money(balance)]));
  return answer(
    cards.length === 0
      ? 'There is no gift card in your profile; 0 dollars.'
      : `Your gift card holds ${listed(cards)}.`,
  );
};

const planStatus: Planner = (request, { shop }) =>
  withOrder(request, shop, (order) => answer(`The status of order ${order.order_id} is ${order.status}.`));

const planTracking: Planner = (request, { shop }) =>
  withOrder(request, shop, (order) => {
    const numbers = order.fulfillments.flatMap(({ tracking_id: ids }) => ids);
    return answer(
      numbers.length === 0
        ? `Order ${order.order_id} has no tracking number yet: its status is ${order.status}.`
        : `The tracking number of order ${order.order_id} is ${listed(numbers)}.`,
    );
  });

const planDestination: Planner = (request, { shop }) =>
  withOrder(request, shop, (order) =>
    answer(`Order ${order.order_id} is being sent to ${addressLine(order.address)}.`),
  );

/** Read from the top; the first that fits decides. */
const QUESTIONS: readonly (readonly [RegExp, Planner])[] = [
  [/\btracking\b/, planTracking],
  [/\b(?:street )?address\b|\bbeing sent\b|\bwhere\b/, planDestination],
  [/\bdifference\b/, planDifference],
  [/\b(?:lowest|cheapest)\b|\bhow many\b/, planLowest],
  [/\bgift card\b|\bbalance\b/, planBalance],
  [/\bpaid\b|\bcost\b|\btotal\b|\bhow much\b/, planTotal],
  [/\bstatus\b/, planStatus],
];

export const planQuestion: Planner = (request, desk) => {
  const text = words(request.all);
  const planner = QUESTIONS.find(([rule]) => rule.test(text))?.[1];
  return planner === undefined ? ask('more') : planner(request, desk);
};
