import { sayDigits } from '../numbers.js';
import { group, type SpokenRule } from '../spoken-rule.js';

/** "#W2378156" → "W, two three seven eight one five six". */
export const ORDER_IDS: readonly SpokenRule[] = [
  {
    name: 'order id',
    pattern: /#W(\d+)\b|W(\d{5,})\b/iy,
    say: (match) => `W, ${sayDigits(group(match, 1) || group(match, 2))}`,
  },
];
