import type { MessageReading } from '../reading/agent-message.js';
import { readReply } from '../reading/customer-reply.js';
import { namesAnyItem, speaksOfWrite } from './announcements.js';
import { names, slotOf } from './naming.js';
import { describeCall, type Finding, orderOf, type Story, type Write } from './story.js';

/** Has anybody named the order before the write? "Shall I cancel a pending order?" states no details. */
function isOrderNamed(story: Story, write: Write): boolean {
  const id = orderOf(write.turn.call)?.toLowerCase().replace(/^#?w?/, '');
  if (id === undefined) return true;
  const holds = (text: string | undefined): boolean => text?.replace(/[^a-z0-9]/gi, '').includes(id) === true;
  return (
    holds(story.opening) ||
    story.turns
      .slice(0, write.index)
      .some((turn) => (turn.kind === 'message' && holds(turn.text)) || holds(turn.customer?.text))
  );
}

/** Does the message itself tell what would be written: an item, a payment method, an address? */
function namesDetail(story: Story, message: MessageReading, { turn: { call } }: Write): boolean {
  if (namesAnyItem(message, call, story)) return true;
  const orderId = orderOf(call);
  return ['payment_method_id', 'address1'].some((argument) => {
    const value = call.arguments[argument];
    if (typeof value !== 'string') return false;
    return names(message.ahead, { slot: slotOf(argument), value, rival: null, orderId }, story.facts);
  });
}

/** Are the details stated? The order may have been named before. */
function isStated(story: Story, message: MessageReading, write: Write): boolean {
  return namesDetail(story, message, write) || isOrderNamed(story, write);
}

/** `unclear`: put before the customer, and the answer was neither a known yes nor a no. */
type Confirmation = 'given' | 'denied' | 'unclear' | 'never-asked';

/** Was the write put before the customer, and did the customer then say yes? */
function confirmation(story: Story, write: Write): Confirmation {
  let proposed = false;
  let state: Confirmation = 'never-asked';
  for (let index = 0; index < write.index; index += 1) {
    const turn = story.turns[index];
    const message = story.messages[index];
    if (turn === undefined || message == null) continue;
    const asksOnlyForFacts = message.asksForFacts && !message.asksForYes;
    const about = speaksOfWrite(story, index, write.turn.call, write.deed);
    if (about && !asksOnlyForFacts && isStated(story, message, write)) proposed = true;
    if (!proposed || turn.customer === null || !(about || message.asksForYes)) continue;
    const reply = readReply(turn.customer.text);
    // "Sure, it is W123" answers a question; only after a request for a yes, or a plain statement, is "sure" a yes.
    if (reply === 'yes' || (reply === 'agrees' && !asksOnlyForFacts)) state = 'given';
    else if (about && message.asksForYes && reply === 'no') state = 'denied';
    // The customer heard what would be done and did not object, in words that are not known here: no ground for blame.
    else if (about && reply === 'other' && state === 'never-asked' && !asksOnlyForFacts) state = 'unclear';
  }
  return state;
}

function confirmationFault(story: Story, write: Write): Pick<Finding, 'weight' | 'reason'> | null {
  const what = describeCall(write.turn.call);
  switch (confirmation(story, write)) {
    case 'given':
      return null;
    case 'denied':
      return { weight: 'major', reason: `${what} although the customer had said no` };
    case 'unclear':
      return { weight: 'minor', reason: `${what} after an answer that was no clear yes` };
    case 'never-asked':
      return { weight: 'major', reason: `${what} without an explicit yes from the customer to its details` };
  }
}

/** Policy: before a write, state its details and get an explicit yes. */
export function checkConfirmation(story: Story): Finding[] {
  return story.writes.flatMap((write): Finding[] => {
    const fault = confirmationFault(story, write);
    return fault === null ? [] : [{ index: write.index, ...fault }];
  });
}
