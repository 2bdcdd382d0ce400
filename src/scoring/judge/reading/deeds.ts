import { toolKindByName } from '../../../episodes/index.js';

/** What a write does, in the customer's words. */
export type Deed =
  | 'cancel'
  | 'return'
  | 'exchange'
  | 'modify_items'
  | 'modify_address'
  | 'modify_payment'
  | 'profile_address'
  /** A change in a domain whose words are not known here. */
  | 'other';

const DEED_OF_TOOL: Readonly<Record<string, Deed>> = {
  cancel_pending_order: 'cancel',
  return_delivered_order_items: 'return',
  exchange_delivered_order_items: 'exchange',
  modify_pending_order_items: 'modify_items',
  modify_pending_order_address: 'modify_address',
  modify_pending_order_payment: 'modify_payment',
  modify_user_address: 'profile_address',
};

const TRANSFER = 'transfer_to_human_agents';

/** Null for a tool that changes nothing. Tools of other domains that change something are `other`. */
export function deedOf(tool: string): Deed | null {
  if (Object.hasOwn(DEED_OF_TOOL, tool)) return DEED_OF_TOOL[tool] ?? null;
  return tool === TRANSFER || toolKindByName(tool) === 'read' ? null : 'other';
}

const CHANGE =
  '(?:modif\\w*|chang\\w*|updat\\w*|swap\\w*|replac\\w*|switch\\w*|upgrad\\w*|exchang\\w*|adjust\\w*|set\\b|mov\\w*|instead)';

/** Words by which a deed is spoken of. Wide on purpose: agents call an item change an exchange, and a return a refund. */
const WORDS: Readonly<Record<Deed, readonly RegExp[]>> = {
  cancel: [/\bcancel/],
  return: [/\breturn|\brefund|\bsend(?:ing)? (?:it|them|back)|\btake back/],
  exchange: [
    /\bexchang|\bswap|\breplac|\bswitch|\btrad(?:e|ing)\b|\bchang(?:e|ing)\b|\binstead\b|\bupgrad|\bmodif/,
  ],
  modify_items: [new RegExp(`\\b${CHANGE}`)],
  modify_address: [/\baddress|\bship|\bdeliver(?:ed|y)? to\b|\bstreet\b|\bsent to\b/],
  other: [],
  modify_payment: [/\bpay(?:ment|ing|pal)?\b|\bcard\b|\bcharg/],
  profile_address: [
    /\baddress|\bstreet\b/,
    /\b(?:default|profile|account|user|home|on file|your (?:current |new |own |mailing )?address)\b/,
  ],
};

/** Does the folded text speak of the deed? */
export function speaksOf(folded: string, deed: Deed): boolean {
  return WORDS[deed].every((words) => words.test(folded));
}
