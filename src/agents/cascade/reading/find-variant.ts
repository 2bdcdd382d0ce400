import type { Item, Options, Product, Variant } from '../shop.js';
import { findWords, words } from './words.js';

export type FoundVariant =
  | { readonly kind: 'variant'; readonly variant: Variant }
  /** Named, but not to be had. */
  | { readonly kind: 'gone'; readonly options: Options }
  | { readonly kind: 'unknown' };

const CHEAPEST = /\b(?:cheapest|lowest price|least expensive)\b/;
const DEAREST = /\b(?:most expensive|dearest|highest price)\b/;
const FALLBACK = /\bif (?:that|it|this)(?: one)? is (?:not in stock|not available|out of stock|sold out)\b/;

/** The part of a text of `words` that is about one thing, up to the next thing that is named. */
export function partAbout(text: string, name: string, others: readonly string[]): string {
  const starts = others
    .flatMap((other) => (other === name ? [] : findWords(text, other)))
    .map(({ start }) => start);
  const own = findWords(text, name);
  if (own.length === 0) return starts.length === 0 ? text : '';
  return own
    .map(({ end }) => text.slice(end, Math.min(text.length, ...starts.filter((start) => start >= end))))
    .join(' ');
}

/** Options named in a text of `words`: "color white" before a bare "white", longer values before shorter ones. */
export function optionsIn(text: string, product: Product): Record<string, string> {
  const values = new Map<string, Set<string>>();
  for (const { options } of Object.values(product.variants))
    for (const [key, value] of Object.entries(options))
      values.set(key, (values.get(key) ?? new Set()).add(value));
  const found: Record<string, string> = {};
  let rest = text;
  const take = (key: string, value: string, phrase: string): void => {
    const [place] = findWords(rest, phrase);
    if (place === undefined || found[key] !== undefined) return;
    found[key] = value;
    rest = `${rest.slice(0, place.start)}${'*'.repeat(place.end - place.start)}${rest.slice(place.end)}`;
  };
  const pairs = [...values]
    .flatMap(([key, set]) => [...set].map((value) => ({ key, value })))
    .toSorted((a, b) => b.value.length - a.value.length);
  for (const { key, value } of pairs) take(key, value, `${key} ${value}`);
  for (const { key, value } of pairs) take(key, value, value);
  return found;
}

function withOptions(product: Product, wanted: Options): Variant | undefined {
  return Object.values(product.variants).find(({ options }) =>
    Object.entries(wanted).every(([key, value]) => options[key] === value),
  );
}

/** Which variant shall take an item's place, from the words about it. */
export function findVariant(text: string, item: Item, product: Product): FoundVariant {
  const [first = '', fallback] = text.split(FALLBACK);
  const named = optionsIn(first, product);
  if (CHEAPEST.test(first) || DEAREST.test(first)) {
    const cheapest = CHEAPEST.test(first);
    const [best] = Object.values(product.variants)
      .filter(
        ({ available, options }) =>
          available && Object.entries(named).every(([key, value]) => options[key] === value),
      )
      .toSorted((a, b) => (cheapest ? a.price - b.price : b.price - a.price));
    return best === undefined ? { kind: 'gone', options: named } : { kind: 'variant', variant: best };
  }
  if (Object.keys(named).length === 0) return { kind: 'unknown' };
  const wanted = { ...item.options, ...named };
  const variant = withOptions(product, wanted);
  if (variant?.available === true) return { kind: 'variant', variant };
  const second = fallback === undefined ? {} : optionsIn(fallback, product);
  if (Object.keys(second).length > 0) {
    const other = withOptions(product, { ...wanted, ...second });
    if (other?.available === true) return { kind: 'variant', variant: other };
  }
  return { kind: 'gone', options: wanted };
}

/** "color white, size large" */
export function optionList(options: Options): string {
  return Object.entries(options)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}

/** Does a text speak of another kind of product than the item is? */
export function wantsOtherProduct(text: string): boolean {
  return /\bdifferent product\b|\bin its place\b|\bany version\b/.test(words(text));
}
