import type { MessageReading } from '../reading/agent-message.js';
import { readReply } from '../reading/customer-reply.js';
import { namesAnyItem, speaksOfWrite } from './announcements.js';
import { names, slotOf } from './naming.js';
import { describeCall, type Finding, orderOf, type Story, type Write } from './story.js';

/** Has anybody named the order by then? "Shall I cancel a pending order?" states no details. */
function isOrderNamed(story: Story, write: Write, index: number): boolean {
  const id = orderOf(write.turn.call)?.toLowerCase().replace(/^#?w?/, '');
  if (id === undefined) return true;
  const spoken = story.turns
    .slice(0, index + 1)
    .flatMap((turn) => [turn.kind === 'message' ? turn.text : '', turn.customer?.text ?? '']);
  return [story.opening, ...spoken].some((text) => text.replace(/[^a-z0-9]/gi, '').includes(id));
}

/** Does the message itself tell what would be written: an item, a payment method, an address? */
function namesDetail(story: Story, message: MessageReading, { turn: { call } }: Write): boolean {
  if (namesAnyItem(message, call, story)) return true;
  const orderId = orderOf(call);
  return ['payment_method_id', 'address1'].some((argument) => {
    const value = call.arguments[argument];
    if (typeof value !== 'string') return false;
    return names(message, { slot: slotOf(argument), value, rival: null, orderId }, story.facts);
  });
}

/** Was the write put before the customer, and did the customer then say yes? */
function confirmation(story: Story, write: Write): 'given' | 'denied' | 'never-asked' {
  let proposed = false;
  let state: 'given' | 'denied' | 'never-asked' = 'never-asked';
  for (let index = 0; index < write.index; index += 1) {
    const turn = story.turns[index];
    const message = story.messages[index];
    if (turn === undefined || message == null) continue;
    const about = speaksOfWrite(story, index, write.turn.call, write.deed);
    if (about && (isOrderNamed(story, write, index) || namesDetail(story, message, write))) proposed = true;
    if (!proposed || turn.customer === null || !(about || message.asksForYes)) continue;
    const reply = readReply(turn.customer.text);
    // "Sure, it is W123" answers a question; only after a request for a yes, or a plain statement, is "sure" a yes.
    const wantsYes = message.asksForYes || !message.asksForFacts;
    if (reply === 'yes' || (reply === 'agrees' && wantsYes)) state = 'given';
    else if (reply === 'no' && about && message.asksForYes) state = 'denied';
  }
  return state;
}

/** Policy: before a write, state its details and get an explicit yes. */
export function checkConfirmation(story: Story): Finding[] {
  return story.writes.flatMap((write): Finding[] => {
    const answer = confirmation(story, write);
    if (answer === 'given') return [];
    const what = describeCall(write.turn.call);
    const reason =
      answer === 'denied'
        ? `${what} although the customer had said no`
        : `${what} without an explicit yes from the customer to its details`;
    return [{ index: write.index, weight: 'major', reason }];
  });
}
