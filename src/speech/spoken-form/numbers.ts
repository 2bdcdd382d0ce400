const ONES = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES = ['', ' thousand', ' million', ' billion', ' trillion'];
/** A number as it is written, for a pattern: "1,234.50", "3.5", ".5". One group. */
export const NUMBER = String.raw`(\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?|\.\d+)`;

/** 999 trillion; longer numbers are read digit by digit. */
const MAX_CARDINAL_DIGITS = 15;

const IRREGULAR_ORDINALS: ReadonlyMap<string, string> = new Map([
  ['one', 'first'],
  ['two', 'second'],
  ['three', 'third'],
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
]);

const word = (value: number): string => ONES[value] as string;

/** 0 to 99. */
function belowHundred(value: number): string {
  if (value < 20) return word(value);
  const rest = value % 10;
  return rest === 0 ? (TENS[value / 10] as string) : `${TENS[Math.floor(value / 10)]} ${word(rest)}`;
}

/** 0 to 999. */
function belowThousand(value: number): string {
  const rest = value % 100;
  if (value < 100) return belowHundred(value);
  const hundreds = `${word(Math.floor(value / 100))} hundred`;
  return rest === 0 ? hundreds : `${hundreds} ${belowHundred(rest)}`;
}

/** "4071" → "four zero seven one". */
export function sayDigits(digits: string): string {
  return [...digits].map((digit) => word(Number(digit))).join(' ');
}

/**
 * "1234" → "one thousand two hundred thirty four". A number that starts with a zero is a code, and one of more than 15 digits is
 * beyond words: both are read digit by digit.
 */
export function sayCardinal(digits: string): string {
  if (digits.length > MAX_CARDINAL_DIGITS || (digits.length > 1 && digits.startsWith('0')))
    return sayDigits(digits);
  if (digits === '0') return 'zero';
  const groups: string[] = [];
  for (let end = digits.length, scale = 0; end > 0; end -= 3, scale += 1) {
    const value = Number(digits.slice(Math.max(0, end - 3), end));
    if (value > 0) groups.unshift(`${belowThousand(value)}${SCALES[scale]}`);
  }
  return groups.join(' ');
}

/** "3.05" → "three point zero five"; thousands separators are allowed: "1,234" → "one thousand two hundred thirty four". */
export function sayDecimal(text: string): string {
  const [whole = '', fraction] = text.replaceAll(',', '').split('.');
  const spoken = sayCardinal(whole === '' ? '0' : whole);
  return fraction === undefined ? spoken : `${spoken} point ${sayDigits(fraction)}`;
}

/** "21" → "twenty first". */
export function sayOrdinal(digits: string): string {
  const words = sayCardinal(digits).split(' ');
  const last = words.pop() as string;
  const ordinal =
    IRREGULAR_ORDINALS.get(last) ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return [...words, ordinal].join(' ');
}

/** The way of house numbers and years, two digits at a time: "641" → "six forty one", "2005" → "twenty oh five", "1900" → "nineteen hundred". */
export function sayPairs(digits: string): string {
  if (digits.length < 3 || digits.length > 4 || digits.startsWith('0')) {
    return digits.length > 4 ? sayDigits(digits) : sayCardinal(digits);
  }
  if (digits.endsWith('000')) return sayCardinal(digits);
  const front = belowHundred(Number(digits.slice(0, -2)));
  const back = Number(digits.slice(-2));
  if (back === 0) return `${front} hundred`;
  return `${front} ${back < 10 ? `oh ${word(back)}` : belowHundred(back)}`;
}

/** "2024" → "twenty twenty four", "2005" → "two thousand five". */
export function sayYear(digits: string): string {
  return /^200/.test(digits) ? sayCardinal(digits) : sayPairs(digits);
}

/** Sizes of the groups in which people read a long number aloud: threes, with a four or two twos at the end. */
function groupSizes(count: number): number[] {
  if (count <= 5) return [count];
  if (count % 4 === 0) return Array.from({ length: count / 4 }, () => 4);
  const sizes: number[] = [];
  let rest = count;
  while (rest > 4) {
    sizes.push(3);
    rest -= 3;
  }
  return [...sizes, rest];
}

/** A long number digit by digit, with a pause between groups: "1151293680" → "one one five, one two nine, three six eight zero". */
export function sayDigitGroups(digits: string): string {
  let at = 0;
  return groupSizes(digits.length)
    .map((size) => {
      at += size;
      return sayDigits(digits.slice(at - size, at));
    })
    .join(', ');
}
