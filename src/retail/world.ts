/**
 * The retail database, in tau-bench's schema (three maps). Money is dollars with at most two decimals in JSON;
 * all arithmetic on it is done in whole cents. A World is immutable and shared: see `WorldSession` for changes.
 */
export interface Address {
  readonly address1: string;
  readonly address2: string;
  readonly city: string;
  readonly country: string;
  readonly state: string;
  readonly zip: string;
}
export type PaymentMethod =
  | {
      readonly source: 'credit_card';
      readonly id: string;
      readonly brand: string;
      readonly last_four: string;
    }
  | { readonly source: 'paypal'; readonly id: string }
  | { readonly source: 'gift_card'; readonly id: string; readonly balance: number };
export interface User {
  /** Absent in tau-bench v1 data, where the map's key is the id. */
  readonly user_id?: string;
  readonly name: { readonly first_name: string; readonly last_name: string };
  readonly address: Address;
  readonly email: string;
  readonly payment_methods: Readonly<Record<string, PaymentMethod>>;
  readonly orders: readonly string[];
}
export type Options = Readonly<Record<string, string>>;
export interface Variant {
  readonly item_id: string;
  readonly options: Options;
  readonly available: boolean;
  readonly price: number;
}
export interface Product {
  readonly name: string;
  readonly product_id: string;
  readonly variants: Readonly<Record<string, Variant>>;
}
export interface OrderItem {
  readonly name: string;
  readonly product_id: string;
  readonly item_id: string;
  readonly price: number;
  readonly options: Options;
}
export interface PaymentEntry {
  readonly transaction_type: 'payment' | 'refund';
  readonly amount: number;
  readonly payment_method_id: string;
}
export interface Order {
  readonly order_id: string;
  readonly user_id: string;
  readonly address: Address;
  readonly items: readonly OrderItem[];
  readonly status: string;
  readonly fulfillments: readonly {
    readonly tracking_id: readonly string[];
    readonly item_ids: readonly string[];
  }[];
  readonly payment_history: readonly PaymentEntry[];
  readonly cancel_reason?: string;
  readonly exchange_items?: readonly string[];
  readonly exchange_new_items?: readonly string[];
  readonly exchange_payment_method_id?: string;
  readonly exchange_price_difference?: number;
  readonly return_items?: readonly string[];
  readonly return_payment_method_id?: string;
}
export interface World {
  readonly users: ReadonlyMap<string, User>;
  readonly products: ReadonlyMap<string, Product>;
  readonly orders: ReadonlyMap<string, Order>;
}

/** How tools behave: `tau1` and `tau2` as the reference implementations were recorded, `parlor` with their quirks mended. */
export type RuleSet = 'parlor' | 'tau1' | 'tau2';
