import { describe, expect, it } from 'vitest';
import { findGroundTruthFaults, loadDomain } from '../../../src/retail/index.js';
import { UsageError } from '../../../src/shared/index.js';
import { tau1Files, tau1Task, tau2Files, tau2Task, writeFolder } from '../../helpers/data-folder.js';
import { hasReferenceData, referencePath } from '../../helpers/reference-data.js';
import { smallDomain, smallWorldJson } from '../../helpers/small-retail-world.js';

async function faultOf(folder: string): Promise<{ code: string; message: string }> {
  const error: unknown = await loadDomain(folder).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(UsageError);
  const { code, message } = error as UsageError;
  expect(message).not.toContain('\n');
  return { code, message };
}

const tau2With = (files: object) => writeFolder({ ...tau2Files(), ...files });

describe('a tau2-bench folder', () => {
  it('gives its world, its policy and its tasks with parts, prose and splits', async () => {
    const domain = await loadDomain(writeFolder(tau2Files()));
    expect(domain).toMatchObject({ source: 'tau2', rules: 'tau2', policy: '# Policy' });
    expect([...domain.world.orders.keys()]).toEqual(Object.keys(smallWorldJson.orders));
    expect(domain.tasks).toHaveLength(2);
    expect(domain.tasks[1]).toEqual({
      id: '1',
      splits: ['test', 'base'],
      instruction:
        'Why you call: You want to cancel #W0000001.\nWhat you know: You are Wilma Dorn, zip 02139.\nHow you go about it: Be brief.',
      parts: {
        reasonForCall: 'You want to cancel #W0000001.',
        knownInfo: 'You are Wilma Dorn, zip 02139.',
        unknownInfo: '',
        taskInstructions: 'Be brief.',
      },
      groundTruth: [
        { name: 'cancel_pending_order', arguments: { order_id: '#W0000001', reason: 'no longer needed' } },
      ],
      communicate: ['71'],
      assertions: [],
      rewardBasis: ['DB', 'NL_ASSERTION'],
      tags: [],
    });
    expect(domain.openSession().call('get_item_details', { item_id: 'M1' }).ok).toBe(true);
    expect(domain.worldHash()).toBe(smallDomain('tau1').worldHash());
  });

  it.each([
    ['db.json', '', 'broken-json', /db\.json: expected JSON; got an empty file/],
    [
      'db.json',
      '{"users": {',
      'broken-json',
      /db\.json: expected JSON; got 11 characters that are damaged or cut off/,
    ],
    ['db.json', '{"users": \n\n oops }', 'broken-json', /db\.json/],
    ['db.json', [], 'invalid-data', /db\.json: at \(the whole file\): expected object; got a list of 0/],
    ['db.json', { ...smallWorldJson, shops: {} }, 'invalid-data', /"shops" is not one/],
    ['tasks.json', {}, 'invalid-data', /tasks\.json: at \(the whole file\): expected list/],
    [
      'tasks.json',
      [tau2Task('0', { evaluation_criteria: { actions: [{ name: 7 }] } })],
      'invalid-data',
      /tasks\.json: at \/0\/evaluation_criteria\/actions\/0\/name: expected string; got 7/,
    ],
    ['tasks.json', [tau2Task('0'), tau2Task('0'), tau2Task('1')], 'duplicate-task', /task "0" occurs twice/],
    [
      'tasks.json',
      [tau2Task('0', { initial_state: { initialization_data: {} } })],
      'unknown-record',
      /names task "1"/,
    ],
    ['split_tasks.json', { test: ['7'] }, 'unknown-record', /split "test" names task "7"/],
    [
      'split_tasks.json',
      { test: 'all' },
      'invalid-data',
      /split_tasks\.json: at \/test: expected list; got "all"/,
    ],
  ])(
    'with a wrong %s (case %#) is refused by place, expectation and what came',
    async (name, content, code, message) => {
      const fault = await faultOf(tau2With({ [name]: content }));
      expect(fault.code).toBe(code);
      expect(fault.message).toMatch(message);
    },
  );

  it('points into the database', async () => {
    const db = structuredClone(smallWorldJson) as unknown as {
      users: Record<string, { orders: unknown[] }>;
      orders: Record<string, { items: { price: unknown }[]; user_id: string; colour?: string }>;
      products: Record<string, { product_id: string }>;
    };
    const changed = async (change: (copy: typeof db) => void) => {
      const copy = structuredClone(db);
      change(copy);
      return (await faultOf(tau2With({ 'db.json': copy }))).message;
    };
    const order = (copy: typeof db) => copy.orders['#W0000001'] as (typeof db.orders)[string];
    expect(await changed((copy) => (order(copy).items as unknown[]).push({}))).toMatch(
      /\/orders\/#W0000001\/items\/3\//,
    );
    expect(await changed((copy) => Object.assign(order(copy).items[0] ?? {}, { price: '10' }))).toMatch(
      /db\.json: at \/orders\/#W0000001\/items\/0\/price: expected number; got "10"/,
    );
    expect(await changed((copy) => Object.assign(order(copy), { user_id: 'nobody' }))).toMatch(
      /at \/orders\/#W0000001\/user_id: expected the id of a user of this world; got "nobody"/,
    );
    expect(await changed((copy) => Object.assign(order(copy), { colour: 'red' }))).toMatch(
      /"colour" is not one/,
    );
    expect(await changed((copy) => copy.users.otto_brandt_2?.orders.push('#W9'))).toMatch(
      /at \/users\/otto_brandt_2\/orders\/1: expected the id of an order of this world; got "#W9"/,
    );
    expect(await changed((copy) => Object.assign(copy.products['P-MUG'] ?? {}, { product_id: 'P' }))).toMatch(
      /at \/products\/P-MUG\/product_id: expected the key, "P-MUG"; got "P"/,
    );
  });

  it('refuses a task that names an order or a user the world lacks, by task and id', async () => {
    const withCall = (name: string, args: object) =>
      tau2With({
        'tasks.json': [
          tau2Task('0'),
          tau2Task('1', { evaluation_criteria: { actions: [{ name, arguments: args }] } }),
        ],
      });
    const unknown = await faultOf(withCall('get_order_details', { order_id: '#W7777777' }));
    expect(unknown).toMatchObject({
      code: 'unknown-record',
      message: expect.stringMatching(/task "1" names order "#W7777777"/),
    });
    expect((await faultOf(withCall('cancel_pending_order', { order_id: '#7', reason: '' }))).message).toMatch(
      /order "#7"/,
    );
    expect((await faultOf(withCall('get_user_details', { user_id: 'nobody_1' }))).message).toMatch(
      /user "nobody_1"/,
    );
    // A customer who gets an order id wrong is part of real tasks.
    await expect(loadDomain(withCall('get_order_details', { order_id: '#7' }))).resolves.toBeDefined();
  });

  it('refuses what it would have to ignore to go on', async () => {
    const started = tau2Task('0', { initial_state: { message_history: [] } });
    const byUser = tau2Task('0', {
      evaluation_criteria: { actions: [{ name: 'x', arguments: {}, requestor: 'user' }] },
    });
    for (const task of [started, byUser])
      expect(await faultOf(tau2With({ 'tasks.json': [task, tau2Task('1')] }))).toMatchObject({
        code: 'unsupported-task',
      });
  });
});

