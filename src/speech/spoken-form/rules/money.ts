import { sayCardinal, sayDecimal } from '../numbers.js';
import { group, type SpokenRule } from '../spoken-rule.js';

const CURRENCIES: Readonly<Record<string, readonly [string, string, string, string]>> = {
  $: ['dollar', 'dollars', 'cent', 'cents'],
  USD: ['dollar', 'dollars', 'cent', 'cents'],
  EUR: ['euro', 'euros', 'cent', 'cents'],
  GBP: ['pound', 'pounds', 'penny', 'pence'],
};

const SCALES: Readonly<Record<string, string>> = { k: 'thousand', m: 'million', b: 'billion' };

/** "1,234.50" dollars → "one thousand two hundred thirty four dollars and fifty cents". */
function sayAmount(amount: string, currency: string): string {
  const [one, many, oneCent, manyCents] = CURRENCIES[currency.toUpperCase()] ??
    CURRENCIES.$ ?? ['', '', '', ''];
  const [whole = '', fraction = ''] = amount.replaceAll(',', '').split('.');
  if (fraction.length > 2) return `${sayDecimal(amount)} ${many}`;
  const units = whole.replace(/^0+(?=\d)/, '') || '0';
  const cents = fraction.padEnd(2, '0').replace(/^0/, '');
  const spokenUnits = `${sayCardinal(units)} ${units === '1' ? one : many}`;
  if (cents === '0') return spokenUnits;
  const spokenCents = `${sayCardinal(cents)} ${cents === '1' ? oneCent : manyCents}`;
  return units === '0' ? spokenCents : `${spokenUnits} and ${spokenCents}`;
}

const AMOUNT = String.raw`(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d{1,2})`;

export const MONEY: readonly SpokenRule[] = [
  {
    // "$1.5 million" → "one point five million dollars", "$2k" → "two thousand dollars"
    name: 'large amount of money',
    pattern: new RegExp(
      String.raw`(\$|USD |EUR |GBP )\s?${AMOUNT}(?:\s?(thousand|million|billion)|(k|m|b))\b`,
      'iy',
    ),
    say: (match) => {
      const scale = group(match, 3).toLowerCase() || SCALES[group(match, 4).toLowerCase()];
      const [, many] = CURRENCIES[group(match, 1).trim().toUpperCase()] ?? [];
      return `${sayDecimal(group(match, 2))} ${scale} ${many}`;
    },
  },
  {
    name: 'money',
    pattern: new RegExp(String.raw`((?<![\d%] ?)-\s?)?(\$|USD |EUR |GBP )\s?(-\s?)?${AMOUNT}(?![\d])`, 'y'),
    say: (match) => {
      const minus = group(match, 1) || group(match, 3) ? 'minus ' : '';
      return `${minus}${sayAmount(group(match, 4), group(match, 2).trim())}`;
    },
  },
  {
    // "5 USD", "19.99 dollars"
    name: 'money with the currency behind',
    pattern: new RegExp(String.raw`${AMOUNT}\s?(USD|EUR|GBP|dollars?|bucks)\b`, 'iy'),
    say: (match) => {
      const [amount, currency] = [group(match, 1), group(match, 2)];
      if (/bucks/i.test(currency)) return `${sayDecimal(amount)} bucks`;
      return sayAmount(amount, currency.length === 3 ? currency : '$');
    },
  },
];
