import {
  createDomain,
  createWorld,
  type RetailDomain,
  type RuleSet,
  type Task,
} from '../../src/retail/index.js';

/**
 * A shop small enough to know by heart, with invented people.
 * Wilma Dorn pays with a card, a gift card of $20 and PayPal; Otto Brandt with PayPal only.
 * #W0000001 pending: mug M1 $10.00 and two lamps L1 $30.50, paid $71.00 by card.
 * #W0000002 delivered: lamp L1 $30.50 and mug M1 $10.00, paid $40.50 by card.
 * #W0000003 pending, Otto: mug M2 $12.10, paid by PayPal.   #W0000004 cancelled.
 */
const address = {
  address1: '1 Mill Lane',
  address2: '',
  city: 'Boston',
  country: 'USA',
  state: 'MA',
  zip: '02139',
};
const mug = (id: string, colour: string, price: number) => ({
  name: 'Mug',
  product_id: 'P-MUG',
  item_id: id,
  price,
  options: { colour },
});
const lamp = (id: string, height: string, price: number) => ({
  name: 'Lamp',
  product_id: 'P-LAMP',
  item_id: id,
  price,
  options: { 'height/width': height },
});
const variant = (
  { item_id, options, price }: { item_id: string; options: object; price: number },
  available = true,
) => ({
  item_id,
  options,
  price,
  available,
});
const paid = (amount: number, method: string) => ({
  transaction_type: 'payment',
  amount,
  payment_method_id: method,
});

export const smallWorldJson = {
  users: {
    wilma_dorn_1: {
      user_id: 'wilma_dorn_1',
      name: { first_name: 'Wilma', last_name: 'Dorn' },
      address,
      email: 'wilma.dorn@example.com',
      payment_methods: {
        card_1: { source: 'credit_card', id: 'card_1', brand: 'visa', last_four: '1234' },
        gift_card_1: { source: 'gift_card', id: 'gift_card_1', balance: 20 },
        paypal_1: { source: 'paypal', id: 'paypal_1' },
        card_2: { source: 'credit_card', id: 'card_2', brand: 'visa', last_four: '9876' },
      },
      orders: ['#W0000001', '#W0000002', '#W0000004'],
    },
    otto_brandt_2: {
      user_id: 'otto_brandt_2',
      name: { first_name: 'Otto', last_name: 'Brandt' },
      address: { ...address, zip: '10001' },
      email: 'otto@example.com',
      payment_methods: {
        paypal_2: { source: 'paypal', id: 'paypal_2' },
        gift_card_2: { source: 'gift_card', id: 'gift_card_2', balance: 12.1 },
      },
      orders: ['#W0000003'],
    },
  },
  products: {
    'P-MUG': {
      name: 'Mug',
      product_id: 'P-MUG',
      variants: {
        M1: variant(mug('M1', 'red', 10)),
        M2: variant(mug('M2', 'blue', 12.1)),
        M3: variant(mug('M3', 'green', 9.9), false),
        M4: variant(mug('M4', 'gold', 10)),
        A5: variant(mug('A5', 'black', 10)),
      },
    },
    'P-LAMP': {
      name: 'Lamp',
      product_id: 'P-LAMP',
      variants: {
        L1: variant(lamp('L1', 'low', 30.5)),
        L2: variant(lamp('L2', 'high', 50.6)),
        L3: variant(lamp('L3', 'middle', 30.51)),
      },
    },
  },
  orders: {
    '#W0000001': {
      order_id: '#W0000001',
      user_id: 'wilma_dorn_1',
      address,
      status: 'pending',
      fulfillments: [],
      items: [mug('M1', 'red', 10), lamp('L1', 'low', 30.5), lamp('L1', 'low', 30.5)],
      payment_history: [paid(71, 'card_1')],
    },
    '#W0000002': {
      order_id: '#W0000002',
      user_id: 'wilma_dorn_1',
      address,
      status: 'delivered',
      fulfillments: [{ tracking_id: ['123'], item_ids: ['L1', 'M1'] }],
      items: [lamp('L1', 'low', 30.5), mug('M1', 'red', 10)],
      payment_history: [paid(40.5, 'card_1')],
    },
    '#W0000003': {
      order_id: '#W0000003',
      user_id: 'otto_brandt_2',
      address,
      status: 'pending',
      fulfillments: [],
      items: [mug('M2', 'blue', 12.1)],
      payment_history: [paid(12.1, 'paypal_2')],
    },
    '#W0000004': {
      order_id: '#W0000004',
      user_id: 'wilma_dorn_1',
      address,
      status: 'cancelled',
      fulfillments: [],
      items: [mug('M1', 'red', 10)],
      payment_history: [paid(10, 'card_1'), { ...paid(10, 'card_1'), transaction_type: 'refund' }],
    },
  },
};

export const smallWorld = createWorld(smallWorldJson);

/** A task of the small world; everything left out is empty. */
export function smallTask(parts: Partial<Task>): Task {
  return {
    id: 'task',
    splits: ['test'],
    instruction: 'You are Wilma Dorn.',
    groundTruth: [],
    communicate: [],
    assertions: [],
    rewardBasis: ['DB', 'COMMUNICATE'],
    tags: [],
    ...parts,
  };
}

export function smallDomain(rules: RuleSet, tasks: readonly Task[] = []): RetailDomain {
  return createDomain({
    source: rules,
    label: `small ${rules}`,
    world: smallWorld,
    rules,
    policy: 'Be kind.',
    tasks,
  });
}
