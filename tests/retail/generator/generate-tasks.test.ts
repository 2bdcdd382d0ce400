import { describe, expect, it } from 'vitest';
import { builtInDomain, generateTrainingTasks } from '../../../src/retail/generator/built-in-domain.js';
import { contentKey } from '../../../src/retail/generator/tasks/content-key.js';
import { generateTasks } from '../../../src/retail/generator/tasks/generate-tasks.js';
import { wrongVariants } from '../../../src/retail/generator/tasks/wrong-variants.js';
import { generateWorld } from '../../../src/retail/generator/world/generate-world.js';
import {
  createDomain,
  findGroundTruthFaults,
  type RetailDomain,
  type Task,
  type ToolCall,
  taskSchema,
  verify,
} from '../../../src/retail/index.js';

const builtIn = builtInDomain();
const training = generateTrainingTasks({ count: 400, seed: 7 });

/** Tasks of other worlds and seeds, each with its domain: what holds must not hang on one seed. */
const others = [3, 4, 5].map((seed): RetailDomain => {
  const world = generateWorld(seed);
  const tasks = generateTasks(world, { count: 80, seed, split: 'x', id: (place) => `x-${place}` });
  return createDomain({ source: 'parlor', label: `seed ${seed}`, world, rules: 'parlor', policy: '', tasks });
});
const domains = [builtIn, createDomain({ ...builtIn, tasks: training }), ...others];

function play(domain: RetailDomain, task: Task, episode: { calls: readonly ToolCall[]; says: boolean }) {
  const session = domain.openSession();
  const results = episode.calls.map(({ name, arguments: args }) => session.call(name, args));
  const agentMessages = episode.says ? task.communicate.map((fact) => `It is $${fact}.`) : ['I see.'];
  const outcome = verify({ task, session, agentMessages, rule: 'tau2', endedInOrder: true }, domain);
  return { outcome, errors: results.flatMap((result) => (result.ok ? [] : [result.error])) };
}

function each(check: (task: Task, domain: RetailDomain) => void): void {
  for (const domain of domains) for (const task of domain.tasks) check(task, domain);
}

function isAct({ name }: ToolCall): boolean {
  return /^(?:cancel|modify|return|exchange|transfer)_/.test(name);
}

describe('the evaluation set', () => {
  it('has at least 300 tasks in the split "test", numbered', () => {
    expect(builtIn.tasks.length).toBeGreaterThanOrEqual(300);
    expect(builtIn.tasks[0]?.id).toBe('eval-001');
    for (const task of builtIn.tasks) expect(task.splits).toEqual(['test']);
  });

  it('uses every write tool, each often', () => {
    const uses = new Map<string, number>();
    for (const { name } of builtIn.tasks.flatMap((task) => task.groundTruth))
      uses.set(name, (uses.get(name) ?? 0) + 1);
    const writes = [
      'cancel_pending_order',
      'exchange_delivered_order_items',
      'modify_pending_order_address',
      'modify_pending_order_items',
      'modify_pending_order_payment',
      'modify_user_address',
      'return_delivered_order_items',
    ];
    for (const name of [...writes, 'transfer_to_human_agents'])
      expect(uses.get(name) ?? 0, name).toBeGreaterThanOrEqual(12);
  });

  it.each([
    ...['multi-request', 'several-orders', 'several-items', 'forbidden', 'refuse', 'transfer', 'vague'],
    ...['change-of-mind', 'question', 'fallback', 'order-unknown', 'email-forgotten', 'look-up'],
  ])('has at least eight tasks with the tag "%s"', (tag) => {
    expect(builtIn.tasks.filter((task) => task.tags.includes(tag)).length).toBeGreaterThanOrEqual(8);
  });

  it('has easy, medium and hard tasks, at least forty each', () => {
    for (const difficulty of ['easy', 'medium', 'hard'])
      expect(builtIn.tasks.filter((task) => task.difficulty === difficulty).length).toBeGreaterThan(40);
  });

  it('is made once', () => {
    expect(builtInDomain()).toBe(builtIn);
  });
});

