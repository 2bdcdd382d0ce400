import { z } from 'zod';
import type { ToolCall } from '../../retail/index.js';

/** The arguments that writes can have; what a ground truth leaves out or misspells is empty. */
const writeArgumentsSchema = z.object({
  order_id: z.string().catch(''),
  user_id: z.string().catch(''),
  reason: z.string().catch(''),
  item_ids: z.array(z.string()).catch([]),
  new_item_ids: z.array(z.string()).catch([]),
  payment_method_id: z.string().catch(''),
  address1: z.string().catch(''),
  address2: z.string().catch(''),
  city: z.string().catch(''),
  state: z.string().catch(''),
  country: z.string().catch(''),
  zip: z.string().catch(''),
});
export type WriteArguments = z.infer<typeof writeArgumentsSchema>;

export function writeArguments(call: ToolCall): WriteArguments {
  return writeArgumentsSchema.parse(call.arguments);
}
