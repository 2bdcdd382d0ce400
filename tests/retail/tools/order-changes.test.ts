import { describe, expect, it } from 'vitest';
import {
  createSession,
  type Order,
  type RuleSet,
  type ToolResult,
  type User,
} from '../../../src/retail/index.js';
import { smallWorld } from '../../helpers/small-retail-world.js';

const RULE_SETS: RuleSet[] = ['parlor', 'tau1', 'tau2'];

function open(rules: RuleSet) {
  const session = createSession(smallWorld, rules);
  const giftCard = (userId: string, methodId: string) => {
    const user = (session.call('get_user_details', { user_id: userId }) as { value: User }).value;
    const method = user.payment_methods[methodId];
    return method?.source === 'gift_card' ? method.balance : undefined;
  };
  return {
    call: (name: string, args: object): ToolResult => session.call(name, args),
    order: (orderId = '#W0000001') =>
      (session.call('get_order_details', { order_id: orderId }) as { value: Order }).value,
    giftCard,
    cancel: (orderId = '#W0000001', reason = 'no longer needed') =>
      session.call('cancel_pending_order', { order_id: orderId, reason }),
    pay: (method: string, orderId = '#W0000001') =>
      session.call('modify_pending_order_payment', { order_id: orderId, payment_method_id: method }),
    modify: (items: string[], newItems: string[], method = 'card_1') =>
      session.call('modify_pending_order_items', {
        order_id: '#W0000001',
        item_ids: items,
        new_item_ids: newItems,
        payment_method_id: method,
      }),
    exchange: (items: string[], newItems: string[], method = 'card_1') =>
      session.call('exchange_delivered_order_items', {
        order_id: '#W0000002',
        item_ids: items,
        new_item_ids: newItems,
        payment_method_id: method,
      }),
    giveBack: (items: string[], method = 'card_1') =>
      session.call('return_delivered_order_items', {
        order_id: '#W0000002',
        item_ids: items,
        payment_method_id: method,
      }),
  };
}

const payment = (amount: number, payment_method_id: string) => ({
  transaction_type: 'payment',
  amount,
  payment_method_id,
});
const refund = (amount: number, payment_method_id: string) => ({
  transaction_type: 'refund',
  amount,
  payment_method_id,
});

