import type { Scenario, Task, ToolCall } from '../../../src/retail/index.js';

const FIND: ToolCall = {
  name: 'find_user_id_by_name_zip',
  arguments: { first_name: 'Wilma', last_name: 'Dorn', zip: '02139' },
};

function task(
  id: string,
  requests: Scenario['requests'],
  groundTruth: ToolCall[],
  over: Partial<Task> = {},
): Task {
  return {
    ...{ id, splits: ['test'], instruction: '', userId: 'wilma_dorn_1' },
    scenario: {
      identity: { firstName: 'Wilma', lastName: 'Dorn', zip: '02139', email: null },
      style: 'plain',
      requests,
    },
    groundTruth: [FIND, ...groundTruth],
    ...{ communicate: [], assertions: [], rewardBasis: ['DB', 'COMMUNICATE'], tags: [] },
    ...over,
  };
}

const returnLamp: Scenario['requests'][number] = {
  ...{ id: 'r1', goal: 'return_items', say: 'I want to return the lamp I received.', raised: 'opening' },
  facts: [{ slot: 'payment', say: 'On my credit card, please.' }],
  about: ['#W0000002', 'lamp'],
  mismatches: [{ phrase: 'gift card', unless: ['credit card'], say: 'No, on my credit card.' }],
  expected: 'done',
};
const cancelMugs: Scenario['requests'][number] = {
  ...{ id: 'r2', goal: 'cancel_order', say: 'Please cancel order #W0000001 too.', raised: 'after_previous' },
  facts: [{ slot: 'reason', say: 'I no longer need it.' }],
  about: ['#W0000001'],
  mismatches: [],
  expected: 'done',
};

/** Return the lamp of the delivered order, then cancel the pending one. */
export const twoWrites = task(
  'two-writes',
  [returnLamp, cancelMugs],
  [
    {
      name: 'return_delivered_order_items',
      arguments: { order_id: '#W0000002', item_ids: ['L1'], payment_method_id: 'card_1' },
    },
    { name: 'cancel_pending_order', arguments: { order_id: '#W0000001', reason: 'no longer needed' } },
  ],
);

/** A bigger mug for the delivered one. */
export const exchangeMug = task(
  'exchange-mug',
  [
    {
      ...{ id: 'r1', goal: 'exchange_items', say: 'I want another mug.', raised: 'opening' },
      facts: [{ slot: 'new_options', say: 'A blue one.' }],
      ...{ about: ['#W0000002', 'mug'], mismatches: [], expected: 'done' },
    },
  ],
  [
    {
      name: 'exchange_delivered_order_items',
      arguments: {
        ...{ order_id: '#W0000002', item_ids: ['M1'], new_item_ids: ['M2'] },
        payment_method_id: 'card_1',
      },
    },
  ],
);

/** A question, and a request that policy forbids. */
export const askAndRefuse = task(
  'ask-and-refuse',
  [
    {
      ...{ id: 'r1', goal: 'ask', say: 'What did my delivered order cost?', raised: 'opening' },
      ...{ facts: [], about: ['#W0000002'], mismatches: [], expected: 'answered' },
    },
    {
      ...{ id: 'r2', goal: 'cancel_order', say: 'Then cancel it.', raised: 'after_previous' },
      ...{ facts: [], about: ['#W0000002'], mismatches: [], expected: 'refused' },
    },
  ],
  [{ name: 'get_order_details', arguments: { order_id: '#W0000002' } }],
  { communicate: ['40.50'] },
);

export const handOver = task(
  'hand-over',
  [
    {
      ...{ id: 'r1', goal: 'cancel_order', say: 'Undo the cancelling of #W0000004.', raised: 'opening' },
      ...{ facts: [], about: ['#W0000004'], mismatches: [], expected: 'transferred' },
    },
  ],
  [{ name: 'transfer_to_human_agents', arguments: { summary: 'wants a cancelled order back' } }],
);

export const shopTasks = [twoWrites, exchangeMug, askAndRefuse, handOver];
