import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

const address = {
  address1: '9 Elm',
  address2: '',
  city: 'Boston',
  country: 'USA',
  state: 'MA',
  zip: '99999',
};
const order = { order_id: '#W0000001' };

/** A call of each of the seventeen tools that succeeds, in this order, on a fresh small world under parlor rules. */
export const EVERY_TOOL: readonly (readonly [string, Record<string, unknown>])[] = [
  ['find_user_id_by_email', { email: 'otto@example.com' }],
  ['find_user_id_by_name_zip', { first_name: 'Wilma', last_name: 'Dorn', zip: '02139' }],
  ['get_user_details', { user_id: 'wilma_dorn_1' }],
  ['get_order_details', order],
  ['get_product_details', { product_id: 'P-MUG' }],
  ['get_item_details', { item_id: 'M1' }],
  ['list_all_product_types', {}],
  ['calculate', { expression: '71 - 10' }],
  ['think', { thought: 'Which mug?' }],
  ['modify_pending_order_address', { ...order, ...address }],
  ['modify_pending_order_payment', { ...order, payment_method_id: 'paypal_1' }],
  [
    'modify_pending_order_items',
    { ...order, item_ids: ['M1'], new_item_ids: ['M2'], payment_method_id: 'card_1' },
  ],
  ['modify_user_address', { user_id: 'wilma_dorn_1', ...address }],
  [
    'exchange_delivered_order_items',
    { order_id: '#W0000002', item_ids: ['M1'], new_item_ids: ['M2'], payment_method_id: 'card_1' },
  ],
  ['cancel_pending_order', { order_id: '#W0000003', reason: 'ordered by mistake' }],
  ['return_delivered_order_items', { order_id: '#W0000002', item_ids: ['M1'], payment_method_id: 'card_1' }],
  ['transfer_to_human_agents', { summary: 'wants a discount' }],
];

/** The order was exchanged before, so its return is refused. */
const REFUSED = 'return_delivered_order_items';

export async function callEveryTool(client: Client): Promise<string[]> {
  const unexpected: string[] = [];
  for (const [name, args] of EVERY_TOOL) {
    const result = await client.callTool({ name, arguments: args });
    const [content] = result.content as { type: string; text: string }[];
    const isAsExpected = (result.isError === true) === (name === REFUSED) && content?.type === 'text';
    if (!isAsExpected) unexpected.push(`${name}: ${content?.text}`);
  }
  return unexpected;
}
