import { describe, expect, it } from 'vitest';
import {
  createSession,
  findGroundTruthFaults,
  type OutcomeRule,
  type RetailDomain,
  type Task,
  type ToolCall,
  verify,
} from '../../../src/retail/index.js';
import { smallDomain, smallTask, smallWorld } from '../../helpers/small-retail-world.js';

const cancel: ToolCall = {
  name: 'cancel_pending_order',
  arguments: { order_id: '#W0000001', reason: 'no longer needed' },
};
const read: ToolCall = { name: 'get_order_details', arguments: { order_id: '#W0000001' } };
const exchange = (items: string[], newItems: string[]): ToolCall => ({
  name: 'exchange_delivered_order_items',
  arguments: { order_id: '#W0000002', item_ids: items, new_item_ids: newItems, payment_method_id: 'card_1' },
});
const transfer: ToolCall = { name: 'transfer_to_human_agents', arguments: { summary: 'x' } };

interface Episode {
  task: Task;
  calls?: ToolCall[];
  said?: string[];
  rule?: OutcomeRule;
  endedInOrder?: boolean;
}

function judge(
  domain: RetailDomain,
  { task, calls = [], said = [], rule = 'tau', endedInOrder = true }: Episode,
) {
  const session = domain.openSession();
  for (const call of calls) session.call(call.name, call.arguments);
  return verify({ task, session, agentMessages: said, rule, endedInOrder }, domain);
}

const tau2 = smallDomain('tau2');
const parlor = smallDomain('parlor');

describe('the end state', () => {
  it('right calls succeed, nothing done fails and says what is missing', () => {
    const task = smallTask({ groundTruth: [read, cancel] });
    expect(judge(tau2, { task, calls: [read, cancel] })).toMatchObject({
      reward: 1,
      success: true,
      difference: [],
    });
    const idle = judge(tau2, { task });
    expect(idle).toMatchObject({ reward: 0, success: false, scores: { database: 0, writes: 0, actions: 0 } });
    expect(idle.difference).toEqual([
      "order #W0000001: status is 'pending', should be 'cancelled'",
      'order #W0000001: payments should have: refund of $71.00 to card_1',
      "order #W0000001: cancel reason is not set, should be 'no longer needed'",
    ]);
  });

  it('another reason, a needless write, a wrong item and a wrong method all fail', () => {
    const wrongReason = { ...cancel, arguments: { ...cancel.arguments, reason: 'ordered by mistake' } };
    const task = smallTask({ groundTruth: [cancel] });
    expect(judge(tau2, { task, calls: [wrongReason] }).scores.database).toBe(0);
    expect(judge(tau2, { task, calls: [cancel, exchange(['M1'], ['M2'])] }).scores.database).toBe(0);
    const swap = smallTask({ groundTruth: [exchange(['M1'], ['M2'])] });
    expect(judge(tau2, { task: swap, calls: [exchange(['M1'], ['M4'])] }).difference).toContain(
      'order #W0000002: exchange new items is M4, should be M2',
    );
    const byPaypal = { ...exchange(['M1'], ['M2']) };
    byPaypal.arguments = { ...byPaypal.arguments, payment_method_id: 'paypal_1' };
    expect(judge(tau2, { task: swap, calls: [byPaypal] }).difference).toEqual([
      "order #W0000002: exchange payment method id is 'paypal_1', should be 'card_1'",
    ]);
  });

  it('a change that was taken back, and another order of independent calls, are no difference', () => {
    const address = smallWorld.users.get('wilma_dorn_1')?.address;
    const move = (address1: string): ToolCall => ({
      name: 'modify_user_address',
      arguments: { user_id: 'wilma_dorn_1', ...address, address1 },
    });
    const task = smallTask({ groundTruth: [cancel, exchange(['M1', 'L1'], ['M2', 'L3'])] });
    const calls = [move('elsewhere'), exchange(['L1', 'M1'], ['L3', 'M2']), cancel, move('1 Mill Lane')];
    const outcome = judge(tau2, { task, calls });
    expect(outcome.scores).toMatchObject({ database: 1, writes: 0 });
  });

  it('items of one order are a multiset, with prices to the cent and options', () => {
    const modify = (items: string[], newItems: string[]): ToolCall => ({
      name: 'modify_pending_order_items',
      arguments: {
        order_id: '#W0000001',
        item_ids: items,
        new_item_ids: newItems,
        payment_method_id: 'card_1',
      },
    });
    const task = smallTask({ groundTruth: [modify(['L1', 'L1'], ['L2', 'L3'])] });
    expect(judge(tau2, { task, calls: [modify(['L1', 'L1'], ['L3', 'L2'])] }).scores.database).toBe(1);
    const wrong = judge(tau2, { task, calls: [modify(['L1'], ['L2'])] });
    expect(wrong.difference).toEqual(
      expect.arrayContaining([
        'order #W0000001: items should not have: Lamp L1 at $30.50 (height/width low)',
        'order #W0000001: items should have: Lamp L3 at $30.51 (height/width middle)',
        'order #W0000001: payments should not have: payment of $20.10 by card_1',
        'order #W0000001: payments should have: payment of $20.11 by card_1',
      ]),
    );
  });

  it('gift-card balances and addresses are told in words', () => {
    const pay: ToolCall = {
      name: 'modify_pending_order_payment',
      arguments: { order_id: '#W0000003', payment_method_id: 'gift_card_2' },
    };
    const task = smallTask({ groundTruth: [pay] });
    expect(judge(tau2, { task }).difference).toContain(
      'user otto_brandt_2: gift_card_2 holds $12.10, should be: holds $0.00',
    );
    const home = smallWorld.users.get('wilma_dorn_1')?.address;
    const move = { name: 'modify_user_address', arguments: { user_id: 'wilma_dorn_1', ...home, zip: '1' } };
    expect(judge(tau2, { task: smallTask({}), calls: [move] }).difference).toEqual([
      "user wilma_dorn_1: address is '1 Mill Lane, Boston, MA 1, USA', should be '1 Mill Lane, Boston, MA 02139, USA'",
    ]);
  });

  it('a hand-over to a person counts under parlor rules only', () => {
    const handOver = smallTask({ groundTruth: [transfer] });
    const nothing = smallTask({});
    expect(judge(parlor, { task: handOver, calls: [transfer] }).reward).toBe(1);
    expect(judge(parlor, { task: handOver }).difference).toEqual([
      'the conversation was not handed over to a person, but should have been',
    ]);
    expect(judge(parlor, { task: nothing, calls: [transfer] }).reward).toBe(0);
    expect(judge(tau2, { task: handOver }).reward).toBe(1);
    expect(judge(tau2, { task: nothing, calls: [transfer] }).reward).toBe(1);
  });
});

