import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../../src/retail/generator/catalogue/index.js';
import { generateWorld } from '../../../src/retail/generator/world/generate-world.js';
import { createWorld, type Order, type World } from '../../../src/retail/index.js';
import { canonicalJson, sha256Hex } from '../../../src/shared/index.js';

const SEEDS = [1, 2, 77, 123_456];
const worlds = new Map(SEEDS.map((seed) => [seed, generateWorld(seed)]));

function hash({ users, products, orders }: World): string {
  return sha256Hex(canonicalJson([[...users], [...products], [...orders]]));
}

function cents(dollars: number): number {
  return Math.round(dollars * 100);
}

function totalCents(order: Order): number {
  return order.items.reduce((total, item) => total + cents(item.price), 0);
}

function holdsAsWords(text: string, words: string): boolean {
  return ` ${text.toLowerCase()} `.includes(` ${words.toLowerCase()} `);
}

describe('the catalogue', () => {
  it('has at least fifty product types with names of their own', () => {
    expect(CATALOGUE.length).toBeGreaterThanOrEqual(50);
    expect(new Set(CATALOGUE.map((spec) => spec.name)).size).toBe(CATALOGUE.length);
  });

  it('gives every type two to four options, each with at least two values', () => {
    for (const { name, options } of CATALOGUE) {
      const values = Object.values(options).map((value) => Object.keys(value).length);
      expect(values.length, name).toBeGreaterThanOrEqual(2);
      expect(Math.min(...values), name).toBeGreaterThanOrEqual(2);
    }
  });

  it('has no value that hides inside another of the same option, so that hearing one is never hearing the other', () => {
    for (const { name, options } of CATALOGUE)
      for (const values of Object.values(options).map((value) => Object.keys(value)))
        for (const value of values)
          for (const other of values)
            if (value !== other)
              expect(holdsAsWords(other, value), `${name}: ${value} in ${other}`).toBe(false);
  });

  it('asks prices to the cent', () => {
    for (const { name, basePrice, options } of CATALOGUE)
      for (const price of [basePrice, ...Object.values(options).flatMap((value) => Object.values(value))])
        expect(Math.abs(price * 100 - cents(price)), name).toBeLessThan(1e-6);
  });
});

describe.each(SEEDS)('the world of seed %i', (seed) => {
  const world = worlds.get(seed) ?? generateWorld(seed);
  const users = [...world.users.values()];
  const orders = [...world.orders.values()];
  const products = [...world.products.values()];

  it('has the scale of the reference: 500 users, 1,000 orders, statuses in its proportions', () => {
    expect(users).toHaveLength(500);
    expect(orders).toHaveLength(1000);
    expect(products.length).toBe(CATALOGUE.length);
    const count = (status: string) => orders.filter((order) => order.status === status).length;
    expect(['pending', 'delivered', 'processed', 'cancelled'].map(count)).toEqual([423, 373, 102, 102]);
  });

  it('writes ids as the reference does, each once', () => {
    const variants = products.flatMap((product) => Object.keys(product.variants));
    const numbers = [...variants, ...world.products.keys()];
    for (const id of numbers) expect(id).toMatch(/^\d{10}$/);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const id of world.orders.keys()) expect(id).toMatch(/^#W\d{7}$/);
    for (const id of world.users.keys()) expect(id).toMatch(/^[a-z]+_[a-z]+_\d{4}$/);
  });

  it('lets an email, and a name with a zip code, name one customer', () => {
    const emails = users.map((user) => user.email);
    const names = users.map(({ name, address }) => `${name.first_name} ${name.last_name} ${address.zip}`);
    expect(new Set(emails).size).toBe(500);
    expect(new Set(names).size).toBe(500);
    for (const email of emails) expect(email).toMatch(/^[a-z]+\.[a-z]+\d{4}@example\.(com|org)$/);
  });

  it('keeps every address in the USA and complete', () => {
    for (const { address } of [...users, ...orders]) {
      expect(address.country).toBe('USA');
      expect(address.zip).toMatch(/^\d{5}$/);
      expect(address.state).toMatch(/^[A-Z]{2}$/);
      expect(address.address1).toMatch(/^\d{3} \w+ \w+$/);
      expect(address.city).not.toBe('');
    }
  });

  it('fills orders with one to five items at the prices of their variants', () => {
    for (const order of orders) {
      expect(order.items.length).toBeGreaterThanOrEqual(1);
      expect(order.items.length).toBeLessThanOrEqual(5);
      for (const { product_id, item_id, name, price, options } of order.items) {
        const product = world.products.get(product_id);
        expect(product?.name).toBe(name);
        expect(product?.variants[item_id]).toMatchObject({ price, options });
      }
    }
  });

  it('has every order paid in full by one method of its own customer, and a cancelled one paid back', () => {
    for (const order of orders) {
      const methods = world.users.get(order.user_id)?.payment_methods ?? {};
      const history = order.payment_history;
      expect(history.length).toBe(order.status === 'cancelled' ? 2 : 1);
      for (const entry of history) {
        expect(methods).toHaveProperty([entry.payment_method_id]);
        expect(cents(entry.amount)).toBe(totalCents(order));
      }
      expect(order.cancel_reason !== undefined).toBe(order.status === 'cancelled');
    }
  });

  it('has every item of a delivered or processed order on its way under one tracking id, and nothing else', () => {
    for (const { status, fulfillments, items } of orders) {
      if (status === 'pending' || status === 'cancelled') expect(fulfillments).toEqual([]);
      else expect(fulfillments.flatMap((f) => f.item_ids)).toEqual(items.map((item) => item.item_id));
    }
  });

  it('lists each order once, with its customer, and at most nine a customer', () => {
    const listed = users.flatMap((user) => user.orders);
    expect(listed).toHaveLength(world.orders.size);
    expect(new Set(listed)).toEqual(new Set(world.orders.keys()));
    for (const [id, user] of world.users) {
      expect(user.orders.length).toBeLessThanOrEqual(9);
      for (const orderId of user.orders) expect(world.orders.get(orderId)?.user_id).toBe(id);
    }
  });

  it('keeps about two thirds of the variants in stock, and some of every product', () => {
    const variants = products.flatMap((product) => Object.values(product.variants));
    const share = variants.filter((variant) => variant.available).length / variants.length;
    expect(share).toBeGreaterThan(0.55);
    expect(share).toBeLessThan(0.8);
    for (const { name, variants: ofProduct } of products)
      expect(Object.values(ofProduct).filter((variant) => variant.available).length, name).toBeGreaterThan(3);
  });

  it('passes the check of every data file, and nothing in it can be changed', () => {
    const maps = { users: world.users, products: world.products, orders: world.orders };
    const json = Object.fromEntries(
      Object.entries(maps).map(([kind, map]) => [kind, Object.fromEntries(map)]),
    );
    expect(createWorld(JSON.parse(JSON.stringify(json))).orders.size).toBe(1000);
    expect(Object.isFrozen(users[0]?.address)).toBe(true);
    expect(Object.isFrozen(orders[0]?.items[0]?.options)).toBe(true);
  });

  it('is the same each time it is made', () => {
    expect(hash(generateWorld(seed))).toBe(hash(world));
  });
});

describe('two seeds', () => {
  it('give two worlds', () => {
    const hashes = [...worlds.values()].map(hash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
