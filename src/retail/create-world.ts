import { freezeDeep } from './freeze-deep.js';
import { type DataSource, dataFault, describeValue, parseData } from './parse-data.js';
import type { Order, Product, User, World } from './world.js';
import { worldSchema } from './world-schema.js';

interface Reference {
  readonly path: readonly string[];
  readonly found: boolean;
  readonly expected: string;
  readonly came: unknown;
}

/** Every id that points from one record to another, and every key that repeats the id of what it holds. */
function* references(world: World): Generator<Reference> {
  for (const [key, { product_id, variants }] of world.products) {
    yield {
      path: ['products', key, 'product_id'],
      found: key === product_id,
      expected: `the key, "${key}"`,
      came: product_id,
    };
    for (const [itemId, variant] of Object.entries(variants))
      yield {
        path: ['products', key, 'variants', itemId, 'item_id'],
        found: itemId === variant.item_id,
        expected: `the key, "${itemId}"`,
        came: variant.item_id,
      };
  }
  for (const [key, { user_id, payment_methods, orders }] of world.users) {
    yield {
      path: ['users', key, 'user_id'],
      found: user_id === undefined || user_id === key,
      expected: `the key, "${key}"`,
      came: user_id,
    };
    for (const [methodId, { id }] of Object.entries(payment_methods))
      yield {
        path: ['users', key, 'payment_methods', methodId, 'id'],
        found: methodId === id,
        expected: `the key, "${methodId}"`,
        came: id,
      };
    for (const [place, orderId] of orders.entries())
      yield {
        path: ['users', key, 'orders', String(place)],
        found: world.orders.has(orderId),
        expected: 'the id of an order of this world',
        came: orderId,
      };
  }
  for (const [key, { order_id, user_id, items }] of world.orders) {
    yield {
      path: ['orders', key, 'order_id'],
      found: key === order_id,
      expected: `the key, "${key}"`,
      came: order_id,
    };
    yield {
      path: ['orders', key, 'user_id'],
      found: world.users.has(user_id),
      expected: 'the id of a user of this world',
      came: user_id,
    };
    for (const [place, item] of items.entries())
      yield {
        path: ['orders', key, 'items', String(place), 'product_id'],
        found: world.products.has(item.product_id),
        expected: 'the id of a product of this world',
        came: item.product_id,
      };
  }
}

/**
 * A world from JSON in tau-bench's schema: `{users, products, orders}`, each an object by id.
 * @param source what to call the data in an error.
 * @throws UsageError `invalid-data` with the JSON Pointer of the first fault.
 */
export function createWorld(json: unknown, source: DataSource = 'the world'): World {
  const data = parseData(worldSchema, json, source);
  const world: World = {
    users: new Map<string, User>(Object.entries(freezeDeep(data.users))),
    products: new Map<string, Product>(Object.entries(freezeDeep(data.products))),
    orders: new Map<string, Order>(Object.entries(freezeDeep(data.orders))),
  };
  for (const { path, found, expected, came } of references(world))
    if (!found)
      throw dataFault(source, path, { expected: `expected ${expected}`, came: describeValue(came) });
  return world;
}
