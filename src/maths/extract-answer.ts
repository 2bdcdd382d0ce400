/** What a model's text gives as its answer. `none`: nothing to go by; `other`: something that is no whole number. */
export type ExtractedAnswer =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'other'; readonly text: string }
  | { readonly kind: 'none' };

const BOX = /\\f?boxed\s*\{/g;
const MAX_TEXT = 1_000_000;

/** Content of the last \boxed{…} that is closed; braces may nest. */
function lastBox(text: string): string | null {
  let found: string | null = null;
  for (const match of text.matchAll(BOX)) {
    const start = match.index + match[0].length;
    let depth = 1;
    let at = start;
    for (; at < text.length && depth > 0; at += 1) {
      if (text[at] === '\\') at += 1;
      else if (text[at] === '{') depth += 1;
      else if (text[at] === '}') depth -= 1;
    }
    if (depth === 0) found = text.slice(start, at - 1);
  }
  return found;
}

/** Whether the text holds an answer in a box, be it a whole number or not. */
export function hasBox(text: string): boolean {
  return lastBox(text.slice(-MAX_TEXT)) !== null;
}

/** LaTeX and typography that changes no number. */
function plain(text: string): string {
  return text
    .replace(/[\u2212\u2013\uFE63\uFF0D]/g, '-')
    .replace(/\\(?:text|mathrm|mathbf|textbf|mbox|operatorname)\s*\{([^{}]*)\}/g, ' $1 ')
    .replace(/(\d)\s*(?:\{,\}|\\[,;!:]|\\ |~|\u00A0|\u202F)\s*(?=\d{3}(?!\d))/g, '$1')
    .replace(/\\(?:left|right|displaystyle)|[$]|\\[!,;: ]/g, ' ')
    .replace(/\\%|%/g, ' ');
}

// A number with or without thousands commas; a full stop that ends a sentence is no decimal point.
const NUMBER = /(?<![\w.,/^])[-+]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d/^]|,\d)/g;

function toInteger(number: string): bigint | null {
  const compact = number.replace(/[,\s+]/g, '');
  const [whole = '', fraction = ''] = compact.split('.');
  if (/[1-9]/.test(fraction)) return null;
  return (
    BigInt(whole === '-' ? '0' : whole.startsWith('-') ? whole.slice(1) : whole) *
    (whole.startsWith('-') ? -1n : 1n)
  );
}

function numbersIn(text: string): (bigint | null)[] {
  return [...text.matchAll(NUMBER)].map(([number]) => toInteger(number));
}

/**
 * The answer in a model's text: what the last closed box holds, else the last number of the text. A box counts even when it
 * holds no whole number: who boxes 3/4 has not answered with the 4. Inside a box the number after the last "=" counts, and
 * words beside one number are its unit.
 */
export function extractAnswer(text: string): ExtractedAnswer {
  const shown = text.slice(-MAX_TEXT);
  const box = lastBox(shown);
  if (box === null) {
    const last = numbersIn(plain(shown)).at(-1);
    if (last === undefined) return { kind: 'none' };
    return last === null
      ? { kind: 'other', text: 'a number that is not whole' }
      : { kind: 'integer', value: last };
  }
  const content = plain(box);
  const right = content.slice(content.lastIndexOf('=') + 1);
  const numbers = numbersIn(right);
  const [only] = numbers;
  const isPlain =
    numbers.length === 1 && only !== null && only !== undefined && !/\\|\^|\/|!|\d\s*[x*]\s*\d/.test(right);
  return isPlain ? { kind: 'integer', value: only } : { kind: 'other', text: box.slice(0, 200) };
}

/** 1 when the text's answer is this whole number, else 0. */
export function verifyAnswer(text: string, answer: bigint): 0 | 1 {
  const found = extractAnswer(text);
  return found.kind === 'integer' && found.value === answer ? 1 : 0;
}
