import { NUMBER, sayDecimal } from '../numbers.js';
import { group, type SpokenRule } from '../spoken-rule.js';

export const PERCENTAGES: readonly SpokenRule[] = [
  {
    name: 'percentage',
    pattern: new RegExp(String.raw`(-?)${NUMBER}(?:\s?-\s?${NUMBER})?\s?%`, 'y'),
    say: (match) => {
      const upper = match[3] === undefined ? '' : ` to ${sayDecimal(match[3])}`;
      return `${match[1] ? 'minus ' : ''}${sayDecimal(group(match, 2))}${upper} percent`;
    },
  },
];