describe('a tau-bench v1 folder', () => {
  it('gives every split, with user ids from the keys', async () => {
    const domain = await loadDomain(writeFolder(tau1Files()));
    expect(domain).toMatchObject({ source: 'tau1', rules: 'tau1', policy: '# Wiki' });
    expect(domain.tasks.map(({ id, splits }) => [id, splits])).toEqual([
      ['dev-0', ['dev']],
      ['test-0', ['test']],
    ]);
    expect(domain.tasks[0]).toMatchObject({
      userId: 'wilma_dorn_1',
      communicate: ['71'],
      rewardBasis: ['DB', 'COMMUNICATE'],
    });
  });

  it('names the user that a task has and the world lacks, and the file that is no object', async () => {
    const task = tau1Task('test-0', { user_id: 'nobody' });
    expect((await faultOf(writeFolder({ ...tau1Files(), 'tasks_test.json': [task] }))).message).toMatch(
      /task "test-0" names user "nobody"/,
    );
    const orders = { ...smallWorldJson.orders, '#W0000003': 7 };
    expect((await faultOf(writeFolder({ ...tau1Files(), 'orders.json': orders }))).message).toMatch(
      /\/orders\.json: at \/#W0000003: expected object; got 7/,
    );
    expect((await faultOf(writeFolder({ ...tau1Files(), 'users.json': [] }))).message).toMatch(
      /users\.json: at \(the whole file\): expected an object of users by id; got a list of 0/,
    );
  });
});

