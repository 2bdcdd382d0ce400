import { z } from 'zod';

/** What the tools tell, as far as the dialogue uses it. Anything else in a result is left aside. */
const optionsSchema = z.record(z.string(), z.string());
const addressSchema = z.object({
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
});
const methodSchema = z.object({
  id: z.string(),
  source: z.enum(['credit_card', 'paypal', 'gift_card']),
  brand: z.string().optional(),
  last_four: z.string().optional(),
  balance: z.number().optional(),
});
const userSchema = z.object({
  user_id: z.string(),
  address: addressSchema,
  payment_methods: z.record(z.string(), methodSchema),
  orders: z.array(z.string()),
});
const itemSchema = z.object({
  name: z.string(),
  product_id: z.string(),
  item_id: z.string(),
  price: z.number(),
  options: optionsSchema,
});
const orderSchema = z.object({
  order_id: z.string(),
  status: z.string(),
  address: addressSchema,
  items: z.array(itemSchema),
  fulfillments: z.array(z.object({ tracking_id: z.array(z.string()) })),
  payment_history: z.array(
    z.object({ transaction_type: z.string(), amount: z.number(), payment_method_id: z.string() }),
  ),
});
const variantSchema = z.object({
  item_id: z.string(),
  options: optionsSchema,
  available: z.boolean(),
  price: z.number(),
});
const productSchema = z.object({
  name: z.string(),
  product_id: z.string(),
  variants: z.record(z.string(), variantSchema),
});
const typesSchema = z.record(z.string(), z.string());

export type Options = z.infer<typeof optionsSchema>;
export type Address = z.infer<typeof addressSchema>;
export type Method = z.infer<typeof methodSchema>;
export type User = z.infer<typeof userSchema>;
export type Item = z.infer<typeof itemSchema>;
export type Order = z.infer<typeof orderSchema>;
export type Variant = z.infer<typeof variantSchema>;
export type Product = z.infer<typeof productSchema>;

/** Null for what cannot be read: the tool said something else than expected. */
function parsed<T>(schema: z.ZodType<T>, content: string): T | null {
  try {
    return schema.parse(JSON.parse(content));
  } catch {
    return null;
  }
}

/** The address among a call's arguments, if they hold one. */
export function readAddress(args: Readonly<Record<string, unknown>>): Address | null {
  return addressSchema.safeParse(args).data ?? null;
}

/** Everything that the tools have told in this call. */
export class Shop {
  user: User | null = null;
  readonly orders = new Map<string, Order>();
  readonly products = new Map<string, Product>();
  /** Name to product id; null until it was looked up. */
  types: ReadonlyMap<string, string> | null = null;

  /** Takes note of a result, whichever tool gave it. */
  learn(tool: string, content: string): void {
    if (tool === 'list_all_product_types')
      this.types = new Map(Object.entries(parsed(typesSchema, content) ?? {}));
    else if (tool === 'get_product_details') {
      const product = parsed(productSchema, content);
      if (product !== null) this.products.set(product.product_id, product);
    } else if (tool === 'get_user_details' || tool === 'modify_user_address')
      this.user = parsed(userSchema, content) ?? this.user;
    else if (tool.includes('order')) {
      const order = parsed(orderSchema, content);
      if (order !== null) this.orders.set(order.order_id, order);
    }
  }

  /** The customer's orders in the order of the profile. */
  get list(): Order[] {
    return (this.user?.orders ?? []).flatMap((id) => this.orders.get(id) ?? []);
  }

  get methods(): Method[] {
    return Object.values(this.user?.payment_methods ?? {});
  }
}

/** The method an order was paid with. */
export function paidWith(order: Order): string {
  return (
    order.payment_history.findLast(({ transaction_type: type }) => type === 'payment')?.payment_method_id ??
    ''
  );
}

/** What was paid for an order: its items at the prices of the day. In dollars. */
export function orderTotal(order: Order): number {
  return sum(order.items.map(({ price }) => price));
}

/** Adds dollars without the dust of binary fractions. */
export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + Math.round(amount * 100), 0) / 100;
}
