import { toolDefinitions } from '../../../retail/index.js';
import type { CallTurn } from '../../turns.js';
import { deedOf } from '../reading/deeds.js';
import { fold } from '../reading/folding.js';
import { describeCall, type Finding, orderOf, type Story } from './story.js';

const ID_ARGUMENTS = [
  'order_id',
  'item_id',
  'item_ids',
  'new_item_ids',
  'product_id',
  'user_id',
  'payment_method_id',
];
const PRIVATE_READS: ReadonlySet<string> = new Set(['get_order_details', 'get_user_details']);

function compact(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** What the agent could know before a turn: the customer's words, tool results, the policy. */
class Sources {
  readonly #results: string[] = [];
  #said: string;
  constructor(opening: string, policy: string) {
    this.#said = compact(opening);
    this.#results.push(policy.toLowerCase());
  }
  hear(text: string): void {
    this.#said += ` ${compact(text)}`;
  }
  read(content: string): void {
    this.#results.push(content.toLowerCase());
  }
  know(id: string): boolean {
    const bare = id.toLowerCase().replace(/^#/, '');
    if (bare === '' || this.#said.includes(compact(bare))) return true;
    // A customer may leave the letter of an order id out.
    if (/^w\d+$/.test(bare) && this.#said.includes(bare.slice(1))) return true;
    return this.#results.some((content) => content.includes(bare));
  }
  heard(value: unknown): boolean {
    return typeof value === 'string' && value !== '' && this.#said.includes(compact(value));
  }
}

function idsOf(turn: CallTurn): string[] {
  return ID_ARGUMENTS.flatMap((name) => turn.call.arguments[name]).filter(
    (value): value is string => typeof value === 'string',
  );
}

function checkCall(story: Story, turn: CallTurn, index: number, sources: Sources): Finding[] {
  const found: Finding[] = [];
  const { name } = turn.call;
  const matched = story.matching.of.get(turn)?.equal === true;
  const invented = idsOf(turn).filter((id) => !sources.know(id));
  if (invented.length > 0)
    found.push({
      index,
      weight:
        turn.ok === true && deedOf(name) !== null && !matched && !story.databaseRight ? 'major' : 'minor',
      reason: `${name} with an id that nobody gave: ${invented.join(', ')}`,
    });
  if (turn.ok === false && deedOf(name) === null) {
    // What the customer said turned out not to be on file: no fault of the agent's.
    const given = Object.values(turn.call.arguments).every((value) => sources.heard(value));
    if (!given)
      found.push({ index, weight: 'minor', reason: `${name} failed: ${(turn.content ?? '').slice(0, 120)}` });
  }
  return found;
}

/** Tools that do not exist, ids that nobody gave, calls that failed. */
export function checkCalls(story: Story): Finding[] {
  const known = new Set(toolDefinitions(story.record.header.rules).map((tool) => tool.name));
  for (const call of story.record.header.task.groundTruth) known.add(call.name);
  const sources = new Sources(story.opening, story.policy);
  return story.turns.flatMap((turn, index): Finding[] => {
    const found: Finding[] = [];
    if (turn.kind === 'call') {
      if (story.retail && !known.has(turn.call.name) && turn.ok !== true)
        found.push({ index, weight: 'major', reason: `calls ${turn.call.name}, a tool that does not exist` });
      else found.push(...checkCall(story, turn, index, sources));
      if (turn.content !== null) sources.read(turn.content);
    }
    if (turn.customer !== null) sources.hear(turn.customer.text);
    return found;
  });
}

/** Policy: identify the customer by a look-up first, and touch nobody else's orders. */
export function checkIdentification(story: Story): Finding[] {
  const customers = new Set<string>();
  return story.turns.flatMap((turn, index): Finding[] => {
    if (turn.kind !== 'call') return [];
    const { name } = turn.call;
    if (name.startsWith('find_user_id') && turn.ok === true && turn.content !== null)
      customers.add(fold(turn.content).replaceAll('"', '').trim());
    const isWrite = deedOf(name) !== null;
    if (customers.size === 0 && isWrite && turn.ok === true)
      return [
        { index, weight: 'major', reason: `${describeCall(turn.call)} before the customer was identified` },
      ];
    if (customers.size === 0 && PRIVATE_READS.has(name))
      return [
        {
          index,
          weight: 'minor',
          reason: `${name} before the customer was identified by e-mail or name and zip`,
        },
      ];
    const owner = story.facts.orders.get(orderOf(turn.call) ?? '')?.userId ?? null;
    if (!isWrite || turn.ok !== true || owner === null || customers.has(owner.toLowerCase())) return [];
    return story.matching.of.get(turn)?.equal === true
      ? []
      : [{ index, weight: 'major', reason: `${describeCall(turn.call)}, an order of somebody else` }];
  });
}

/** Policy: one tool call at a time. Only a record of an agent that did not wait for results shows it. */
export function checkOneAtATime(story: Story): Finding[] {
  if (!/one tool call at a time/i.test(story.policy)) return [];
  const open = new Map<string, number>();
  const early = new Set<number>();
  for (const event of story.record.events) {
    if (event.type === 'tool_result') open.delete(event.callId);
    if (event.type !== 'tool_call' && event.type !== 'agent') continue;
    if (open.size > 0) early.add(event.turn);
    if (event.type === 'tool_call') open.set(event.callId, event.turn);
  }
  return story.turns.flatMap((turn, index): Finding[] =>
    early.has(turn.turn)
      ? [{ index, weight: 'minor', reason: 'acts before the result of the call before it came' }]
      : [],
  );
}
