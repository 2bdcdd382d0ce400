import { createDomain, createWorld, type RetailDomain, type Task } from '../../../src/retail/index.js';

const address = {
  ...{ address1: '1 Elm Street', address2: '', city: 'Salem', country: 'USA', state: 'OR', zip: '97301' },
};
const lamp = { name: 'Lamp', product_id: '9000000001', options: { colour: 'green' } };

/** What only the task knows: none of it may cross the wire unless a tool or the customer says it. */
export const SECRETS = {
  instruction: 'SECRET-INSTRUCTION: you are Ada Moss and you want order #W0000001 gone.',
  unsaidFact: 'SECRET-FACT: I no longer need it.',
  unreadItem: '7777777777',
  communicate: 'SECRET-AMOUNT 12.50',
};

const cancelTask: Task = {
  id: 'cancel-lamp',
  splits: ['test'],
  instruction: SECRETS.instruction,
  scenario: {
    identity: { firstName: 'Ada', lastName: 'Moss', zip: '97301', email: null },
    style: 'plain',
    requests: [
      {
        ...{ id: 'r1', goal: 'cancel_order', say: 'I want to cancel my lamp.', raised: 'opening' },
        facts: [{ slot: 'reason', say: SECRETS.unsaidFact }],
        ...{ about: ['#W0000001'], mismatches: [], expected: 'done' },
      },
    ],
  },
  groundTruth: [
    { name: 'get_item_details', arguments: { item_id: SECRETS.unreadItem } },
    { name: 'cancel_pending_order', arguments: { order_id: '#W0000001', reason: 'no longer needed' } },
  ],
  communicate: [SECRETS.communicate],
  assertions: [],
  rewardBasis: ['DB'],
  tags: [],
};

/** One customer, one product, two pending orders, one task. */
export function smallDomain(): RetailDomain {
  const order = (id: string) => ({
    ...{ order_id: id, user_id: 'ada_moss_1', address, status: 'pending', fulfillments: [] },
    items: [{ ...lamp, item_id: '8000000001', price: 12.5 }],
    payment_history: [{ transaction_type: 'payment', amount: 12.5, payment_method_id: 'paypal_1' }],
  });
  const world = createWorld(
    {
      users: {
        ada_moss_1: {
          ...{ user_id: 'ada_moss_1', name: { first_name: 'Ada', last_name: 'Moss' }, address },
          email: 'ada.moss@example.com',
          payment_methods: { paypal_1: { source: 'paypal', id: 'paypal_1' } },
          orders: ['#W0000001', '#W0000002'],
        },
      },
      products: {
        '9000000001': {
          ...{ name: 'Lamp', product_id: '9000000001' },
          variants: {
            '8000000001': {
              ...{ item_id: '8000000001', options: lamp.options, available: true, price: 12.5 },
            },
          },
        },
      },
      orders: { '#W0000001': order('#W0000001'), '#W0000002': order('#W0000002') },
    },
    'small world',
  );
  return createDomain({
    ...{ source: 'parlor', label: 'small world', world, rules: 'parlor', policy: 'Be kind.' },
    tasks: [cancelTask, { ...cancelTask, id: 'cancel-lamp-too' }],
  });
}
