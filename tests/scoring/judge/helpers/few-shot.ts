import type { EpisodeRecord, RecordEvent } from '../../../../src/episodes/index.js';
import type { ToolCall } from '../../../../src/retail/index.js';

interface OrderJson {
  readonly order_id: string;
  readonly status: string;
  readonly cancel_reason?: string;
  readonly items: readonly { readonly item_id: string }[];
  readonly address: Record<string, unknown>;
  readonly payment_history: readonly {
    readonly transaction_type: string;
    readonly payment_method_id: string;
  }[];
  readonly [key: string]: unknown;
}
interface UserJson {
  readonly address: Record<string, unknown>;
  readonly payment_methods: unknown;
}

function changeOf(before: OrderJson, after: OrderJson): ToolCall {
  const order_id = after.order_id;
  const idsOnlyIn = (a: OrderJson, b: OrderJson): string[] =>
    a.items.map((item) => item.item_id).filter((id) => !b.items.some((item) => item.item_id === id));
  const payment_method_id = after.payment_history.findLast(
    (entry) => entry.transaction_type === 'payment',
  )?.payment_method_id;
  if (after.status === 'cancelled')
    return { name: 'cancel_pending_order', arguments: { order_id, reason: after.cancel_reason } };
  if (after.status === 'return requested')
    return {
      name: 'return_delivered_order_items',
      arguments: {
        order_id,
        item_ids: after.return_items,
        payment_method_id: after.return_payment_method_id,
      },
    };
  if (after.status === 'exchange requested')
    return {
      name: 'exchange_delivered_order_items',
      arguments: {
        ...{ order_id, item_ids: after.exchange_items, new_item_ids: after.exchange_new_items },
        payment_method_id: after.exchange_payment_method_id,
      },
    };
  if (/modif/.test(after.status))
    return {
      name: 'modify_pending_order_items',
      arguments: {
        ...{ order_id, item_ids: idsOnlyIn(before, after), new_item_ids: idsOnlyIn(after, before) },
        payment_method_id: after.payment_history.at(-1)?.payment_method_id,
      },
    };
  if (JSON.stringify(before.address) !== JSON.stringify(after.address))
    return { name: 'modify_pending_order_address', arguments: { order_id, ...after.address } };
  return { name: 'modify_pending_order_payment', arguments: { order_id, payment_method_id } };
}

/** The calls of these conversations were not kept, their results were: a call is told by what its result changed. */
class CallGuesser {
  readonly #seen = new Map<string, string>();
  readonly writes: ToolCall[] = [];

  guess(content: string): ToolCall {
    if (/^[a-z]+_[a-z]+_\d+$/.test(content.trim())) return { name: 'find_user_id_by_email', arguments: {} };
    if (!content.startsWith('{')) return { name: 'think', arguments: {} };
    const json = JSON.parse(content) as Partial<OrderJson & UserJson>;
    if (json.payment_methods !== undefined) return this.#read('user', content, 'get_user_details');
    if (json.order_id !== undefined) return this.#read(json.order_id, content, 'get_order_details');
    return { name: 'get_product_details', arguments: {} };
  }

  #read(key: string, content: string, name: string): ToolCall {
    const before = this.#seen.get(key);
    this.#seen.set(key, content);
    if (before === undefined || before === content)
      return { name, arguments: key === 'user' ? {} : { order_id: key } };
    const write =
      key === 'user'
        ? { name: 'modify_user_address', arguments: (JSON.parse(content) as UserJson).address }
        : changeOf(JSON.parse(before) as OrderJson, JSON.parse(content) as OrderJson);
    this.writes.push(write);
    return write;
  }
}

/** A conversation between a real model and a simulated customer as a record; all its writes are taken to be right. */
export function fewShotRecord(display: string, episode: string): EpisodeRecord {
  const events: RecordEvent[] = [];
  const calls = new CallGuesser();
  let turn = 0;
  let utterance = 0;
  for (const part of display.split(/\n(?=(?:user|assistant|tool): )/)) {
    const [, who, text = ''] = /^(user|assistant|tool): ([\s\S]*)$/.exec(part) ?? [];
    if (who === 'user') {
      const said = text.replace('###STOP###', '').trim();
      const end = text.includes('###STOP###') ? ('stop' as const) : null;
      events.push({
        type: 'customer',
        turn,
        utterance: utterance++,
        text: said,
        spoken: null,
        audio: null,
        end,
      });
    } else if (who === 'assistant' && text.trim() !== 'None') {
      turn += 1;
      events.push({ type: 'agent', turn, text, reasoning: null });
    } else if (who === 'tool') {
      turn += 1;
      const ids = { turn, callId: `c${turn}` };
      const ok = !/^Error/i.test(text);
      events.push(
        { type: 'tool_call', ...ids, ...calls.guess(text), reasoning: null },
        { type: 'tool_result', ...ids, ok, content: text },
      );
    }
  }
  const header = {
    ...{ type: 'episode' as const, version: 1 as const, episode, mode: 'text' as const, seed: 1, trial: 0 },
    ...{ agent: 'real', customer: 'real', voice: null, source: 'tau1' as const, rules: 'tau1' as const },
    ...{ worldHash: 'w', policyHash: 'p', toolsHash: 't', limits: { maxTurns: 30, maxErrors: 10 } },
    task: {
      ...{ id: episode, splits: [], instruction: '', groundTruth: calls.writes, communicate: [] },
      ...{ assertions: [], rewardBasis: ['DB' as const], tags: [] },
    },
  };
  const end = { type: 'end' as const, turn, reason: 'customer_stop' as const, owner: 'user' as const };
  const outcome = {
    ...{
      type: 'outcome' as const,
      rule: 'tau' as const,
      reward: 1,
      success: true,
      unscored: [],
      difference: [],
      unsaid: [],
    },
    scores: { database: 1, writes: 1, communicate: null, actions: 1, assertions: null },
  };
  return { header, events: [header, ...events, end, outcome], end, outcome };
}
