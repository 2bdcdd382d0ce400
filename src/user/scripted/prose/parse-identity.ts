import type { CustomerBrief } from '../../../retail/index.js';
import type { KnownIdentity } from '../identity-answers.js';

const EMAIL = /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g;
const USER_ID = /\b(?!credit_card|gift_card|paypal)[a-z]+_[a-z]+_\d{3,5}\b/;
const NAME =
  /\b(?:[Yy]ou(?:r)? (?:full )?name is|[Yy]ou are|[Yy]ou're|called|named|[Mm]y name is|[Ii] am)\s+(?:user\s+)?(?:(?:an?|the)\s+[\w\s-]{1,40}?\b(?:called|named)\s+)?([A-Z][\w'-]+(?:\s+[A-Z][\w'-]+){0,2})/;
const ZIP = /(?<![\w#-])\d{5}(?![\w-])/g;

/** Instructions open with who the customer is; further on, zip codes belong to other places. */
function introductionOf(instruction: string): string {
  const [first = '', ...others] = instruction.split(/(?<=[.!?])\s+/);
  const more = others.filter((sentence) =>
    /^(?:you (?:live|reside)|your (?:zip|name|email))\b/i.test(sentence),
  );
  return [first, ...more].join(' ');
}

function nameFromUserId(userId: string): string {
  const [first = '', last = ''] = userId.split('_');
  return [first, last].map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(' ');
}

function unique(found: Iterable<RegExpMatchArray>): string | null {
  const values = [...new Set([...found].map((match) => match[0]))];
  return values.length === 0 ? null : values.join(' or ');
}

/**
 * Who the customer is, as far as the prose says it. Several emails or zip codes are kept, joined by "or", for the
 * customer does not know either which one is right. A full name is also read from a user id such as "mei_kovacs_8020".
 */
export function parseIdentity({ instruction, parts }: CustomerBrief): KnownIdentity {
  const known = parts === undefined ? introductionOf(instruction) : parts.knownInfo;
  const anywhere = parts === undefined ? instruction : `${parts.knownInfo} ${parts.reasonForCall}`;
  const userId = USER_ID.exec(anywhere)?.[0] ?? null;
  const name = NAME.exec(known)?.[1] ?? null;
  const full = name?.includes(' ') === true ? name : userId === null ? name : nameFromUserId(userId);
  return {
    name: full,
    zip: unique(known.matchAll(ZIP)),
    email: unique(anywhere.matchAll(EMAIL)),
    userId,
  };
}
