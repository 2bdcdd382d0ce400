import { toCents } from '../../../money.js';
import type { Order, OrderItem, Product, Variant } from '../../../world.js';
import type { PlanContext } from '../request-plan.js';
import { oneWord, optionWords, spokenName } from '../wording.js';

/** What one item shall become, and how the customer says so. Exactly one variant in stock answers to it. */
export interface VariantWish {
  readonly item: OrderItem;
  readonly product: Product;
  readonly target: Variant;
  /** Options that the customer names. */
  readonly keys: readonly string[];
  /** "with color white and everything else the same". */
  readonly words: string;
  readonly tags: readonly string[];
}

function changedKeys(item: OrderItem, target: Variant): string[] {
  return Object.keys(target.options).filter((key) => target.options[key] !== item.options[key]);
}

function inStock(product: Product): Variant[] {
  return Object.values(product.variants).filter((variant) => variant.available);
}

function specifiedWords(item: OrderItem, target: Variant): string {
  const keys = changedKeys(item, target);
  const rest = keys.length < Object.keys(target.options).length ? ', everything else the same' : '';
  return `with ${optionWords(target.options, keys)}${rest}`;
}

/** Another variant in stock, by the options that differ from the item's; one or two where there is such a variant. */
export function wishSpecified(context: PlanContext, item: OrderItem): VariantWish | null {
  const product = context.world.products.get(item.product_id);
  if (product === undefined) return null;
  const others = context.random.shuffle(inStock(product)).filter(({ item_id }) => item_id !== item.item_id);
  const target = others.find((variant) => changedKeys(item, variant).length <= 2) ?? others[0];
  if (target === undefined) return null;
  return {
    item,
    product,
    target,
    keys: changedKeys(item, target),
    words: specifiedWords(item, target),
    tags: [],
  };
}

/** The same wish with every option named: after a change of mind, "the same" could be heard as the same as the first wish. */
export function inFull(wish: VariantWish): VariantWish {
  const keys = Object.keys(wish.target.options);
  return { ...wish, keys, words: `with ${optionWords(wish.target.options, keys)}` };
}

/** The cheapest or dearest variant in stock that keeps one option of the item: one variant, not the item's own. */
export function wishExtreme(context: PlanContext, item: OrderItem): VariantWish | null {
  const { random, world } = context;
  const product = world.products.get(item.product_id);
  if (product === undefined) return null;
  const key = random.pick(Object.keys(item.options));
  const kept = inStock(product).filter((variant) => variant.options[key] === item.options[key]);
  const cheapest = random.chance(0.7);
  const sorted = kept.toSorted((a, b) => (cheapest ? 1 : -1) * (toCents(a.price) - toCents(b.price)));
  const [target, next] = sorted;
  if (target === undefined || next === undefined) return null;
  if (toCents(target.price) === toCents(next.price) || target.item_id === item.item_id) return null;
  return {
    item,
    product,
    target,
    keys: [key],
    words: `${cheapest ? 'the cheapest' : 'the most expensive'} one you have in stock with ${optionWords(item.options, [key])}`,
    tags: [cheapest ? 'cheapest' : 'dearest', 'look-up'],
  };
}

/** A variant that is not to be had, and what the customer takes instead. */
export function wishWithFallback(context: PlanContext, item: OrderItem): VariantWish | null {
  const wish = wishSpecified(context, item);
  if (wish === null) return null;
  const { product, target } = wish;
  const gone = context.random.shuffle(Object.values(product.variants)).find((variant) => {
    const differing = Object.keys(variant.options).filter(
      (key) => variant.options[key] !== target.options[key],
    );
    return (
      !variant.available &&
      variant.item_id !== item.item_id &&
      differing.length === 1 &&
      differing.every((key) => variant.options[key] !== item.options[key])
    );
  });
  if (gone === undefined) return null;
  const [key = ''] = Object.keys(gone.options).filter(
    (option) => gone.options[option] !== target.options[option],
  );
  const fallback =
    target.options[key] === item.options[key]
      ? `keep ${optionWords(target.options, [key])}`
      : `take ${optionWords(target.options, [key])} instead`;
  return {
    ...wish,
    keys: [...new Set([...wish.keys, key])],
    words: `${specifiedWords(item, gone)}. If that is not in stock, ${fallback}`,
    tags: ['fallback', 'look-up'],
  };
}

/** "the desk lamp with color white"; several in a row. */
export function wishWords(wishes: readonly VariantWish[]): string {
  return wishes
    .map(
      ({ item, words }) =>
        `the ${spokenName(item.name)} for ${words.startsWith('with ') ? `${oneWord(item.name)} ` : ''}${words}`,
    )
    .join('; and ');
}

/** Items whose product occurs once in the order, so that its name says which item is meant. */
export function singleItems(order: Order): OrderItem[] {
  return order.items.filter((item) => order.items.filter((other) => other.name === item.name).length === 1);
}
