import type { Random } from '../../../shared/index.js';
import { toDollars } from '../../money.js';
import type { PaymentMethod, User } from '../../world.js';
import { FIRST_NAMES, LAST_NAMES } from '../names.js';
import { inventAddress } from '../places.js';

type Source = PaymentMethod['source'];

/** Which kinds of payment one customer keeps, and how often in a hundred. */
const WALLETS: readonly (readonly [weight: number, sources: readonly Source[]])[] = [
  [17, ['credit_card']],
  [15, ['paypal']],
  [16, ['gift_card']],
  [12, ['credit_card', 'paypal']],
  [13, ['credit_card', 'gift_card']],
  [11, ['paypal', 'gift_card']],
  [9, ['credit_card', 'paypal', 'gift_card']],
  [7, ['credit_card', 'credit_card']],
];

function pickWallet(random: Random): readonly Source[] {
  let left = random.int(1, 100);
  for (const [weight, sources] of WALLETS) {
    left -= weight;
    if (left <= 0) return sources;
  }
  return ['credit_card'];
}

/** What is left on a card after shopping: mostly small change, now and then a generous present. */
function inventBalance(random: Random): number {
  return toDollars(random.chance(0.2) ? random.int(30_000, 120_000) : random.int(300, 14_000));
}

function inventMethod(random: Random, source: Source, nextId: () => string): PaymentMethod {
  const id = `${source}_${nextId()}`;
  if (source === 'paypal') return { source, id };
  if (source === 'gift_card') return { source, id, balance: inventBalance(random) };
  return {
    source,
    id,
    brand: random.pick(['visa', 'mastercard']),
    last_four: String(random.int(1001, 9998)),
  };
}

/** Customers without orders yet. First name, last name and zip together name one of them, and so does the email. */
export function generateUsers(random: Random, count: number, nextId: () => string): User[] {
  const taken = new Set<string>();
  const users: User[] = [];
  while (users.length < count) {
    const name = { first_name: random.pick(FIRST_NAMES), last_name: random.pick(LAST_NAMES) };
    const address = inventAddress(random);
    const slug = `${name.first_name}_${name.last_name}`.toLowerCase();
    const userId = `${slug}_${random.int(1001, 9998)}`;
    const email = `${slug.replace('_', '.')}${random.int(1001, 9998)}@example.${random.pick(['com', 'org'])}`;
    const keys = [userId, email, `${slug}_${address.zip}`];
    if (keys.some((key) => taken.has(key))) continue;
    for (const key of keys) taken.add(key);
    const methods = pickWallet(random).map((source) => inventMethod(random, source, nextId));
    const fourDigits = methods.map((method) =>
      method.source === 'credit_card' ? method.last_four : method.id,
    );
    if (new Set(fourDigits).size < methods.length) continue;
    users.push({
      user_id: userId,
      name,
      address,
      email,
      payment_methods: Object.fromEntries(methods.map((method) => [method.id, method])),
      orders: [],
    });
  }
  return users;
}
