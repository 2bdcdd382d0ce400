import { toCents } from '../../money.js';
import type { Address, Options, PaymentMethod, User } from '../../world.js';
import type { PlanContext } from './request-plan.js';

/** "Desk Lamp" → "desk lamp"; abbreviations stay: "LED Light Bulb" → "LED light bulb". */
export function spokenName(name: string): string {
  return name
    .split(' ')
    .map((word) => (/^[A-Z]{2,}$/.test(word) || /^[A-Z]-/.test(word) ? word : word.toLowerCase()))
    .join(' ');
}

/** What stands for another of its kind: "one", or "ones" for jeans and headphones. */
export function oneWord(name: string): 'one' | 'ones' {
  return /[^s]s$/.test(name) ? 'ones' : 'one';
}

/** "a", "a and b", "a, b and c". */
export function listWords(words: readonly string[]): string {
  const [last = '', ...before] = words.toReversed();
  return before.length === 0 ? last : `${before.toReversed().join(', ')} and ${last}`;
}

/** "the desk lamp and the backpack". */
export function itemWords(names: readonly string[]): string {
  return listWords(names.map((name) => `the ${spokenName(name)}`));
}

/** "color white and size large", of the options named. */
export function optionWords(options: Options, keys: readonly string[]): string {
  return listWords(keys.map((key) => oneOption(key, options[key] ?? '')));
}

/** "size large", but "2 slots" rather than "slots 2 slots". */
function oneOption(key: string, value: string): string {
  return value.includes(key.replace(/s$/, '')) ? value : `${key} ${value}`;
}

/** "142.30": how an amount is both written and read. */
export function moneyWords(dollars: number): string {
  return (toCents(dollars) / 100).toFixed(2);
}

/**
 * May the amount be a fact that has to be said? One that ends in a zero can be written with fewer digits ("142.3"), so
 * that a right answer could miss the string.
 */
export function isSayable(dollars: number): boolean {
  return toCents(dollars) % 10 !== 0 && toCents(dollars) >= 100;
}

export function addressWords({ address1, address2, city, state, zip }: Address): string {
  return [address1, address2, city, `${state} ${zip}`].filter((part) => part !== '').join(', ');
}

const METHOD_KINDS: Readonly<Record<PaymentMethod['source'], string>> = {
  credit_card: 'credit card',
  paypal: 'PayPal account',
  gift_card: 'gift card',
};

/** "gift card", "PayPal account", and among several cards "Visa credit card ending in 1234". */
export function methodWords(user: User, methodId: string): string {
  const method = user.payment_methods[methodId];
  if (method === undefined) return 'payment method';
  const kind = METHOD_KINDS[method.source];
  const alike = Object.values(user.payment_methods).filter(({ source }) => source === method.source);
  if (method.source !== 'credit_card' || alike.length === 1) return kind;
  const brand = method.brand === 'visa' ? 'Visa' : 'Mastercard';
  return `${brand} ${kind} ending in ${method.last_four}`;
}

const OPENERS = [
  ['I hope you can help me.', 'I hope you are having a good day.', 'Thanks for taking my call.'],
  ['So, here is the thing.', 'Okay, let me explain.', 'I was just going through my orders.'],
  [
    'It has been one of those weeks.',
    'I meant to call about this yesterday.',
    'This should be quick, I think.',
  ],
].flat();
const CLOSERS = [
  'That would be lovely.',
  'I would really appreciate it.',
  'Would that be possible?',
  'Thank you so much.',
  'I hope that is no trouble.',
];

/** A change of mind in the customer's style, without small talk: it comes in the middle of the call. */
export function reconsider(
  { random, style }: PlanContext,
  lines: { readonly terse: readonly string[]; readonly plain: readonly string[] },
): string {
  return random.pick(style === 'terse' ? lines.terse : lines.plain);
}

/** A line in the customer's style: `terse` as it is, `plain` as it is, chatty folk put words around the plain one. */
export function speak(
  { random, style, claimed }: PlanContext,
  lines: { readonly terse: readonly string[]; readonly plain: readonly string[] },
): string {
  if (style === 'terse') return random.pick(lines.terse);
  const plain = random.pick(lines.plain);
  if (style === 'plain') return plain;
  // Small talk opens a call; later requests come without it.
  const opener = claimed.size === 0 && random.chance(0.7) ? `${random.pick(OPENERS)} ` : '';
  const closer = random.chance(0.4) && !plain.endsWith('?') ? ` ${random.pick(CLOSERS)}` : '';
  return `${opener}${plain}${closer}`;
}