describe('a folder', () => {
  it.each(['db.json', 'tasks.json', 'split_tasks.json', 'policy.md'])(
    'without %s is told so',
    async (name) => {
      const fault = await faultOf(tau2With({ [name]: undefined }));
      expect(fault).toMatchObject({ code: 'missing-file', message: expect.stringContaining(name) });
    },
  );

  it.each(['users.json', 'orders.json', 'wiki.md'])('of version 1 without %s is told so', async (name) => {
    const fault = await faultOf(writeFolder({ ...tau1Files(), [name]: undefined }));
    expect(fault).toMatchObject({ code: 'missing-file', message: expect.stringContaining(name) });
  });

  it('that is not there, that is a file, that is empty', async () => {
    const folder = writeFolder({ 'a.txt': 'x' });
    expect((await faultOf(`${folder}/nope`)).code).toBe('no-such-folder');
    expect((await faultOf(`${folder}/a.txt`)).code).toBe('no-such-folder');
    expect((await faultOf(folder)).code).toBe('unknown-data-format');
    const noTasks = writeFolder({
      ...tau1Files(),
      'tasks_test.json': undefined,
      'tasks_dev.json': undefined,
    });
    expect((await faultOf(noTasks)).message).toMatch(/tasks_<split>\.json/);
  });
});

describe.skipIf(!hasReferenceData)('the reference data (needs ../shared, else skipped)', () => {
  it('loads whole: 114 tasks of tau2-bench and 635 of tau-bench v1', async () => {
    const tau2 = await loadDomain(referencePath('data', 'tau2-retail'));
    const tau1 = await loadDomain(referencePath('data', 'tau1-retail'));
    expect(tau2.tasks.filter((task) => task.splits.includes('test'))).toHaveLength(40);
    const bySplit = (split: string) => tau1.tasks.filter((task) => task.splits.includes(split)).length;
    expect([tau2.tasks.length, bySplit('test'), bySplit('train'), bySplit('dev')]).toEqual([
      114, 115, 500, 20,
    ]);
    for (const { world } of [tau1, tau2])
      expect([world.users.size, world.products.size, world.orders.size]).toEqual([500, 50, 1000]);
    expect(tau2.tasks.filter((task) => task.assertions.length > 0)).toHaveLength(40);
  });

  it('knows the tau2 tasks whose ground truth fails in places', async () => {
    const domain = await loadDomain(referencePath('data', 'tau2-retail'));
    const faulty = domain.tasks.filter((task) => findGroundTruthFaults(domain, task).length > 0);
    expect(faulty.map((task) => task.id)).toEqual('2 3 4 35 37 38 39 46 47 54 55 64 67 68 105'.split(' '));
    const [fault] = faulty.flatMap((task) => findGroundTruthFaults(domain, task)).slice(-1);
    expect(fault).toMatchObject({ taskId: '105', call: { name: 'exchange_delivered_order_items' } });
    expect(fault?.error).toMatch(/gift card/);
  });
});
