import { wantsNothingMore } from '../reading/customer-reply.js';
import { type Deed, deedOf } from '../reading/deeds.js';
import { hasPhrase } from '../reading/folding.js';
import { type Finding, orderOf, outstandingOf, type Story } from './story.js';

interface ClaimRule {
  readonly words: RegExp;
  /** Any of these makes the claim true: agents name deeds loosely. */
  readonly deeds: readonly Deed[];
  /** Status words in a result that make the sentence a report of how things stood. */
  readonly status: RegExp;
}

const ITEM_CHANGES: readonly Deed[] = ['exchange', 'modify_items'];
const ALL_CHANGES: readonly Deed[] = [
  ...ITEM_CHANGES,
  'modify_address',
  'modify_payment',
  'profile_address',
  'cancel',
  'return',
];
const RULES: readonly ClaimRule[] = [
  { words: /\bcancell?ed\b|\bcancellation\b/, deeds: ['cancel'], status: /cancel/ },
  { words: /\bexchang\w*/, deeds: ITEM_CHANGES, status: /exchange/ },
  { words: /\breturn(?:ed|s)?\b/, deeds: ['return', 'exchange'], status: /return|exchange/ },
  { words: /\brefund\w*/, deeds: ALL_CHANGES, status: /cancel|return/ },
  {
    words: /\b(?:modified|updated|changed|switched|swapped|replaced)\b/,
    deeds: ALL_CHANGES,
    status: /modif/,
  },
];

function successBefore(story: Story, before: number, deeds: readonly Deed[], order: string | null): boolean {
  return story.writes.some(
    (write) =>
      write.index < before &&
      deeds.includes(write.deed) &&
      (order === null || orderOf(write.turn.call) === order),
  );
}

/** The one order that a sentence names, of those the episode knows. */
function orderIn(segment: string, story: Story): string | null {
  const named = [...story.facts.orders.keys()].filter((id) =>
    hasPhrase(segment, id.toLowerCase().replace(/^#/, '')),
  );
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** Did the order, or some order, stand like that before the agent touched it? Then the sentence reports, it does not claim. */
function stoodLikeThat(story: Story, order: string | null, status: RegExp): boolean {
  return [...story.facts.orders.values()].some(
    (fact) => (order === null || fact.id === order) && status.test(fact.status),
  );
}

/** Something was asked for after the last report, nothing was done since, and yet the agent reports again. */
function reportsNothingNew(story: Story, index: number): boolean {
  const before = story.messages.findLastIndex(
    (message, place) => place < index && message !== null && message.claims.length > 0,
  );
  const reply = story.turns[before]?.customer;
  if (reply == null || wantsNothingMore(reply.text) || outstandingOf(story).length === 0) return false;
  return !story.writes.some((write) => write.index > before && write.index < index);
}

/** Messages that say that something was done which was not. Mended when the write follows after all. */
export function checkClaims(story: Story): Finding[] {
  return story.messages.flatMap((message, index): Finding[] => {
    if (message === null) return [];
    for (const segment of message.claims) {
      const rule = RULES.find(({ words }) => words.test(segment));
      if (rule === undefined) continue;
      const order = /\b(?:profile|default)\b/.test(segment) ? null : orderIn(segment, story);
      const hollow = !successBefore(story, index, rule.deeds, order) || reportsNothingNew(story, index);
      if (!hollow || stoodLikeThat(story, order, rule.status)) continue;
      const undone = outstandingOf(story).some((call) => {
        const deed = deedOf(call.name);
        return deed !== null && rule.deeds.includes(deed) && (order === null || orderOf(call) === order);
      });
      const later = !undone && successBefore(story, story.turns.length, rule.deeds, order);
      const reason = `says that something was done that was not: "${segment.slice(0, 100)}"`;
      return [{ index, weight: later ? 'minor' : 'major', reason }];
    }
    return [];
  });
}
