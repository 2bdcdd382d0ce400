import { NUMBER, sayCardinal, sayDecimal, sayDigitGroups, sayOrdinal, sayYear } from '../numbers.js';
import { group, type SpokenRule } from '../spoken-rule.js';

const FRACTIONS: Readonly<Record<string, string>> = {
  '1/2': 'one half',
  '1/3': 'one third',
  '2/3': 'two thirds',
  '1/4': 'one quarter',
  '3/4': 'three quarters',
};
/** Numbers with letters or a slash that belong to them; they come before words made of letters and digits. */
export const ORDINALS: readonly SpokenRule[] = [
  { name: 'ordinal', pattern: /(\d+)(?:st|nd|rd|th)\b/iy, say: (match) => sayOrdinal(group(match, 1)) },
  {
    name: 'decade',
    pattern: /((?:19|20)\d0)s\b/y,
    say: (match) => `${sayYear(group(match, 1)).replace(/y$/, 'ie')}s`,
  },
  {
    name: 'fraction',
    pattern: /(?:(\d+) )?([123]\/[234])\b(?!\/)/y,
    say: (match) => {
      const fraction = FRACTIONS[group(match, 2)];
      if (fraction === undefined) return null;
      return match[1] === undefined
        ? fraction
        : `${sayCardinal(match[1])} and ${fraction.replace(/^one /, 'a ')}`;
    },
  },
];

/** Codes, ranges, and at last any number at all. */
export const PLAIN_NUMBERS: readonly SpokenRule[] = [
  {
    // "#5" → "number five"
    name: 'number sign',
    pattern: /(?:# ?|\bNo\. ?)(\d+)\b/y,
    say: (match) => {
      const digits = group(match, 1);
      return `number ${digits.length > 3 ? sayDigitGroups(digits) : sayCardinal(digits)}`;
    },
  },
  {
    // "1151293680" → in groups: an item or product id
    name: 'long number',
    pattern: /(\d{6,})\b(?![.,]\d)/y,
    say: (match) => sayDigitGroups(group(match, 1)),
  },
  {
    name: 'year',
    pattern: /((?:in|since|from|of|until|by|year) )((?:19|20)\d\d)\b(?![.,:]?\d|%)/iy,
    say: (match) => `${group(match, 1)}${sayYear(group(match, 2))}`,
  },
  {
    // "2.0.1" → "two point zero point one"
    name: 'version',
    pattern: /\d+(?:\.\d+){2,}/y,
    say: (match) => match[0].split('.').map(sayCardinal).join(' point '),
  },
  {
    name: 'range',
    pattern: new RegExp(String.raw`${NUMBER}\s?-\s?${NUMBER}(?![-\d])`, 'y'),
    say: (match) => `${sayDecimal(group(match, 1))} to ${sayDecimal(group(match, 2))}`,
  },
  {
    name: 'negative number',
    pattern: new RegExp(`(?<![A-Za-z0-9)] ?)-${NUMBER}`, 'y'),
    say: (match) => `minus ${sayDecimal(group(match, 1))}`,
  },
  { name: 'number', pattern: new RegExp(NUMBER, 'y'), say: (match) => sayDecimal(group(match, 1)) },
];
