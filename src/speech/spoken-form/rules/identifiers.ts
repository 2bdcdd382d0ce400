import { sayWordWithDigits } from '../letters.js';
import { sayDigits } from '../numbers.js';
import { group, type SpokenRule } from '../spoken-rule.js';

const PAYMENT_METHODS: Readonly<Record<string, string>> = {
  gift_card: 'gift card',
  credit_card: 'credit card',
  debit_card: 'debit card',
  paypal: 'paypal',
};

/** Names with underscores: payment methods, users, and the words of data. */
export const IDENTIFIERS: readonly SpokenRule[] = [
  {
    // "gift_card_1234567" → "gift card, one two three four five six seven"
    name: 'payment method id',
    pattern: /(gift_card|credit_card|debit_card|paypal)_(\d+)\b/iy,
    say: (match) => `${PAYMENT_METHODS[group(match, 1).toLowerCase()]}, ${sayDigits(group(match, 2))}`,
  },
  {
    // "yusuf_rossi_9620" → "yusuf underscore rossi underscore nine six two zero"
    name: 'user id',
    pattern: /[A-Za-z]{1,40}(?:_[A-Za-z0-9]{1,40}){0,5}_(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{1,40}\b/y,
    say: (match) => match[0].split('_').map(sayWordWithDigits).join(' underscore '),
  },
  {
    // "gift_card" → "gift card": an underscore between words is only how data is written.
    name: 'words joined by underscores',
    pattern: /[A-Za-z]{1,40}(?:_{1,2}[A-Za-z]{1,40}){1,9}\b/y,
    say: (match) => match[0].replace(/_+/g, ' '),
  },
  {
    // "ending in 1234", "last four digits are 1234", "**** 1234"
    name: 'end of a card number',
    pattern:
      /((?:ending|ends) (?:in|with)|last (?:four|4)(?: digits)?(?: of [a-z ]{1,20})?(?: (?:is|are))?:?|[*x]{2,}[- ]?)(\s*)(\d{4})\b/iy,
    say: (match) =>
      `${group(match, 1).replace(/[*-]/g, '').replace(/^x+/i, '').replace('4', 'four')} ${sayDigits(group(match, 3))}`,
  },
];
