import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSession, type Order, type User } from '../../../src/retail/index.js';
import { formatCents, roundToCents, toCents, toDollars } from '../../../src/retail/money.js';
import { smallWorld } from '../../helpers/small-retail-world.js';

describe('money', () => {
  it('goes from dollars to cents and back without loss', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e11, max: 1e11 }), (cents) => {
        expect(toCents(toDollars(cents))).toBe(cents);
        expect(toCents(roundToCents(cents / 100 + 1e-7))).toBe(cents);
      }),
      { seed: 6 },
    );
  });

  it('reads as people write it', () => {
    expect([0, 5, 1250, 123456789, -1250].map(formatCents)).toEqual([
      '$0.00',
      '$0.05',
      '$12.50',
      '$1,234,567.89',
      '-$12.50',
    ]);
  });

  it('never is minus nothing', () => {
    expect(Object.is(toDollars(-0), 0)).toBe(true);
    expect(Object.is(roundToCents(-0.001), 0)).toBe(true);
  });
});

describe('under parlor rules', () => {
  const methods = ['card_1', 'gift_card_1', 'gift_card_2', 'paypal_1', 'paypal_2'] as const;
  const method = fc.constantFrom(...methods);
  const order_id = fc.constantFrom('#W0000001', '#W0000003');
  const call = fc.oneof(
    fc.tuple(
      fc.constant('cancel_pending_order'),
      fc.record({ order_id, reason: fc.constant('no longer needed') }),
    ),
    fc.tuple(fc.constant('modify_pending_order_payment'), fc.record({ order_id, payment_method_id: method })),
    fc
      .tuple(
        fc.constant('modify_pending_order_items'),
        fc.array(fc.constantFrom(['M1', 'M2'], ['M1', 'M4'], ['M2', 'M1'], ['L1', 'L2'], ['L1', 'L3']), {
          maxLength: 3,
        }),
        order_id,
        method,
      )
      .map(([name, pairs, id, payment_method_id]) => [
        name,
        {
          order_id: id,
          item_ids: pairs.map(([old]) => old),
          new_item_ids: pairs.map(([, fresh]) => fresh),
          payment_method_id,
        },
      ]),
  );

  it('a pending order is paid exactly, a cancelled one refunded exactly, and gift cards lose what they paid', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 6 }), (calls) => {
        const session = createSession(smallWorld, 'parlor');
        for (const [name, args] of calls) session.call(name as string, args);
        const paidByGiftCard = new Map<string, number>();
        for (const id of ['#W0000001', '#W0000003']) {
          const { value: order } = session.call('get_order_details', { order_id: id }) as { value: Order };
          let net = 0;
          for (const { transaction_type, amount, payment_method_id } of order.payment_history) {
            const cents = transaction_type === 'payment' ? toCents(amount) : -toCents(amount);
            net += cents;
            paidByGiftCard.set(payment_method_id, (paidByGiftCard.get(payment_method_id) ?? 0) + cents);
          }
          const worth = order.items.reduce((sum, item) => sum + toCents(item.price), 0);
          expect(net).toBe(order.status === 'cancelled' ? 0 : worth);
        }
        for (const [userId, methodId, startCents] of [
          ['wilma_dorn_1', 'gift_card_1', 2000],
          ['otto_brandt_2', 'gift_card_2', 1210],
        ] as const) {
          const { value: user } = session.call('get_user_details', { user_id: userId }) as { value: User };
          const card = user.payment_methods[methodId];
          const balance = card?.source === 'gift_card' ? toCents(card.balance) : Number.NaN;
          expect(balance).toBe(startCents - (paidByGiftCard.get(methodId) ?? 0));
          expect(balance).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 1000, seed: 7 },
    );
  });
});
