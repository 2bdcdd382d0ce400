import type { ToolCall } from '../../../retail/index.js';
import { readReply } from '../reading/customer-reply.js';
import { deedOf, speaksOf } from '../reading/deeds.js';
import { fold } from '../reading/folding.js';
import { announcements, speaksOfWrite } from './announcements.js';
import type { Conflict } from './conflict.js';
import { describeCall, type Finding, outstandingOf, type Story } from './story.js';

const TRANSFER = 'transfer_to_human_agents';

function transferIndex(story: Story): number {
  return story.turns.findIndex(
    (turn) => turn.kind === 'call' && turn.ok === true && turn.call.name === TRANSFER,
  );
}

function lastMessage(story: Story): number {
  return story.messages.findLastIndex((message) => message !== null);
}

/** Did the customer ask for this kind of thing at all? A request that was never raised cannot be forgotten. */
function wasRaised(story: Story, call: ToolCall): boolean {
  const deed = deedOf(call.name);
  if (deed === null) return false;
  const said = [story.opening, ...story.turns.map((turn) => turn.customer?.text ?? '')];
  return said.some((text) => speaksOf(fold(text), deed));
}

/** Did the customer turn the write down when it was last put forward? */
function wasDeclined(story: Story, call: ToolCall): boolean {
  const deed = deedOf(call.name);
  if (deed === null) return false;
  const last = story.messages.findLastIndex(
    (message, index) => message?.asksForYes === true && speaksOfWrite(story, index, call, deed),
  );
  const reply = story.turns[last]?.customer;
  return reply != null && readReply(reply.text) === 'no';
}

/** The message that sent the customer away with the work undone; -1: the customer left of its own accord. */
function dismissal(story: Story, call: ToolCall): number {
  const last = lastMessage(story);
  const deed = deedOf(call.name);
  if (last < 0 || deed === null) return -1;
  const about = (index: number): boolean => speaksOfWrite(story, index, call, deed);
  const refusal = story.messages.findLastIndex(
    (message, index) => message?.refuses === true && !message.asksForYes && about(index),
  );
  const takenUp = story.messages.findLastIndex(
    (message, index) => message?.asksForYes === true && about(index),
  );
  if (refusal > takenUp) return refusal;
  // The last words that left the customer with the belief that this was all.
  const words = story.messages[last];
  return words != null && (words.closes || words.claims.length > 0) ? last : -1;
}

/** Ended with work undone: by the agent, by a hand-over, or by a customer who was told that this was all. */
export function checkEnding(story: Story): Finding[] {
  const outstanding = outstandingOf(story).filter((call) => !wasDeclined(story, call));
  const first = outstanding[0];
  const reason = story.record.end?.reason;
  if (first === undefined || story.turns.length === 0) return [];
  const undone = `${describeCall(first)} was never done`;
  if (reason === 'agent_stop')
    return [{ index: story.turns.length - 1, weight: 'major', reason: `ends the call; ${undone}` }];
  if (reason === 'transfer') {
    const call = transferIndex(story);
    if (call < 0) return [];
    const index = story.messages[call - 1]?.handsOver === true ? call - 1 : call;
    const wanted = story.record.header.task.groundTruth.some(({ name }) => name === TRANSFER);
    return [{ index, weight: wanted ? 'minor' : 'major', reason: `hands over to a human; ${undone}` }];
  }
  if (reason !== 'customer_stop') return [];
  return outstanding.flatMap((call): Finding[] => {
    if (!wasRaised(story, call)) return [];
    const index = dismissal(story, call);
    return index < 0
      ? []
      : [{ index, weight: 'major', reason: `sends the customer away; ${describeCall(call)} was never done` }];
  });
}

/** A hand-over that was due and did not come, or came without need. */
export function checkTransfer(story: Story): Finding[] {
  const wanted = story.record.header.task.groundTruth.some(({ name }) => name === TRANSFER);
  const index = transferIndex(story);
  if (index >= 0 && !wanted && outstandingOf(story).length === 0)
    return [{ index, weight: 'minor', reason: 'hands over to a human although nothing called for it' }];
  const reason = story.record.end?.reason;
  const last = lastMessage(story);
  if (!wanted || index >= 0 || last < 0 || (reason !== 'customer_stop' && reason !== 'agent_stop')) return [];
  const failed = story.record.outcome?.success !== true;
  const end = reason === 'agent_stop' ? story.turns.length - 1 : last;
  return [
    {
      index: end,
      weight: failed ? 'major' : 'minor',
      reason: 'ends without the hand-over to a human that was due',
    },
  ];
}

/** Things that would be wrong in an outstanding call, among those that the episode knows. */
function wrongChoices(story: Story, call: ToolCall): Conflict[] {
  const { payment_method_id: method, new_item_ids: news, item_ids: items } = call.arguments;
  const right = [news, items].flat().filter((item): item is string => typeof item === 'string');
  const conflicts: Conflict[] = [];
  if (typeof method === 'string')
    for (const wrong of story.facts.payments.keys())
      if (wrong !== method) conflicts.push({ slot: 'payment', wrong, right: method });
  for (const replacement of Array.isArray(news) ? news.map(String) : []) {
    const product = story.facts.items.get(replacement)?.product ?? null;
    if (product === null) continue;
    for (const item of story.facts.items.values())
      if (item.product === product && !right.includes(item.id))
        conflicts.push({ slot: 'item', wrong: item.id, right: replacement });
  }
  return conflicts;
}

/** Requests for a yes to something wrong that was then never carried out, while the right thing was not done either. */
export function checkWrongWords(story: Story): Finding[] {
  const tried = new Set(story.turns.flatMap((turn) => (turn.kind === 'call' ? [turn.call.name] : [])));
  // What stands in a right call was rightly spoken of.
  const carriedOut = new Set(
    story.writes
      .filter(({ turn }) => story.matching.of.get(turn)?.equal === true)
      .flatMap(({ turn }) => Object.values(turn.call.arguments).flat().map(String)),
  );
  return outstandingOf(story).flatMap((call) => {
    const deed = deedOf(call.name);
    if (deed === null || tried.has(call.name)) return [];
    const choices = wrongChoices(story, call).filter(({ wrong }) => wrong !== null && !carriedOut.has(wrong));
    return choices.flatMap((conflict) =>
      announcements(story, { call, deed, conflict }, story.turns.length)
        .filter((index) => story.messages[index]?.asksForYes === true)
        .map(
          (index): Finding => ({
            index,
            weight: 'major',
            reason: `asks for a yes to ${conflict.slot} ${conflict.wrong} instead of ${conflict.right}`,
          }),
        ),
    );
  });
}

/** Facts that had to be told and were not. */
export function checkUnsaid(story: Story): Finding[] {
  const unsaid = story.record.outcome?.unsaid ?? [];
  const index = lastMessage(story);
  if (unsaid.length === 0 || index < 0) return [];
  return [{ index, weight: 'minor', reason: `never told the customer: ${unsaid.join(', ')}` }];
}
