import { squeeze } from './squeeze.js';

/** Something in a line that can be true or made up. */
export interface Claim {
  readonly kind: 'identifier' | 'amount' | 'address' | 'name' | 'email';
  /** As it was said, for messages. */
  readonly said: string;
  /** Amounts only. */
  readonly value?: number;
}

const MONEY = /\$\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?(?:dollars|bucks|usd|euros?)\b/g;
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const STREET =
  /\b\d{1,5}\s+(?:[a-z][\p{L}'-]+\s+){1,3}(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|pl|terrace|circle)\b/gu;
const NUMBER = /\d{3,}/g;
const NAMED =
  /\b(?:[Mm]y (?:full |first |last )?name(?: is|['’]s)|[Cc]all me|[Tt]his is|I am|I['’]m)\s+(\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+){0,2})/gu;
/** Capitalised words that follow "I'm" and "this is" without being names. */
const NO_NAMES = new Set(
  'sorry calling not just looking trying having the a an so still here very in at on about my i ok okay yes no sure fine happy glad english german french spanish'.split(
    ' ',
  ),
);

/** The years of dates are no identifiers. */
const isYear = (digits: string): boolean => /^(?:19|20)\d\d$/.test(digits);

/** Everything in a customer's line that needs a source. */
export function claimsIn(text: string): Claim[] {
  const claims: Claim[] = [];
  for (const [, name = ''] of text.matchAll(NAMED)) {
    const words = name.split(/\s+/).filter((word) => !NO_NAMES.has(word.toLowerCase()));
    if (words.length > 0) claims.push({ kind: 'name', said: words.join(' ') });
  }
  let rest = squeeze(text);
  const take = (pattern: RegExp, make: (match: RegExpMatchArray) => Claim): void => {
    for (const match of rest.matchAll(pattern)) claims.push(make(match));
    rest = rest.replace(pattern, ' ');
  };
  take(EMAIL, ([said]) => ({ kind: 'email', said }));
  take(MONEY, ([said, dollars, words]) => ({
    ...{ kind: 'amount', said },
    value: Number((dollars ?? words ?? '').replaceAll(',', '')),
  }));
  take(STREET, ([said]) => ({ kind: 'address', said }));
  for (const [said] of rest.matchAll(NUMBER)) if (!isYear(said)) claims.push({ kind: 'identifier', said });
  return claims;
}
