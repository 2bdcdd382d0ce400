import type { ScenarioRequest } from '../../../retail/index.js';

/** Kinds of deed that a customer tells apart by their verbs. Exchange and modify are one: agents mix the words. */
export type Deed = 'cancel' | 'return' | 'replace' | 'order_address' | 'payment' | 'profile_address';

const DEED_WORDS: readonly (readonly [Deed, RegExp])[] = [
  ['cancel', /\bcancel(?:l?ing|l?ed|lation|s)?\b(?!.{0,14}\breason)/],
  ['return', /\breturn(?:ing|ed|s)?\b|\bsend(?:ing)? (?:it|them|back)\b/],
  [
    'replace',
    /\b(?:exchang|modif|swap|replac|switch|upgrad)\w*\b|\bchang\w*\b.{0,60}\b(?:items?|options?|colou?r|size|variant|material)\b/,
  ],
  [
    'profile_address',
    /\b(?:default|profile|account|user|home) address\b|\baddress\b.{0,30}\b(?:profile|account)\b/,
  ],
  [
    'order_address',
    /\b(?:shipping|delivery|order) address\b|\baddress\b|\b(?:ship|deliver)(?:ped|ed|ing)? to\b/,
  ],
  [
    'payment',
    /\bpayment method\b.{0,60}\b(?:to|chang|switch|updat|modif)|\b(?:chang|switch|updat|modif)\w*\b.{0,40}\bpayment\b/,
  ],
];

/** Deeds named in a folded text. */
export function deedsIn(folded: string): Set<Deed> {
  const found = new Set(DEED_WORDS.filter(([, words]) => words.test(folded)).map(([deed]) => deed));
  // How a replacement or a refund works is explained in words of other deeds.
  if (found.has('profile_address') && !/\b(?:shipping|delivery|order) address\b/.test(folded))
    found.delete('order_address');
  return found;
}

const DEED_OF_GOAL: Record<ScenarioRequest['goal'], readonly Deed[]> = {
  cancel_order: ['cancel'],
  return_items: ['return'],
  exchange_items: ['replace'],
  modify_items: ['replace'],
  modify_order_address: ['order_address'],
  modify_order_payment: ['payment'],
  modify_profile_address: ['profile_address', 'order_address'],
  ask: [],
};

export function deedsOf(request: ScenarioRequest): readonly Deed[] {
  return DEED_OF_GOAL[request.goal];
}