describe.each(RULE_SETS)('under %s', (rules) => {
  it('cancelling refunds the payment and stores the reason; twice is refused', () => {
    const shop = open(rules);
    expect(shop.cancel()).toMatchObject({ ok: true });
    expect(shop.order()).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'no longer needed',
      payment_history: [payment(71, 'card_1'), refund(71, 'card_1')],
    });
    expect(shop.cancel()).toMatchObject({ ok: false, code: 'order-not-pending' });
    expect(shop.cancel('#W0000002')).toMatchObject({ ok: false, code: 'order-not-pending' });
    expect(shop.cancel('#W0000003', 'too late')).toMatchObject({ ok: false, code: 'invalid-reason' });
  });

  it('a gift card pays to the last cent, gets refunds at once, and cannot pay more than it holds', () => {
    const shop = open(rules);
    expect(shop.pay('gift_card_1')).toMatchObject({ ok: false, code: 'insufficient-gift-card-balance' });
    expect(shop.pay('gift_card_2', '#W0000003')).toMatchObject({ ok: true });
    expect(shop.giftCard('otto_brandt_2', 'gift_card_2')).toBe(0);
    expect(shop.order('#W0000003').payment_history).toEqual([
      payment(12.1, 'paypal_2'),
      payment(12.1, 'gift_card_2'),
      refund(12.1, 'paypal_2'),
    ]);
  });

  it('the payment can be changed once, to another method of the same customer', () => {
    const shop = open(rules);
    expect(shop.pay('card_1')).toMatchObject({ ok: false, code: 'same-payment-method' });
    expect(shop.pay('paypal_2')).toMatchObject({ ok: false, code: 'payment-method-not-found' });
    expect(shop.pay('__proto__')).toMatchObject({ ok: false, code: 'payment-method-not-found' });
    expect(shop.pay('paypal_1')).toMatchObject({ ok: true });
    expect(shop.pay('card_2')).toMatchObject({ ok: false, code: 'payment-already-changed' });
    expect(shop.order().status).toBe('pending');
  });

  it('each modified item gets its own price and options, and the difference is paid once', () => {
    const shop = open(rules);
    // (50.60 - 30.50) + (12.10 - 10.00) = 22.20
    expect(shop.modify(['L1', 'M1'], ['L2', 'M2'])).toMatchObject({ ok: true });
    expect(shop.order()).toMatchObject({
      status: 'pending (item modified)',
      items: [
        { item_id: 'M2', price: 12.1, options: { colour: 'blue' } },
        { item_id: 'L2', price: 50.6, options: { 'height/width': 'high' } },
        { item_id: 'L1', price: 30.5 },
      ],
      payment_history: [payment(71, 'card_1'), payment(22.2, 'card_1')],
    });
    expect(shop.modify(['L1'], ['L2'])).toMatchObject({ ok: false, code: 'order-not-pending' });
    expect(shop.cancel()).toMatchObject({ ok: false, code: 'order-not-pending' });
  });

  it('a cheaper item is refunded, to the gift card at once', () => {
    const shop = open(rules);
    const both = open(rules);
    expect(shop.modify(['L1', 'L1'], ['L2', 'L3'], 'gift_card_1')).toMatchObject({
      ok: false,
      code: 'insufficient-gift-card-balance',
    });
    expect(both.modify(['L1'], ['L3'], 'gift_card_1')).toMatchObject({ ok: true });
    expect(both.giftCard('wilma_dorn_1', 'gift_card_1')).toBe(19.99);
  });

  it.each([
    ['a copy more than the order has', ['L1', 'L1', 'L1'], ['L2', 'L2', 'L2'], 'item-not-in-order'],
    ['an item of another order', ['M2'], ['M1'], 'item-not-in-order'],
    ['lists of different length', ['L1', 'M1'], ['L2'], 'item-lists-differ'],
    ['a variant of another product', ['L1'], ['M2'], 'variant-not-found'],
    ['a name that every object has', ['L1'], ['toString'], 'variant-not-found'],
    ['a variant out of stock', ['M1'], ['M3'], 'variant-unavailable'],
    ['the second of two items', ['L1', 'M1'], ['L2', 'M3'], 'variant-unavailable'],
  ])('modifying %s is refused and changes nothing', (_what, items, newItems, code) => {
    const shop = open(rules);
    expect(shop.modify(items, newItems)).toMatchObject({ ok: false, code });
    expect(shop.order()).toBe(smallWorld.orders.get('#W0000001'));
  });

  it('a return stores sorted items and goes to the original method or a gift card only', () => {
    const shop = open(rules);
    expect(shop.giveBack(['M1'], 'paypal_1')).toMatchObject({ ok: false, code: 'refund-method-not-allowed' });
    expect(shop.giveBack(['M1', 'M1'])).toMatchObject({ ok: false, code: 'item-not-in-order' });
    expect(shop.giveBack(['M1', 'L1'], 'gift_card_1')).toMatchObject({ ok: true });
    expect(shop.order('#W0000002')).toMatchObject({
      status: 'return requested',
      return_items: ['L1', 'M1'],
      return_payment_method_id: 'gift_card_1',
    });
    expect(shop.giftCard('wilma_dorn_1', 'gift_card_1')).toBe(20);
    expect(shop.exchange(['M1'], ['M2'])).toMatchObject({ ok: false, code: 'order-not-delivered' });
  });

  it('an exchange stores items, method and difference, and moves no money', () => {
    const shop = open(rules);
    expect(shop.exchange(['L1'], ['L2'], 'gift_card_1')).toMatchObject({
      ok: false,
      code: 'insufficient-gift-card-balance',
    });
    expect(shop.exchange(['M1', 'L1'], ['M2', 'L3'])).toMatchObject({ ok: true });
    expect(shop.order('#W0000002')).toMatchObject({
      status: 'exchange requested',
      exchange_items: ['L1', 'M1'],
      exchange_new_items: ['L3', 'M2'],
      exchange_payment_method_id: 'card_1',
      exchange_price_difference: 2.11,
      payment_history: [payment(40.5, 'card_1')],
    });
  });
});

