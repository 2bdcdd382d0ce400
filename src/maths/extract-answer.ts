/** What a model's text gives as its answer. `none`: nothing to go by; `other`: something that is no whole number. */
export type ExtractedAnswer =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'other'; readonly text: string }
  | { readonly kind: 'none' };

const BOX = /\\f?boxed\s*\{/g;
const MAX_TEXT = 1_000_000;

/**
 * Content of the last \boxed{…} that is closed; braces may nest. One pass: a text of nothing but open boxes costs no more
 * than its length. A scan that begins at one box meets the brace of every later one, so one scan serves them all.
 */
function lastBox(text: string): string | null {
  const boxes = new Set<number>();
  for (const { 0: opening, index } of text.matchAll(BOX)) boxes.add(index + opening.length - 1);
  const [first] = boxes;
  if (first === undefined) return null;
  const open: number[] = [];
  let last = { brace: -1, end: -1 };
  for (let at = first; at < text.length; at += 1)
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') open.push(at);
    else if (text[at] === '}') {
      const brace = open.pop();
      if (brace !== undefined && brace > last.brace && boxes.has(brace)) last = { brace, end: at };
    }
  return last.brace < 0 ? null : text.slice(last.brace + 1, last.end);
}

/** Whether the text holds an answer in a box, be it a whole number or not. */
export function hasBox(text: string): boolean {
  return lastBox(text.slice(-MAX_TEXT)) !== null;
}

// Spaces, perhaps around one mark, between the groups of a long number. The mark is looked for afterwards, because two of the
// marks are spaces themselves: as an alternative beside \s* they would make a long run of them quadratic.
const GROUP_GAP = /(\d)\s*(?:(?:\{,\}|\\[,;!: ]|~)\s*)?(?=\d{3}(?!\d))/g;
const GAP_MARK = /[^\d\s]|[\u00A0\u202F]/;

/** LaTeX and typography that changes no number. */
function plain(text: string): string {
  return text
    .replace(/[\u2212\u2013\uFE63\uFF0D]/g, '-')
    .replace(/\\(?:text|mathrm|mathbf|textbf|mbox|operatorname)\s*\{([^{}]*)\}/g, ' $1 ')
    .replace(GROUP_GAP, (all: string, digit: string) => (GAP_MARK.test(all) ? digit : all))
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

/** How many numbers there are, counted up to two, and the last of them as it is written. */
function numbersIn(text: string): { readonly count: number; readonly last: string | null } {
  let count = 0;
  let last: string | null = null;
  for (const [number] of text.matchAll(NUMBER)) {
    count = Math.min(count + 1, 2);
    last = number;
  }
  return { count, last };
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
    const { last } = numbersIn(plain(shown));
    if (last === null) return { kind: 'none' };
    const value = toInteger(last);
    return value === null
      ? { kind: 'other', text: 'a number that is not whole' }
      : { kind: 'integer', value };
  }
  const content = plain(box);
  const right = content.slice(content.lastIndexOf('=') + 1);
  const { count, last } = numbersIn(right);
  const isOneNumber = count === 1 && last !== null && !/\\|\^|\/|!|\d\s*[x*]\s*\d/.test(right);
  const value = isOneNumber ? toInteger(last) : null;
  return value === null ? { kind: 'other', text: box.slice(0, 200) } : { kind: 'integer', value };
}

/** 1 when the text's answer is this whole number, else 0. */
export function verifyAnswer(text: string, answer: bigint): 0 | 1 {
  const found = extractAnswer(text);
  return found.kind === 'integer' && found.value === answer ? 1 : 0;
}
