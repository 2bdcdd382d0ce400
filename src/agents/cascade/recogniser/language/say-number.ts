const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** "128" → "one hundred twenty eight"; below a million. */
export function sayNumber(value: number): string {
  if (value < 20) return ONES[value] ?? '';
  if (value < 100) {
    const rest = value % 10;
    return `${TENS[Math.floor(value / 10)] ?? ''}${rest === 0 ? '' : ` ${ONES[rest] ?? ''}`}`;
  }
  const unit = value < 1000 ? 100 : 1000;
  const rest = value % unit;
  const name = unit === 100 ? 'hundred' : 'thousand';
  return `${sayNumber(Math.floor(value / unit))} ${name}${rest === 0 ? '' : ` ${sayNumber(rest)}`}`;
}

/** "9172" → "nine one seven two" */
export function sayDigits(digits: string): string {
  return [...digits].map((digit) => ONES[Number(digit)] ?? '').join(' ');
}

/** House numbers and the like in pairs: "969" → "nine sixty nine", "905" → "nine oh five". */
export function sayPairs(digits: string): string {
  if (digits.length < 3) return sayNumber(Number(digits));
  const head = digits.slice(0, -2);
  const tail = digits.slice(-2);
  if (tail === '00') return `${sayNumber(Number(head))} hundred`;
  return `${sayPairs(head)} ${tail.startsWith('0') ? `oh ${ONES[Number(tail)] ?? ''}` : sayNumber(Number(tail))}`;
}

const UNITS: Readonly<Record<string, string>> = {
  gb: 'gigabytes',
  tb: 'terabyte',
  mm: 'millimeters',
  ml: 'milliliters',
  mah: 'milliamp hours',
  xl: 'extra large',
  xxl: 'extra extra large',
  lcd: 'l c d',
  led: 'l e d',
  rgb: 'r g b',
  hd: 'h d',
  ac: 'a c',
  usb: 'u s b',
  pvc: 'p v c',
  ips: 'i p s',
  'wi-fi': 'wifi',
};

/** Data as people say it: "storage 128 GB" → "storage one hundred twenty eight gigabytes". */
export function sayWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/(\d)\.(\d)/g, '$1 point $2')
    .replace(/(\d+)(p|k)\b/g, (_, digits: string, letter: string) =>
      letter === 'p' ? `${sayPairs(digits)} p` : `${digits} k`,
    )
    .split(/[\s/]+/)
    .map((word) => UNITS[word] ?? word)
    .join(' ')
    .replace(/\d+/g, (digits) => sayNumber(Number(digits)))
    .replace(/[^a-z' ]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}
