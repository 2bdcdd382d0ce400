import type { Method, Shop } from '../shop.js';
import type { Request } from './request.js';
import { words } from './words.js';

const WORDS: readonly (readonly [RegExp, Method['source']])[] = [
  [/\bgift card\b/g, 'gift_card'],
  [/\bpay ?pal\b/g, 'paypal'],
  [/\b(?:credit card|visa|mastercard|master card)\b/g, 'credit_card'],
];

function fits(method: Method, source: Method['source'], text: string): boolean {
  if (method.source !== source) return false;
  if (source !== 'credit_card') return true;
  const ending = /\bending in (\d{4})\b/.exec(text)?.[1];
  if (ending !== undefined) return method.last_four === ending;
  const brand = /\bvisa\b/.test(text) ? 'visa' : /\bmaster ?card\b/.test(text) ? 'mastercard' : null;
  return brand === null || method.brand === brand;
}

/** Payment methods in the order in which the latest turn names them. `original`: what "that I paid with" means. */
export function findMethods(request: Request, shop: Shop, original: string): Method[] {
  for (const turn of request.turns) {
    const text = words(turn);
    const named = WORDS.flatMap(([rule, source]) =>
      [...text.matchAll(rule)].map(({ index }) => ({ index, source })),
    )
      .toSorted((a, b) => a.index - b.index)
      .flatMap(({ source }) => {
        const alike = shop.methods.filter((method) => fits(method, source, text));
        return alike.find(({ id }) => id === original) ?? alike[0] ?? [];
      });
    if (named.length > 0) return [...new Set(named)];
    if (/\b(?:original|same (?:payment )?method|paid with)\b/.test(text))
      return shop.methods.filter(({ id }) => id === original);
  }
  return [];
}

/** "gift card", "Visa credit card ending in 1234". */
export function methodName({ source, brand, last_four: lastFour }: Method): string {
  if (source === 'gift_card') return 'gift card';
  if (source === 'paypal') return 'PayPal account';
  return `${brand === 'visa' ? 'Visa' : 'Mastercard'} credit card ending in ${lastFour ?? ''}`;
}