describe('where the rule sets differ', () => {
  const outcomes = (act: (shop: ReturnType<typeof open>) => unknown) =>
    RULE_SETS.map((rules) => act(open(rules)));
  const codes = (act: (shop: ReturnType<typeof open>) => ToolResult) =>
    outcomes((shop) => {
      const result = act(shop);
      return result.ok ? 'ok' : result.code;
    });

  it('no items at all: refused by parlor, accepted by the references', () => {
    expect(codes((shop) => shop.giveBack([]))).toEqual(['no-items', 'ok', 'ok']);
    expect(codes((shop) => shop.exchange([], []))).toEqual(['no-items', 'ok', 'ok']);
    expect(codes((shop) => shop.modify([], []))).toEqual(['no-items', 'ok', 'ok']);
  });

  it('the same item: tau2 refuses it in a modification, parlor in an exchange too', () => {
    expect(codes((shop) => shop.modify(['L1'], ['L1']))).toEqual(['same-item', 'ok', 'same-item']);
    expect(codes((shop) => shop.exchange(['L1'], ['L1']))).toEqual(['same-item', 'ok', 'ok']);
  });

  it('the address of an order with modified items: closed in tau1 only', () => {
    const address = { address1: '9 Elm', address2: '', city: 'X', country: 'USA', state: 'MA', zip: '1' };
    const change = (shop: ReturnType<typeof open>, address1: string) =>
      shop.call('modify_pending_order_address', { order_id: '#W0000001', ...address, address1 });
    expect(
      codes((shop) => {
        shop.modify(['L1'], ['L2']);
        return change(shop, '9 Elm');
      }),
    ).toEqual(['ok', 'order-not-pending', 'ok']);
    expect(codes((shop) => change(shop, ' '))).toEqual(['invalid-address', 'ok', 'ok']);
  });

  it('cancelling after a change of payment: parlor refunds what was paid in net, once', () => {
    const act = (shop: ReturnType<typeof open>) => {
      shop.pay('gift_card_2', '#W0000003');
      shop.cancel('#W0000003');
      return [shop.order('#W0000003').payment_history.length, shop.giftCard('otto_brandt_2', 'gift_card_2')];
    };
    // The references refund all three entries: 0 + 12.10 for the payment by gift card; PayPal's two go to PayPal.
    expect(outcomes(act)).toEqual([
      [4, 12.1],
      [6, 12.1],
      [6, 12.1],
    ]);
  });

  it('a modification at no difference in price: the references write a refund of nothing', () => {
    const history = (shop: ReturnType<typeof open>) => {
      shop.modify(['M1'], ['M4']);
      return shop.order().payment_history.length;
    };
    expect(outcomes(history)).toEqual([1, 2, 2]);
  });

  it('exchange pairs: parlor keeps them aligned, the references sort each list apart', () => {
    const lists = (shop: ReturnType<typeof open>) => {
      shop.exchange(['M1', 'L1'], ['A5', 'L3']);
      const { exchange_items, exchange_new_items } = shop.order('#W0000002');
      return [exchange_items, exchange_new_items];
    };
    const apart = [
      ['L1', 'M1'],
      ['A5', 'L3'],
    ];
    expect(outcomes(lists)).toEqual([
      [
        ['L1', 'M1'],
        ['L3', 'A5'],
      ],
      apart,
      apart,
    ]);
  });
});
