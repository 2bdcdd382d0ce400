import { z } from 'zod';

/** The retail database as JSON, for checking files. Fields of tau-bench v1 and of tau2-bench; nothing else. */
const text = z.string();
const id = z.string().min(1);
/** No sum of money in a shop is larger; above it doubles no longer hold every cent. */
const money = z.number().min(-1e12).max(1e12);

const addressSchema = z.strictObject({
  address1: text,
  address2: text,
  city: text,
  country: text,
  state: text,
  zip: text,
});

const paymentMethodSchema = z.discriminatedUnion('source', [
  z.strictObject({ source: z.literal('credit_card'), id, brand: text, last_four: text }),
  z.strictObject({ source: z.literal('paypal'), id }),
  z.strictObject({ source: z.literal('gift_card'), id, balance: money }),
]);

const optionsSchema = z.record(z.string(), text);

const variantSchema = z.strictObject({
  item_id: id,
  options: optionsSchema,
  available: z.boolean(),
  price: money,
});

const productSchema = z.strictObject({
  name: text,
  product_id: id,
  variants: z.record(z.string(), variantSchema),
});

const userSchema = z.strictObject({
  user_id: id.optional(),
  name: z.strictObject({ first_name: text, last_name: text }),
  address: addressSchema,
  email: text,
  payment_methods: z.record(z.string(), paymentMethodSchema),
  orders: z.array(id),
});

/** A field that the source may leave out or set to null; null reads as absent. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const orderSchema = z.strictObject({
  order_id: id,
  user_id: id,
  address: addressSchema,
  items: z.array(
    z.strictObject({ name: text, product_id: id, item_id: id, price: money, options: optionsSchema }),
  ),
  status: text,
  fulfillments: z.array(z.strictObject({ tracking_id: z.array(text), item_ids: z.array(id) })),
  payment_history: z.array(
    z.strictObject({
      transaction_type: z.enum(['payment', 'refund']),
      amount: money,
      payment_method_id: id,
    }),
  ),
  cancel_reason: optional(text),
  exchange_items: optional(z.array(id)),
  exchange_new_items: optional(z.array(id)),
  exchange_payment_method_id: optional(id),
  exchange_price_difference: optional(money),
  return_items: optional(z.array(id)),
  return_payment_method_id: optional(id),
});

export const worldSchema = z.strictObject({
  users: z.record(z.string(), userSchema),
  products: z.record(z.string(), productSchema),
  orders: z.record(z.string(), orderSchema),
});
