import { z } from 'zod';

const text = z.string().max(2000);
const addressSchema = z.object({
  address1: text,
  address2: text,
  city: text,
  state: text,
  country: text,
  zip: text,
});

const methodSchema = z.object({
  source: text,
  id: text,
  brand: text.optional(),
  last_four: text.optional(),
  balance: z.number().optional(),
});
export type SeenMethod = z.infer<typeof methodSchema>;

const userSchema = z.object({
  address: addressSchema,
  email: text,
  payment_methods: z.record(z.string(), methodSchema),
});
export type SeenUser = z.infer<typeof userSchema>;

const options = z.record(z.string(), z.string());
const itemSchema = z.object({
  name: text,
  product_id: text,
  item_id: text,
  price: z.number(),
  options,
});
export type SeenItem = z.infer<typeof itemSchema>;

const orderSchema = z.object({
  order_id: text,
  user_id: text,
  address: addressSchema,
  status: text,
  items: z.array(itemSchema).max(200),
  payment_history: z.array(z.object({ payment_method_id: text, amount: z.number() })).max(100),
});
export type SeenOrder = z.infer<typeof orderSchema>;

const variantSchema = z.object({ item_id: text, options, available: z.boolean(), price: z.number() });
const productSchema = z.object({
  name: text,
  product_id: text,
  variants: z.record(z.string(), variantSchema),
});
export type SeenProduct = z.infer<typeof productSchema>;

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

/** What the agent has read through tools so far: the only source of its words. Results it cannot read are skipped. */
export class SeenWorld {
  readonly users = new Map<string, SeenUser>();
  readonly orders = new Map<string, SeenOrder>();
  readonly products = new Map<string, SeenProduct>();

  learn(name: string, args: Readonly<Record<string, unknown>>, content: string): void {
    const json = parseJson(content);
    if (name === 'get_user_details') {
      const user = userSchema.safeParse(json);
      if (user.success && typeof args.user_id === 'string') this.users.set(args.user_id, user.data);
    } else if (name === 'get_product_details') {
      const product = productSchema.safeParse(json);
      if (product.success) this.products.set(product.data.product_id, product.data);
    } else {
      const order = orderSchema.safeParse(json);
      if (order.success) this.orders.set(order.data.order_id, order.data);
    }
  }

  /** An item as an order or a product page shows it. */
  item(itemId: string): SeenItem | null {
    for (const product of this.products.values()) {
      const variant = Object.values(product.variants).find(({ item_id }) => item_id === itemId);
      if (variant !== undefined) return { name: product.name, product_id: product.product_id, ...variant };
    }
    for (const order of this.orders.values()) {
      const item = order.items.find(({ item_id }) => item_id === itemId);
      if (item !== undefined) return item;
    }
    return null;
  }

  method(methodId: string): SeenMethod | null {
    for (const user of this.users.values()) {
      const method = user.payment_methods[methodId];
      if (method !== undefined) return method;
    }
    return null;
  }
}
