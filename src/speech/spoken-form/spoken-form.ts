import { foldToAscii } from './fold-to-ascii.js';
import { ADDRESSES } from './rules/addresses.js';
import { DATES } from './rules/dates.js';
import { EMAILS } from './rules/emails.js';
import { IDENTIFIERS } from './rules/identifiers.js';
import { MEASURES } from './rules/measures.js';
import { MONEY } from './rules/money.js';
import { ORDER_IDS } from './rules/order-ids.js';
import { PERCENTAGES } from './rules/percentages.js';
import { PHONE_NUMBERS } from './rules/phone-numbers.js';
import { ORDINALS, PLAIN_NUMBERS } from './rules/plain-numbers.js';
import { SIGNS } from './rules/signs.js';
import { SIZES } from './rules/sizes.js';
import { TIMES } from './rules/times.js';
import { WORDS } from './rules/words.js';
import type { SpokenRule } from './spoken-rule.js';

/** In order: the first rule that matches at a place has it, so the special comes before the general. */
const RULES: readonly SpokenRule[] = [
  ...ORDER_IDS,
  ...EMAILS,
  ...IDENTIFIERS,
  ...MONEY,
  ...DATES,
  ...TIMES,
  ...PERCENTAGES,
  ...PHONE_NUMBERS,
  ...SIZES,
  ...ORDINALS,
  ...MEASURES,
  ...ADDRESSES,
  ...WORDS,
  ...PLAIN_NUMBERS,
  ...SIGNS,
];

const isWordSign = (text: string, at: number): boolean => /[A-Za-z0-9]/.test(text.charAt(at));

function applyRules(text: string, at: number): { spoken: string; end: number } | null {
  for (const { pattern, say } of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    const spoken = say(match);
    if (spoken !== null) return { spoken, end: at + match[0].length };
  }
  return null;
}

/** Of several marks in a row the one that says most. */
function strongestMark(marks: string): string {
  return [...'?!.:;'].find((mark) => marks.includes(mark)) ?? ',';
}

/** One space between words, none before a mark, no two marks in a row, none at the start. */
function tidy(text: string): string {
  return text
    .replace(/[^A-Za-z0-9 .,;:?!']/g, ' ')
    .replace(/(?<![A-Za-z])'+|'+(?![A-Za-z])/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:?!])/g, '')
    .replace(/[.,;:?!](?: ?[.,;:?!])+/g, strongestMark)
    .replace(/([,;:?!]|[a-z][a-z]\.)(?=[A-Za-z])/g, '$1 ')
    .replace(/^[\s.,;:?!]+/, '')
    .trim();
}

/**
 * Text as a person would say it, for an engine that reads letters: ids and codes digit by digit, money, dates, times and measures
 * in words, signs said or turned into pauses. The result holds only letters, spaces and . , ; : ? ! '. Plain sentences come
 * back as they are, so the function can be applied twice.
 */
export function toSpokenForm(written: string): string {
  const text = foldToAscii(written).replace(/\s+/g, ' ');
  const parts: string[] = [];
  // Text behind a match and the match's words stay apart.
  const push = (part: string): void => {
    const last = parts.at(-1) ?? '';
    if (isWordSign(last, last.length - 1) && isWordSign(part, 0)) parts.push(' ');
    if (part !== '') parts.push(part);
  };
  let at = 0;
  let copiedTo = 0;
  while (at < text.length) {
    // Inside a word no rule starts, except behind a match: "5lb2oz".
    const inWord = at !== copiedTo && isWordSign(text, at) && isWordSign(text, at - 1);
    const applied = inWord ? null : applyRules(text, at);
    if (applied === null) {
      at += 1;
      continue;
    }
    push(text.slice(copiedTo, at));
    push(applied.spoken);
    at = applied.end;
    copiedTo = at;
  }
  push(text.slice(copiedTo));
  return tidy(parts.join(''));
}
