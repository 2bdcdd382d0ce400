import { describe, expect, it } from 'vitest';
import { type TierOptions, tiersOf } from '../../../src/scoring/rewards/tiers.js';
import { turnsOf } from '../../../src/scoring/turns.js';
import { call, makeRecord, makeTask, type Step } from '../record-builder.js';

const read = call('get_order_details', { order_id: '#W1' });
const write = call('return_delivered_order_items', {
  order_id: '#W1',
  item_ids: ['1', '2'],
  payment_method_id: 'gift_card_1',
});

function tiers(groundTruth: (typeof read)[], steps: Step[], options?: TierOptions) {
  return tiersOf(turnsOf(makeRecord(makeTask('1', groundTruth), steps)), groundTruth, options);
}
const names = (...args: Parameters<typeof tiers>) => tiers(...args).map((turn) => turn.tier);

describe('tiers of turns', () => {
  it('words are a message, the exact call is gold, whatever the order of its keys and the type of its numbers', () => {
    const wanted = call('calculate', { a: 1, b: 'x' });
    expect(names([wanted], ['Hi', { call: call('calculate', { b: 'x', a: '1' }) }])).toEqual([
      'message',
      'gold',
    ]);
  });

  it('a failed call is an error, even with the right arguments, and so is one whose result never came', () => {
    expect(names([read], [{ call: read, ok: false }, { call: read }])).toEqual(['error', 'gold']);
    expect(names([read], [{ call: read, pending: true }])).toEqual(['error']);
  });

  it('a near miss is worth its share of the right arguments', () => {
    const near = call(write.name, { ...write.arguments, payment_method_id: 'paypal_9' });
    const [turn] = tiers([write], [{ call: near }]);
    expect(turn).toEqual({ tier: 'soft', share: 2 / 3, matched: 0 });
  });

  it('the right tool without one right argument is no near miss', () => {
    expect(names([read], [{ call: call(read.name, { order_id: '#W9' }) }])).toEqual(['read']);
    expect(names([write], [{ call: call(write.name, { order_id: '#W9' }) }])).toEqual(['state']);
  });

  it('one ground-truth call is matched once: the second exact call is a duplicate', () => {
    expect(names([read], [{ call: read }, { call: read }])).toEqual(['gold', 'duplicate']);
    expect(names([read, read], [{ call: read }, { call: read }])).toEqual(['gold', 'gold']);
  });

  it('an earlier near miss cannot take the call that a later turn gets right', () => {
    const near = call(write.name, { ...write.arguments, payment_method_id: 'paypal_9' });
    expect(names([write], [{ call: near }, { call: write }])).toEqual(['state', 'gold']);
  });

  it('near misses take the free call that they fit best, and take it once', () => {
    const first = call(write.name, { order_id: '#W1', item_ids: ['1'], payment_method_id: 'p1' });
    const second = call(write.name, { order_id: '#W2', item_ids: ['2'], payment_method_id: 'p2' });
    const nearSecond = call(write.name, { order_id: '#W2', item_ids: ['2'], payment_method_id: 'p1' });
    const alsoSecond = call(write.name, { order_id: '#W2', item_ids: ['9'], payment_method_id: 'p9' });
    expect(tiers([first, second], [{ call: nearSecond }, { call: alsoSecond }])).toEqual([
      { tier: 'soft', share: 2 / 3, matched: 1 },
      { tier: 'state', share: 0, matched: null },
    ]);
  });

  it('looking again is a duplicate, unless something was changed in between', () => {
    const again: Step[] = [{ call: read }, { call: write }, { call: read }, { call: read }, { call: write }];
    expect(names([], again)).toEqual(['read', 'state', 'read', 'duplicate', 'duplicate']);
    expect(names([], again, { duplicateReads: 'ever' })).toEqual([
      'read',
      'state',
      'duplicate',
      'duplicate',
      'duplicate',
    ]);
  });

  it('a call may be tried again after it failed', () => {
    expect(names([], [{ call: write, ok: false }, { call: write }])).toEqual(['error', 'state']);
  });

  it('a hand-over to a human changes state, an unknown tool too unless its name says that it reads', () => {
    const steps = ['transfer_to_human_agents', 'frobnicate', 'get_weather', 'think'].map((name) => ({
      call: call(name),
    }));
    expect(names([], steps)).toEqual(['state', 'state', 'read', 'read']);
    expect(names([], steps, { toolKind: () => 'read' })).toEqual(['read', 'read', 'read', 'read']);
  });

  it('a ground-truth call without arguments is matched by a call without arguments only', () => {
    const list = call('list_all_airports');
    expect(names([list], [{ call: call('list_all_airports', { page: 2 }) }])).toEqual(['read']);
    expect(names([list], [{ call: list }])).toEqual(['gold']);
  });
});