describe('every task', () => {
  it('is sound data, with an id of its own', () => {
    each((task) => expect(taskSchema.parse(task)).toEqual(task));
    for (const { tasks } of domains) expect(new Set(tasks.map((task) => task.id)).size).toBe(tasks.length);
  });

  it('differs from every other one in what it is about', () => {
    for (const { tasks } of domains) expect(new Set(tasks.map(contentKey)).size).toBe(tasks.length);
  });

  it('can be solved: its right calls succeed and pass', () => {
    each((task, domain) => {
      expect(findGroundTruthFaults(domain, task), task.id).toEqual([]);
      const { outcome, errors } = play(domain, task, { calls: task.groundTruth, says: true });
      expect(errors, task.id).toEqual([]);
      expect(outcome.success, task.id).toBe(true);
    });
  });

  it('is failed by every wrong variant: nothing done, a fact or write forgotten, a wrong one, one too many', () => {
    const failed = new Map<string, number>();
    each((task, domain) => {
      for (const variant of wrongVariants(task, domain.world)) {
        const { outcome } = play(domain, task, variant);
        expect(outcome.success, `${task.id} ${variant.name}`).toBe(false);
        failed.set(variant.name, (failed.get(variant.name) ?? 0) + 1);
      }
    });
    const names = [
      ...['nothing', 'silent', 'forgotten-write', 'wrong-order', 'wrong-item', 'wrong-variant'],
      ...['wrong-payment', 'wrong-reason', 'wrong-address', 'needless-write', 'needless-transfer'],
      ...['missing-transfer'],
    ];
    for (const name of names) expect(failed.get(name) ?? 0, name).toBeGreaterThan(20);
  });

  it('asks for a fact that a right refusal says, wherever doing nothing leaves the world as it should be', () => {
    each((task) => {
      if (!task.groundTruth.some(isAct)) expect(task.communicate, task.id).not.toEqual([]);
    });
  });

  it('identifies the customer first and looks at the profile before it chooses a payment method', () => {
    each((task, { world }) => {
      const [first, ...rest] = task.groundTruth;
      const { email, firstName, lastName, zip } = task.scenario?.identity ?? {};
      expect(first, task.id).toEqual(
        email === null
          ? {
              name: 'find_user_id_by_name_zip',
              arguments: { first_name: firstName, last_name: lastName, zip },
            }
          : { name: 'find_user_id_by_email', arguments: { email } },
      );
      expect(world.users.get(task.userId ?? '')?.address.zip).toBe(zip);
      const profileAt = rest.findIndex(({ name }) => name === 'get_user_details');
      const choiceAt = rest.findIndex(({ arguments: args }) => args.payment_method_id !== undefined);
      if (choiceAt >= 0) expect(profileAt, task.id).toBeGreaterThanOrEqual(0);
      if (choiceAt >= 0) expect(profileAt, task.id).toBeLessThan(choiceAt);
    });
  });

  it('reads an order before it changes it, and a product before it picks a variant', () => {
    each((task, { world }) => {
      const read = new Set<unknown>();
      for (const { name, arguments: args } of task.groundTruth) {
        if (name === 'get_order_details') read.add(args.order_id);
        if (name === 'get_product_details') read.add(args.product_id);
        if (!isAct({ name, arguments: args }) || args.order_id === undefined) continue;
        expect(read, `${task.id} ${name}`).toContain(args.order_id);
        if (args.new_item_ids === undefined) continue;
        for (const item of world.orders.get(String(args.order_id))?.items ?? [])
          if ((args.item_ids as string[]).includes(item.item_id))
            expect(read, task.id).toContain(item.product_id);
      }
    });
  });

  it('scores the facts exactly where there are any', () => {
    each((task) =>
      expect(task.rewardBasis).toEqual(task.communicate.length > 0 ? ['DB', 'COMMUNICATE'] : ['DB']),
    );
  });

  it('writes facts so that they are said in one way only: amounts with cents, no zero at the end', () => {
    each((task) => {
      for (const fact of task.communicate) {
        expect(fact.length, `${task.id} ${fact}`).toBeGreaterThanOrEqual(2);
        if (/^\d+\.\d+$/.test(fact)) expect(fact, task.id).toMatch(/^\d+\.\d[1-9]$/);
      }
    });
  });
});

describe('generated again', () => {
  it('the tasks are the same, byte for byte', () => {
    const again = generateTrainingTasks({ count: 400, seed: 7 });
    expect(JSON.stringify(again)).toBe(JSON.stringify(training));
  });

  it('a longer run starts with the shorter one', () => {
    expect(generateTrainingTasks({ count: 50, seed: 7 })).toEqual(training.slice(0, 50));
  });

  it('another seed gives other tasks', () => {
    const known = new Set(training.map(contentKey));
    const other = generateTrainingTasks({ count: 100, seed: 8 });
    expect(other.filter((task) => known.has(contentKey(task))).length).toBeLessThan(30);
    expect(other[0]?.id).toBe('train-8-0001');
  });
});

describe('training tasks', () => {
  it('share no customer, no order that is looked up or changed and no content with the evaluation set', () => {
    const customers = new Set(builtIn.tasks.map((task) => task.userId));
    const contents = new Set(builtIn.tasks.map(contentKey));
    const orders = new Set(
      builtIn.tasks.flatMap((task) => task.groundTruth.map((call) => call.arguments.order_id)),
    );
    orders.delete(undefined);
    for (const task of training) {
      expect(task.splits).toEqual(['train']);
      expect(customers).not.toContain(task.userId);
      expect(contents).not.toContain(contentKey(task));
      for (const { arguments: args } of task.groundTruth) expect(orders).not.toContain(args.order_id);
    }
  });

  it('run out with an error that says how many there are', () => {
    const world = builtIn.world;
    const [customer = ''] = training.flatMap((task) => task.userId ?? []);
    expect(() =>
      generateTasks(world, {
        ...{ count: 5000, seed: 1, split: 'x', id: String, customers: [customer] },
      }),
    ).toThrow(/count must be at most \d+ here/);
  });
});
