import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RuleSet, type ToolCall, verify } from '../../../src/retail/index.js';
import { smallDomain, smallTask } from '../../helpers/small-retail-world.js';

const orderId = fc.constantFrom('#W0000001', '#W0000002', '#W0000003');
const method = fc.constantFrom('card_1', 'gift_card_1', 'paypal_1', 'paypal_2', 'gift_card_2');
const items = fc.array(fc.constantFrom('M1', 'L1', 'M2'), { maxLength: 3 });
const newItems = fc.array(fc.constantFrom('M1', 'M2', 'M4', 'A5', 'L2', 'L3'), { maxLength: 3 });
const address = fc.record({
  address1: fc.constantFrom('1 Mill Lane', '9 Elm'),
  address2: fc.constant(''),
  city: fc.constant('Boston'),
  country: fc.constant('USA'),
  state: fc.constant('MA'),
  zip: fc.constantFrom('02139', '99999'),
});

const call: fc.Arbitrary<ToolCall> = fc
  .oneof(
    fc.tuple(
      fc.constant('cancel_pending_order'),
      fc.record({ order_id: orderId, reason: fc.constantFrom('no longer needed', 'ordered by mistake') }),
    ),
    fc.tuple(
      fc.constant('modify_pending_order_payment'),
      fc.record({ order_id: orderId, payment_method_id: method }),
    ),
    fc.tuple(
      fc.constantFrom('modify_pending_order_items', 'exchange_delivered_order_items'),
      fc.record({ order_id: orderId, item_ids: items, new_item_ids: newItems, payment_method_id: method }),
    ),
    fc.tuple(
      fc.constant('return_delivered_order_items'),
      fc.record({ order_id: orderId, item_ids: items, payment_method_id: method }),
    ),
    fc.tuple(
      fc.constant('modify_user_address'),
      address.map((value) => ({ user_id: 'wilma_dorn_1', ...value })),
    ),
    fc.tuple(
      fc.constant('modify_pending_order_address'),
      address.map((value) => ({ order_id: '#W0000001', ...value })),
    ),
    fc.tuple(fc.constant('transfer_to_human_agents'), fc.constant({ summary: 'x' })),
  )
  .map(([name, args]) => ({ name, arguments: args }));

const calls = fc.array(call, { maxLength: 6 });

function judge(rules: RuleSet, truth: readonly ToolCall[], made: readonly ToolCall[]) {
  const domain = smallDomain(rules);
  const session = domain.openSession();
  for (const { name, arguments: args } of made) session.call(name, args);
  const task = smallTask({ groundTruth: [...truth] });
  return verify({ task, session, agentMessages: [], rule: 'tau', endedInOrder: true }, domain);
}

describe.each(['parlor', 'tau1', 'tau2'] as const)('under %s', (rules) => {
  it('whoever makes the calls of the ground truth is right, whatever the calls', () => {
    fc.assert(
      fc.property(calls, (truth) => {
        const { scores, difference } = judge(rules, truth, truth);
        expect([scores.database, scores.writes, difference]).toEqual([1, 1, []]);
      }),
      { numRuns: 300, seed: 3 },
    );
  });

  it('two end states differ the same way from either side, and every difference is told', () => {
    fc.assert(
      fc.property(calls, calls, (left, right) => {
        const one = judge(rules, left, right);
        const other = judge(rules, right, left);
        expect(one.scores.database).toBe(other.scores.database);
        expect(one.difference.length > 0).toBe(one.scores.database === 0);
      }),
      { numRuns: 300, seed: 4 },
    );
  });

  it('no amount ever has a fraction of a cent, whatever happens', () => {
    fc.assert(
      fc.property(calls, (made) => {
        const domain = smallDomain(rules);
        const session = domain.openSession();
        for (const { name, arguments: args } of made) {
          const { content } = session.call(name, args);
          for (const [amount] of content.matchAll(/-?\d+\.\d+/g))
            expect(amount.split('.')[1]?.length).toBeLessThanOrEqual(2);
        }
      }),
      { numRuns: 300, seed: 5 },
    );
  });
});
