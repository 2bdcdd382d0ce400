import type { Random } from '../../../shared/index.js';
import { toCents, toDollars } from '../../money.js';
import type { Order, OrderItem, PaymentEntry, Product, User } from '../../world.js';
import { inventAddress } from '../places.js';

/** Statuses and their share, in thousandths, close to tau-bench's retail data. */
const STATUSES: readonly (readonly [status: string, share: number])[] = [
  ['pending', 423],
  ['delivered', 373],
  ['processed', 102],
  ['cancelled', 102],
];
const MAX_ORDERS_PER_USER = 9;

export interface OrderContext {
  readonly random: Random;
  readonly products: readonly Product[];
  readonly users: readonly User[];
  readonly count: number;
}

/** One status for each order, in the shares above, shuffled. */
function dealStatuses(random: Random, count: number): string[] {
  const statuses = STATUSES.flatMap(([status, share]) =>
    Array.from({ length: Math.round((share * count) / 1000) }, () => status),
  );
  while (statuses.length < count) statuses.push('pending');
  return random.shuffle(statuses.slice(0, count));
}

function fillBasket(random: Random, products: readonly Product[]): OrderItem[] {
  const size = random.pick([1, 1, 2, 2, 3, 3, 4, 4, 5]);
  const items: OrderItem[] = [];
  while (items.length < size) {
    const product = random.pick(products);
    // Two items of one product are rare, as in a real basket.
    if (items.some((item) => item.product_id === product.product_id) && !random.chance(0.1)) continue;
    const { item_id, price, options } = random.pick(Object.values(product.variants));
    items.push({ name: product.name, product_id: product.product_id, item_id, price, options });
  }
  return items;
}

function fulfil(items: readonly OrderItem[], nextTrackingId: () => string): Order['fulfillments'] {
  return [{ tracking_id: [nextTrackingId()], item_ids: items.map((item) => item.item_id) }];
}

interface Ids {
  readonly nextOrderId: () => string;
  readonly nextTrackingId: () => string;
}

function inventOrder(context: OrderContext, user: User, facts: Ids & { readonly status: string }): Order {
  const { random, products } = context;
  const { status } = facts;
  const items = fillBasket(random, products);
  const amount = toDollars(items.reduce((total, item) => total + toCents(item.price), 0));
  const method = random.pick(Object.keys(user.payment_methods));
  const paid: PaymentEntry = { transaction_type: 'payment', amount, payment_method_id: method };
  return {
    order_id: `#W${facts.nextOrderId()}`,
    user_id: user.user_id ?? '',
    // Some parcels go elsewhere: to work, to a present's receiver, to where the customer lived before.
    address: random.chance(0.2) ? inventAddress(random) : user.address,
    items,
    status,
    fulfillments: status === 'delivered' || status === 'processed' ? fulfil(items, facts.nextTrackingId) : [],
    payment_history: status === 'cancelled' ? [paid, { ...paid, transaction_type: 'refund' }] : [paid],
    ...(status === 'cancelled' && {
      cancel_reason: random.pick(['no longer needed', 'ordered by mistake']),
    }),
  };
}

/** Orders of the users, who keep them in the order in which they were placed; at most nine each. */
export function generateOrders(context: OrderContext, ids: Ids): Order[] {
  const { random, users, count } = context;
  const placed = new Map<User, number>();
  return dealStatuses(random, count).map((status) => {
    let user = random.pick(users);
    while ((placed.get(user) ?? 0) >= MAX_ORDERS_PER_USER) user = random.pick(users);
    placed.set(user, (placed.get(user) ?? 0) + 1);
    return inventOrder(context, user, { ...ids, status });
  });
}
