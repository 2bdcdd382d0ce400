import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesOf } from '../../src/retail/conformance/compare.js';
import { createSession, type RuleSet, toolDefinitions } from '../../src/retail/index.js';
import { overlayOf } from '../../src/retail/session.js';
import { smallWorld, smallWorldJson } from '../helpers/small-retail-world.js';

const RULE_SETS: RuleSet[] = ['parlor', 'tau1', 'tau2'];
const address = {
  address1: '9 Elm',
  address2: '',
  city: 'Boston',
  country: 'USA',
  state: 'MA',
  zip: '99999',
};

describe('a session', () => {
  it('sees its own changes, and no other session does', () => {
    const one = createSession(smallWorld, 'parlor');
    const two = createSession(smallWorld, 'parlor');
    one.call('cancel_pending_order', { order_id: '#W0000001', reason: 'no longer needed' });
    const status = (session: typeof one) => {
      const result = session.call('get_order_details', { order_id: '#W0000001' });
      return result.ok && (result.value as { status: string }).status;
    };
    expect(status(one)).toBe('cancelled');
    expect(status(two)).toBe('pending');
  });

  it('leaves the world as it was, and the world cannot be written to', () => {
    const session = createSession(smallWorld, 'tau2');
    session.call('modify_user_address', { user_id: 'wilma_dorn_1', ...address });
    expect(smallWorld.users.get('wilma_dorn_1')).toEqual(smallWorldJson.users.wilma_dorn_1);
    const order = session.call('get_order_details', { order_id: '#W0000002' });
    const changed = session.call('return_delivered_order_items', {
      order_id: '#W0000002',
      item_ids: ['M1'],
      payment_method_id: 'card_1',
    });
    for (const result of [order, changed])
      expect(() => {
        (result as unknown as { value: { items: { price: number }[] } }).value.items[0] = { price: 0 };
      }).toThrow(TypeError);
    expect(() => {
      (changed as unknown as { value: { return_items: string[] } }).value.return_items.push('L1');
    }).toThrow(TypeError);
  });

  it('keeps every call in order with what came of it, as it was when it was made', () => {
    const session = createSession(smallWorld, 'parlor');
    const args = { order_id: '#W0000002', item_ids: ['M1'], payment_method_id: 'card_1' };
    session.call('return_delivered_order_items', args);
    args.item_ids.push('L1');
    session.call('no_such_tool', {});
    session.call('think', 7);
    expect(session.calls).toEqual([
      { name: 'return_delivered_order_items', arguments: { ...args, item_ids: ['M1'] }, ok: true },
      { name: 'no_such_tool', arguments: {}, ok: false },
      { name: 'think', arguments: {}, ok: false },
    ]);
  });

  it('knows that it was handed over', () => {
    const session = createSession(smallWorld, 'parlor');
    expect(session.transferred).toBe(false);
    session.call('transfer_to_human_agents', {});
    expect(session.transferred).toBe(false);
    session.call('transfer_to_human_agents', { summary: 'wants a discount' });
    expect(session.transferred).toBe(true);
  });

  it('finds a user by the zip code of the changed address and no longer by the old one', () => {
    const session = createSession(smallWorld, 'tau2');
    const find = (first_name: string, zip: string) =>
      session.call('find_user_id_by_name_zip', { first_name, last_name: 'DORN', zip });
    expect(find('wilma', '02139')).toMatchObject({ ok: true, value: 'wilma_dorn_1' });
    session.call('modify_user_address', { user_id: 'wilma_dorn_1', ...address });
    expect(find('wilma', '02139')).toMatchObject({ ok: false, code: 'user-not-found' });
    expect(find('Wilma', '99999')).toMatchObject({ ok: true, value: 'wilma_dorn_1' });
    session.call('modify_user_address', { user_id: 'wilma_dorn_1', ...address, zip: '02139' });
    expect(find('wilma', '02139')).toMatchObject({ ok: true });
  });

  it('gives models JSON for records, bare text for ids, and errors that start with "Error: "', () => {
    const session = createSession(smallWorld, 'tau2');
    expect(session.call('find_user_id_by_email', { email: 'WILMA.DORN@example.com' }).content).toBe(
      'wilma_dorn_1',
    );
    const details = session.call('get_user_details', { user_id: 'otto_brandt_2' });
    expect(JSON.parse(details.content)).toEqual(smallWorldJson.users.otto_brandt_2);
    expect(session.call('calculate', { expression: '1.10 + 2' }).content).toBe('3.1');
    expect(session.call('get_order_details', { order_id: 'W0000001' }).content).toMatch(
      /^Error: .*did you mean "#W0000001"/,
    );
  });

  it.each(RULE_SETS)('offers the tools of %s and refuses others by name', (rules) => {
    const names = toolDefinitions(rules).map((tool) => tool.name);
    expect(names).toHaveLength(rules === 'parlor' ? 17 : 16);
    expect(names.includes('think')).toBe(rules !== 'tau2');
    expect(names.includes('get_item_details')).toBe(rules !== 'tau1');
    const session = createSession(smallWorld, rules);
    expect(session.call('drop_tables', {})).toMatchObject({ ok: false, code: 'unknown-tool' });
    expect(session.call('think', { thought: 'hm' }).ok).toBe(rules !== 'tau2');
    expect(session.call('get_item_details', { item_id: 'M3' }).ok).toBe(rules !== 'tau1');
    expect(session.call('__proto__', {})).toMatchObject({ ok: false, code: 'unknown-tool' });
  });

  it('describes every tool and every argument, and marks what cannot be taken back', () => {
    for (const tool of toolDefinitions('parlor')) {
      expect(tool.title.length).toBeGreaterThan(4);
      expect(tool.description.length).toBeGreaterThan(30);
      const { properties, required, additionalProperties } = tool.inputSchema as unknown as {
        properties: Record<string, { description: string; type: string }>;
        required: string[];
        additionalProperties: boolean;
      };
      expect(additionalProperties).toBe(false);
      expect(required).toEqual(Object.keys(properties));
      for (const property of Object.values(properties))
        expect(property.description.length).toBeGreaterThan(8);
    }
    const kinds = toolDefinitions('parlor').map((tool) => tool.kind);
    expect(kinds.filter((kind) => kind === 'read')).toHaveLength(7);
    expect(kinds.filter((kind) => kind === 'write')).toHaveLength(7);
  });

  const rubbish = fc.oneof(
    fc.anything(),
    fc.dictionary(
      fc.constantFrom(
        'order_id',
        'item_ids',
        'new_item_ids',
        'payment_method_id',
        'user_id',
        'reason',
        'zip',
        'expression',
      ),
      fc.oneof(
        fc.anything(),
        fc.constantFrom(
          '#W0000001',
          '#W0000002',
          'wilma_dorn_1',
          '__proto__',
          'constructor',
          'no longer needed',
          'card_1',
        ),
        fc.array(fc.constantFrom('M1', 'L1', 'toString', 'M2'), { maxLength: 3 }),
      ),
    ),
  );

  it.each(RULE_SETS)('never throws on rubbish under %s, and a failed call changes nothing', (rules) => {
    const names = fc.constantFrom(...toolDefinitions('parlor').map((tool) => tool.name), 'constructor');
    fc.assert(
      fc.property(names, rubbish, (name, args) => {
        const session = createSession(smallWorld, rules);
        const result = session.call(name, args);
        if (!result.ok) {
          expect(changesOf(overlayOf(session))).toEqual([]);
          expect(result.content).toBe(`Error: ${result.error}`);
          expect(result.code).toMatch(/^[a-z-]+$/);
        }
      }),
      { numRuns: 1500, seed: 2 },
    );
  });

  it('names every fault of the arguments at once', () => {
    const session = createSession(smallWorld, 'parlor');
    const result = session.call('return_delivered_order_items', {
      order_id: 7,
      item_ids: 'M1',
      colour: 'red',
    });
    expect(result).toMatchObject({ ok: false, code: 'invalid-arguments' });
    for (const part of [
      '"order_id" must be a string; got a number',
      '"item_ids" must be a list',
      '"payment_method_id" is missing',
      '"colour" is not known',
    ])
      expect(result.content).toContain(part);
  });
});
