import type { ToolCall } from '../../retail/index.js';
import type { EpisodeLine } from './episode-line.js';
import { identityCalls } from './identify.js';
import { isWrite, type OracleKnowledge } from './knowledge.js';
import { writeArguments } from './write-call.js';

/** Messages and calls kept free for the end: the write itself, its confirmation, the final message and a spare. */
const RESERVE = 6;

/** Finds the customer: by the ground truth's look-ups, else by the hints, else by way of an order's owner. */
export async function identifyCustomer(line: EpisodeLine, knowledge: OracleKnowledge): Promise<void> {
  for (const calls of identityCalls(knowledge)) {
    let found = false;
    for (const call of calls) found = (await line.call(call)).ok || found;
    if (found) return;
  }
  const orderId = knowledge.groundTruth.map((call) => writeArguments(call).order_id).find((id) => id !== '');
  if (orderId === undefined) return;
  await line.read('get_order_details', { order_id: orderId });
  const owner = line.seen.orders.get(orderId)?.user_id;
  if (owner === undefined) return;
  await line.read('get_user_details', { user_id: owner });
  const email = line.seen.users.get(owner)?.email;
  if (email !== undefined) await line.read('find_user_id_by_email', { email });
}

/** Reads that only serve the wording of a write, as far as the turns that `rest` needs allow. */
export async function readForWords(
  line: EpisodeLine,
  call: ToolCall,
  rest: readonly ToolCall[],
): Promise<void> {
  const needed = RESERVE + rest.length + rest.filter(isWrite).length;
  const read = async (name: string, args: ToolCall['arguments']): Promise<void> => {
    if (line.actionsLeft > needed) await line.read(name, args);
  };
  const { order_id, user_id, item_ids, new_item_ids } = writeArguments(call);
  if (order_id !== '') await read('get_order_details', { order_id });
  const order = line.seen.orders.get(order_id);
  const owner = order?.user_id ?? user_id;
  if (owner !== '') await read('get_user_details', { user_id: owner });
  if (new_item_ids.length === 0) return;
  const old = (order?.items ?? []).filter(({ item_id }) => item_ids.includes(item_id));
  for (const product_id of new Set(old.map((item) => item.product_id)))
    await read('get_product_details', { product_id });
}
