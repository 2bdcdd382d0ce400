import { sayDigits } from '../numbers.js';
import { group, type SpokenRule } from '../spoken-rule.js';

export const PHONE_NUMBERS: readonly SpokenRule[] = [
  {
    // "(555) 123-4567" → "five five five, one two three, four five six seven"
    name: 'phone number',
    pattern: /(?:\+?(\d{1,3})[-. ])?\(?(\d{3})\)?[-. ]\s?(\d{3})[-. ](\d{4})\b(?![-\d])/y,
    say: (match) =>
      match
        .slice(1)
        .filter((part) => part !== undefined)
        .map(sayDigits)
        .join(', '),
  },
  {
    name: 'short phone number',
    pattern: /(\d{3})-(\d{4})\b(?![-\d])/y,
    say: (match) => `${sayDigits(group(match, 1))}, ${sayDigits(group(match, 2))}`,
  },
];
