const DIGITS: Readonly<Record<string, number>> = Object.fromEntries(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, value]),
);
const TENS: Readonly<Record<string, number>> = Object.fromEntries(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, place) => [word, (place + 2) * 10]),
);
const SCALES: Readonly<Record<string, number>> = { hundred: 100, thousand: 1000 };
const OH = 'oh';
/** "One" before these is a number; else it stands for a thing: "one more thing", "the one with". */
const COUNTED = /^(?:liters?|terabytes?|gigabytes?|inch(?:es)?|foot|feet|cups?|pounds?|hours?|people)$/;

const isNumber = (word: string): boolean => word in DIGITS || word in TENS || word in SCALES;

/** "one hundred twenty eight" → 128 */
function cardinal(run: readonly string[]): string {
  let total = 0;
  let part = 0;
  for (const word of run) {
    const scale = SCALES[word];
    if (scale === 1000) {
      total += Math.max(part, 1) * 1000;
      part = 0;
    } else if (scale === 100) part = Math.max(part, 1) * 100;
    else part += DIGITS[word] ?? TENS[word] ?? 0;
  }
  return String(total + part);
}

/** "nine sixty nine" → 969, "nine one seven two" → 9172: what was said one after the other stands side by side. */
function sideBySide(run: readonly string[]): string {
  let text = '';
  for (let at = 0; at < run.length; at += 1) {
    const word = run[at] ?? '';
    const ten = TENS[word];
    const next = DIGITS[run[at + 1] ?? ''];
    if (word === OH) text += '0';
    else if (ten === undefined) text += String(DIGITS[word] ?? '');
    else if (next !== undefined && next > 0 && next < 10) {
      text += String(ten + next);
      at += 1;
    } else text += String(ten);
  }
  return text;
}

/** Number words of a text as digits; "point" between numbers is a decimal point. */
export function writeNumbers(text: string): string {
  const out: string[] = [];
  const words = text.split(' ');
  for (let at = 0; at < words.length; ) {
    const run: string[] = [];
    while (at < words.length && (isNumber(words[at] ?? '') || (words[at] === OH && run.length > 0))) {
      run.push(words[at] ?? '');
      at += 1;
    }
    if (run.length === 1 && run[0] === 'one' && !COUNTED.test(words[at] ?? '')) out.push('one');
    else if (run.length > 0) out.push(run.some((word) => word in SCALES) ? cardinal(run) : sideBySide(run));
    else {
      out.push(words[at] ?? '');
      at += 1;
    }
  }
  return out.join(' ').replace(/(\d) point (\d)/g, '$1.$2');
}