describe('the three rules', () => {
  it('tarl looks at successful write calls alone: failed ones and reads do not count, doubled ones do', () => {
    const task = smallTask({ groundTruth: [read, cancel], communicate: ['never said'] });
    const tarl = (calls: ToolCall[]) => judge(tau2, { task, calls, rule: 'tarl' }).reward;
    expect(tarl([cancel])).toBe(1);
    // The second one fails, since the order is cancelled.
    expect(tarl([cancel, cancel])).toBe(1);
    const home = smallWorld.users.get('wilma_dorn_1')?.address;
    const move = { name: 'modify_user_address', arguments: { user_id: 'wilma_dorn_1', ...home } };
    expect(tarl([cancel, move])).toBe(0);
    const twice = smallTask({ groundTruth: [move] });
    expect(judge(tau2, { task: twice, calls: [move, move], rule: 'tarl' }).reward).toBe(0);
    expect(judge(tau2, { task: twice, calls: [move, move], rule: 'tau' }).reward).toBe(1);
  });

  it('tarl takes items as pairs, whatever their order, and not as two lists', () => {
    const task = smallTask({ groundTruth: [exchange(['M1', 'L1'], ['M2', 'L3'])] });
    const tarl = (call: ToolCall) => judge(tau2, { task, calls: [call], rule: 'tarl' }).scores.writes;
    expect(tarl(exchange(['L1', 'M1'], ['L3', 'M2']))).toBe(1);
    expect(tarl(exchange(['M1'], ['M2']))).toBe(0);
  });

  it('a ground-truth write that fails is not asked of the agent', () => {
    const task = smallTask({ groundTruth: [cancel, cancel] });
    expect(judge(tau2, { task, calls: [cancel], rule: 'tarl' }).reward).toBe(1);
    expect(findGroundTruthFaults(tau2, task)).toMatchObject([{ taskId: 'task', callIndex: 1, call: cancel }]);
  });

  it('tau also wants every required string, without regard to case and commas on either side', () => {
    const task = smallTask({ communicate: ['1,054.99', 'Blue'] });
    expect(judge(tau2, { task, said: ['That is $1054.99', 'the BLUE one'] })).toMatchObject({
      reward: 1,
      unsaid: [],
    });
    expect(judge(tau2, { task, said: ['That is $1,054.99'] })).toMatchObject({
      reward: 0,
      unsaid: ['Blue'],
      scores: { database: 1, communicate: 0 },
    });
    expect(judge(tau2, { task: smallTask({}) }).scores.communicate).toBeNull();
  });

  it('tau2 multiplies what the task names, and says what it could not score', () => {
    const task = smallTask({
      communicate: ['7'],
      assertions: ['Be nice.'],
      rewardBasis: ['DB', 'NL_ASSERTION'],
    });
    const outcome = judge(tau2, { task, rule: 'tau2' });
    expect(outcome).toMatchObject({ reward: 1, unscored: ['NL_ASSERTION'], unsaid: ['7'] });
    expect(outcome.scores).toMatchObject({ assertions: null, communicate: 0 });
    expect(judge(tau2, { task, rule: 'tau' }).unscored).toEqual([]);
    expect(judge(tau2, { task: { ...task, assertions: [] }, rule: 'tau2' }).unscored).toEqual([]);
    expect(judge(tau2, { task: { ...task, rewardBasis: ['COMMUNICATE'] }, rule: 'tau2' }).reward).toBe(0);
    const acted = { ...task, groundTruth: [read], rewardBasis: ['ACTION' as const] };
    expect(judge(tau2, { task: acted, rule: 'tau2' }).reward).toBe(0);
    expect(judge(tau2, { task: acted, calls: [read], rule: 'tau2' }).reward).toBe(1);
    expect(judge(tau2, { task: { ...task, rewardBasis: ['ENV_ASSERTION'] }, rule: 'tau2' }).unscored).toEqual(
      ['ENV_ASSERTION'],
    );
  });

  it.each(['tarl', 'tau', 'tau2'] as const)(
    'an episode cut short gets no reward by %s and keeps its scores',
    (rule) => {
      const task = smallTask({ groundTruth: [cancel] });
      const outcome = judge(tau2, { task, calls: [cancel], rule, endedInOrder: false });
      expect(outcome).toMatchObject({ rule, reward: 0, success: false });
      expect(outcome.scores).toEqual({
        database: 1,
        writes: 1,
        communicate: null,
        actions: 1,
        assertions: null,
      });
    },
  );

  it('refuses a session of another world or other rules', () => {
    const session = createSession(smallWorld, 'tau1');
    expect(() =>
      verify({ task: smallTask({}), session, agentMessages: [], rule: 'tau', endedInOrder: true }, tau2),
    ).toThrow(TypeError);
  });
});
