import { createRandom, deriveSeed } from '../../../shared/index.js';
import { freezeDeep } from '../../freeze-deep.js';
import type { User, World } from '../../world.js';
import { generateOrders } from './orders.js';
import { generateProducts } from './products.js';
import { createUniqueDigits } from './unique-digits.js';
import { generateUsers } from './users.js';

const USER_COUNT = 500;
const ORDER_COUNT = 1000;

function byId<R>(records: readonly R[], idOf: (record: R) => string): ReadonlyMap<string, R> {
  return new Map(records.map((record) => [idOf(record), freezeDeep(record)]));
}

/**
 * An invented shop in tau-bench's schema and scale: 500 customers, 65 product types, 1,000 orders. The same seed
 * gives the same world, byte for byte.
 */
export function generateWorld(seed: number): World {
  // Each kind of record has numbers of its own, so that a new product type leaves the customers as they are.
  const randomFor = (kind: string) => createRandom(deriveSeed('retail-world', seed, kind));
  const products = generateProducts(randomFor('products'), createUniqueDigits(randomFor('product-ids'), 10));
  const users = generateUsers(
    randomFor('users'),
    USER_COUNT,
    createUniqueDigits(randomFor('payment-ids'), 7),
  );
  const orders = generateOrders(
    { random: randomFor('orders'), products, users, count: ORDER_COUNT },
    {
      nextOrderId: createUniqueDigits(randomFor('order-ids'), 7),
      nextTrackingId: createUniqueDigits(randomFor('tracking-ids'), 12),
    },
  );
  const orderIds = new Map<string, string[]>();
  for (const { user_id, order_id } of orders)
    orderIds.set(user_id, [...(orderIds.get(user_id) ?? []), order_id]);
  const customers = users.map((user): User => ({ ...user, orders: orderIds.get(user.user_id ?? '') ?? [] }));
  // Typed where it was made, so there is nothing to parse; the tests put it through createWorld all the same.
  return {
    users: byId(customers, (user) => user.user_id ?? ''),
    products: byId(products, (product) => product.product_id),
    orders: byId(orders, (order) => order.order_id),
  };
}
