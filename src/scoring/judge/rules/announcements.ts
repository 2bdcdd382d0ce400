import type { ToolCall } from '../../../retail/index.js';
import { declines, type MessageReading } from '../reading/agent-message.js';
import { type Deed, speaksOf } from '../reading/deeds.js';
import type { Conflict } from './conflict.js';
import { type Naming, names } from './naming.js';
import { orderOf, type Story } from './story.js';

interface Announced {
  readonly call: ToolCall;
  readonly deed: Deed;
  readonly conflict: Conflict;
}

function isAboutOrder(message: MessageReading, call: ToolCall, story: Story): boolean {
  const id = orderOf(call);
  if (id === null) return true;
  const named = [...story.facts.orders.keys(), id].filter((order) =>
    names(message.ahead, { slot: 'order', value: order, rival: null, orderId: null }, story.facts),
  );
  return named.length === 0 || named.includes(id);
}

/** Does a message name an item of the call, old or new? */
export function namesAnyItem(message: MessageReading, call: ToolCall, story: Story): boolean {
  const items = [call.arguments.item_ids, call.arguments.new_item_ids].flat();
  return items.some(
    (item) =>
      typeof item === 'string' &&
      names(message.ahead, { slot: 'item', value: item, rival: null, orderId: null }, story.facts),
  );
}

/** Where a message stands on a point: for the wrong value, for the right one, or neither. */
function stance(message: MessageReading, { call, deed, conflict }: Announced, story: Story): -1 | 0 | 1 {
  const orderId = orderOf(call);
  const { slot, wrong, right } = conflict;
  const items = call.arguments.item_ids;
  const replaced =
    call.arguments.new_item_ids === undefined || !Array.isArray(items) ? [] : items.map(String);
  const naming = (value: string, rival: string | null): Naming => ({
    ...{ slot, value, rival, orderId },
    // Where the item to be replaced is itself in question, its options do tell.
    replaced: replaced.filter((item) => item !== wrong && item !== right),
  });
  const proposes = message.asksForYes || message.intends;
  if (wrong === null) {
    // Left out: only a request for a yes is expected to hold everything.
    if (right === null || !message.asksForYes || !speaksOf(message.ahead.folded, deed)) return 0;
    if (names(message.ahead, naming(right, null), story.facts)) return 1;
    return isAboutOrder(message, call, story) && (slot !== 'item' || namesAnyItem(message, call, story))
      ? -1
      : 0;
  }
  const offersItem = slot === 'item' && message.offers;
  // "The mug back and the money to your card, all right?" speaks of a return without the word.
  const isAbout =
    speaksOf(message.ahead.folded, deed) || (message.asksForYes && namesAnyItem(message, call, story));
  if (!offersItem && !(proposes && isAbout)) return 0;
  const saysWrong = names(message.ahead, naming(wrong, right), story.facts);
  const saysRight = right !== null && names(message.ahead, naming(right, wrong), story.facts);
  // Both: a choice was put before the customer.
  if (saysWrong === saysRight) return 0;
  if (saysRight) return 1;
  if (right === null && !message.asksForYes) return 0;
  return slot === 'order' || isAboutOrder(message, call, story) ? -1 : 0;
}

/**
 * Messages before turn `before` in which the agent committed itself to a wrong value, since it last stood for the
 * right one. The first of them is where an episode left the path, long before the call.
 */
export function announcements(story: Story, announced: Announced, before: number): number[] {
  let found: number[] = [];
  for (let index = 0; index < before; index += 1) {
    const message = story.messages[index];
    if (message == null) continue;
    const side = stance(message, announced, story);
    if (side === -1) found.push(index);
    if (side === 1) found = [];
  }
  return found;
}

/**
 * The last request for a yes before turn `before`, where it is for this order but does not say what is to be done
 * ("I put through what we spoke about, yes?"): whatever follows was committed to there. -1: none.
 */
export function vagueRequest(
  story: Story,
  { call, deed }: Pick<Announced, 'call' | 'deed'>,
  before: number,
): number {
  const last = story.messages.findLastIndex(
    (message, index) => index < before && message?.asksForYes === true,
  );
  const message = story.messages[last];
  if (message == null || speaksOf(message.ahead.folded, deed)) return -1;
  const value = orderOf(call);
  if (value === null) return last;
  const order: Naming = { slot: 'order', value, rival: null, orderId: value };
  return names(message.ahead, order, story.facts) ? last : -1;
}

/** Messages between two turns that propose a write that should not be made at all. */
export function proposals(
  story: Story,
  { call, deed }: Pick<Announced, 'call' | 'deed'>,
  { after, before }: { readonly after: number; readonly before: number },
): number[] {
  const found: number[] = [];
  for (let index = after + 1; index < before; index += 1) {
    const whole = story.messages[index];
    if (whole == null || !whole.asksForYes) continue;
    // "I cannot change W1. Shall I cancel W2?" proposes nothing for W1.
    const segments = whole.ahead.segments.filter((segment) => !declines(segment));
    const message = { ...whole, ahead: { segments, folded: segments.join('\n') } };
    if (!speaksOf(message.ahead.folded, deed) || !isAboutOrder(message, call, story)) continue;
    const orderId = orderOf(call);
    const named =
      orderId === null ||
      names(message.ahead, { slot: 'order', value: orderId, rival: null, orderId }, story.facts) ||
      namesAnyItem(message, call, story);
    if (named) found.push(index);
  }
  return found;
}

const ITEM_DEEDS: ReadonlySet<Deed> = new Set<Deed>(['return', 'exchange', 'modify_items']);
const ONLY_PROFILE = /^(?![\s\S]*\border)[\s\S]*\b(?:default|profile)\b/;
const ITEMS_AS_A_WHOLE = /\b(?:items?|products?|both|all of|everything|entire order|whole order)\b/;

/** Does a message put a write, of this deed and order, before the customer? Reports of what was done do not. */
export function speaksOfWrite(story: Story, index: number, call: ToolCall, deed: Deed): boolean {
  const message = story.messages[index];
  if (message == null || !isAboutOrder(message, call, story)) return false;
  if (message.claims.length > 0 && !message.asksForYes && !message.plans) return false;
  // The address of the profile is not that of an order, though both may be the same street.
  if (deed === 'modify_address' && ONLY_PROFILE.test(message.ahead.folded)) return false;
  if (!ITEM_DEEDS.has(deed)) return speaksOf(message.ahead.folded, deed);
  const namesItem = namesAnyItem(message, call, story);
  return speaksOf(message.ahead.folded, deed)
    ? namesItem || ITEMS_AS_A_WHOLE.test(message.ahead.folded)
    : namesItem && message.asksForYes;
}
