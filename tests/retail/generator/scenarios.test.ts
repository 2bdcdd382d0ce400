import { describe, expect, it } from 'vitest';
import { builtInDomain, generateTrainingTasks } from '../../../src/retail/generator/built-in-domain.js';
import { isObjection } from '../../../src/retail/generator/tasks/compose-task.js';
import { mentions } from '../../../src/retail/generator/tasks/mentions.js';
import type { Order, ScenarioRequest, Task, ToolCall } from '../../../src/retail/index.js';
import type { OrderItem, Variant } from '../../../src/retail/world.js';

const { world, tasks: evaluation } = builtInDomain();
const tasks = [...evaluation, ...generateTrainingTasks({ count: 300, seed: 21 })];

function wishOf(request: ScenarioRequest) {
  return request.change ?? request;
}

/** Everything the customer may ever say. */
function linesOf(task: Task): string[] {
  return (task.scenario?.requests ?? []).flatMap((request) => [
    request.say,
    ...request.facts.map((fact) => fact.say),
    ...(request.change === undefined
      ? []
      : [request.change.say, ...request.change.facts.map((fact) => fact.say)]),
    ...wishOf(request).mismatches.map((mismatch) => mismatch.say),
  ]);
}

function options(variant: Variant | OrderItem): string {
  return Object.entries(variant.options)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}

function methodName(userId: string, methodId: unknown): string {
  const method = world.users.get(userId)?.payment_methods[String(methodId)];
  if (method?.source === 'credit_card') return `${method.brand} credit card ending in ${method.last_four}`;
  return method?.source === 'paypal' ? 'PayPal' : 'gift card';
}

function variantOf(item: OrderItem, itemId: string | undefined): Variant | undefined {
  return world.products.get(item.product_id)?.variants[itemId ?? ''];
}

/** How this test's agents read a call back, apart from the product's own phrasing of it. */
function confirmations(call: ToolCall, userId: string): string[] {
  const { name, arguments: args } = call;
  const order = world.orders.get(String(args.order_id));
  const method = methodName(userId, args.payment_method_id);
  const address = `${args.address1}, ${args.address2}, ${args.city}, ${args.state}, ${args.zip}, ${args.country}`;
  const itemsOf = (of: Order) =>
    ((args.item_ids ?? []) as string[]).flatMap((id) => of.items.find((item) => item.item_id === id) ?? []);
  const newIds = (args.new_item_ids ?? []) as string[];
  if (name === 'modify_user_address') return [`Shall I set your default address to ${address}?`];
  if (order === undefined) return [];
  const id = order.order_id;
  switch (name) {
    case 'cancel_pending_order':
      return [
        `I will cancel order ${id} because of "${args.reason}" and refund the original payment method. Is that right?`,
        `To confirm: order ${id} (${order.items.map((item) => item.name).join(', ')}), total ${order.payment_history[0]?.amount}, cancelled, reason ${args.reason}. Yes or no?`,
      ];
    case 'modify_pending_order_address':
      return [
        `May I change the shipping address of ${id} to ${address}?`,
        `New address for ${id}: ${address}. OK?`,
      ];
    case 'modify_pending_order_payment':
      return [
        `May I charge ${method} (${args.payment_method_id}) for order ${id}?`,
        `I would switch order ${id} from ${methodName(userId, order.payment_history[0]?.payment_method_id)} to ${method}. Proceed?`,
      ];
    case 'return_delivered_order_items': {
      const items = itemsOf(order);
      return [
        `Return ${items.map((item) => `${item.name} (${item.item_id})`).join(' and ')} of order ${id}, refund to ${method}?`,
        `I will return these: ${items.map((item) => `${item.name}, ${options(item)}`).join('; ')}. The refund goes to your ${method}. Shall I?`,
      ];
    }
    case 'exchange_delivered_order_items':
    case 'modify_pending_order_items':
      return [
        itemsOf(order)
          .map((item, place) => {
            const variant = variantOf(item, newIds[place]);
            return `the ${item.name} (item ${item.item_id}, ${options(item)}) of order ${id} for item ${newIds[place]} (${variant === undefined ? '' : options(variant)})`;
          })
          .join(' and ')
          .concat(`, difference settled with your ${method}. Do you confirm?`),
      ];
    default:
      return [];
  }
}

function isAbout(request: ScenarioRequest, text: string): boolean {
  return [...request.about, ...wishOf(request).about].some((word) => mentions(text, word));
}

function objections(request: ScenarioRequest, text: string) {
  return wishOf(request).mismatches.filter((mismatch) => isObjection(mismatch, text));
}

function acts(task: Task): ToolCall[] {
  return task.groundTruth.filter(({ name }) => /^(?:cancel|modify|return|exchange)_/.test(name));
}

describe('a customer who is read the right action', () => {
  it('has nothing to object to, whichever request the words are about', () => {
    let heard = 0;
    for (const task of tasks) {
      const texts = acts(task).flatMap((call) => confirmations(call, task.userId ?? ''));
      for (const text of [...texts, texts.join(' ')])
        for (const request of task.scenario?.requests ?? [])
          if (isAbout(request, text)) {
            heard += 1;
            expect(objections(request, text), `${task.id}: ${text}`).toEqual([]);
          }
    }
    expect(heard).toBeGreaterThan(tasks.length);
  });

  it('knows that it is about its request', () => {
    for (const task of tasks) {
      const requests = task.scenario?.requests ?? [];
      for (const call of acts(task)) {
        const [text = ''] = confirmations(call, task.userId ?? '');
        const about = requests.filter((request) => isAbout(request, text)).length;
        expect(about, `${task.id}: ${text}`).toBeGreaterThan(0);
        // After a move two requests share one address.
        if (!task.tags.includes('move')) expect(about, `${task.id}: ${text}`).toBe(1);
      }
    }
  });
});

describe('a customer who is read a wrong action', () => {
  function spoken(task: Task, call: ToolCall, change: ToolCall['arguments']): boolean {
    const texts = confirmations(
      { name: call.name, arguments: { ...call.arguments, ...change } },
      task.userId ?? '',
    );
    return texts.some((text) =>
      (task.scenario?.requests ?? []).some(
        (request) => isAbout(request, text) && objections(request, text).length > 0,
      ),
    );
  }

  it('objects to an option that it did not ask for', () => {
    let caught = 0;
    let missed = 0;
    for (const task of tasks)
      for (const call of acts(task)) {
        const newIds = call.arguments.new_item_ids as string[] | undefined;
        const oldIds = call.arguments.item_ids as string[] | undefined;
        const order = world.orders.get(String(call.arguments.order_id));
        const item = order?.items.find((candidate) => candidate.item_id === oldIds?.[0]);
        if (newIds === undefined || item === undefined || newIds.length > 1) continue;
        const target = variantOf(item, newIds[0]);
        const asked = Object.keys(target?.options ?? {}).filter(
          (key) => target?.options[key] !== item.options[key],
        );
        for (const variant of Object.values(world.products.get(item.product_id)?.variants ?? {})) {
          const strange = asked.some(
            (key) => ![item.options[key], target?.options[key]].includes(variant.options[key]),
          );
          if (!variant.available || !strange || task.tags.includes('look-up')) continue;
          if (spoken(task, call, { new_item_ids: [variant.item_id] })) caught += 1;
          else missed += 1;
        }
      }
    expect(caught).toBeGreaterThan(300);
    // Missed where the value is also one of another option or item, and would be heard in a right sentence too.
    expect(missed / (caught + missed)).toBeLessThan(0.15);
  });

  it('objects to another payment method than the one it named', () => {
    let caught = 0;
    for (const task of tasks)
      for (const call of acts(task)) {
        const methods = Object.values(world.users.get(task.userId ?? '')?.payment_methods ?? {});
        const wanted = methods.find((method) => method.id === call.arguments.payment_method_id);
        const other = methods.find((method) => wanted !== undefined && method.source !== wanted.source);
        if (wanted === undefined || other === undefined) continue;
        expect(spoken(task, call, { payment_method_id: other.id }), `${task.id} ${other.source}`).toBe(true);
        caught += 1;
      }
    expect(caught).toBeGreaterThan(50);
  });

  it('objects to the other reason for a cancellation', () => {
    let caught = 0;
    for (const task of tasks)
      for (const call of acts(task).filter(({ name }) => name === 'cancel_pending_order')) {
        const reason =
          call.arguments.reason === 'no longer needed' ? 'ordered by mistake' : 'no longer needed';
        expect(spoken(task, call, { reason }), task.id).toBe(true);
        caught += 1;
      }
    expect(caught).toBeGreaterThan(50);
  });

  it('objects to its old address instead of the new one', () => {
    let caught = 0;
    for (const task of tasks)
      for (const call of acts(task).filter(({ name }) => name.endsWith('_address'))) {
        const old = world.users.get(task.userId ?? '')?.address;
        if (old === undefined || old.zip === call.arguments.zip) continue;
        expect(spoken(task, call, { ...old }), task.id).toBe(true);
        caught += 1;
      }
    expect(caught).toBeGreaterThan(50);
  });
});

describe('what a customer says', () => {
  it('never holds an id that a customer cannot know', () => {
    for (const task of tasks)
      for (const line of linesOf(task)) {
        expect(line, task.id).not.toMatch(/\d{10}|(?:credit_card|paypal|gift_card)_\d|[a-z]+_[a-z]+_\d{4}/);
        expect(line, task.id).not.toMatch(/undefined|null|\bNaN\b|\{|\}| {2}/);
      }
  });

  it('never speaks of an order number that the instruction does not give', () => {
    for (const task of tasks)
      for (const id of linesOf(task)
        .join(' ')
        .match(/#W\d{7}/g) ?? [])
        expect(task.instruction, task.id).toContain(id);
  });

  it('knows the number of the order in about half the requests', () => {
    const requests = tasks.flatMap((task) => task.scenario?.requests ?? []);
    const facts = requests.flatMap((r) => wishOf(r).facts.filter((fact) => fact.slot === 'order_id'));
    const known = facts.filter((fact) => /#W\d{7}/.test(fact.say)).length;
    expect(known / facts.length).toBeGreaterThan(0.4);
    expect(known / facts.length).toBeLessThan(0.75);
  });

  it('can be asked back what the request is', () => {
    for (const task of tasks)
      for (const request of task.scenario?.requests ?? [])
        expect(
          wishOf(request).facts.some((fact) => fact.slot === 'detail'),
          task.id,
        ).toBe(true);
  });

  it('comes in many wordings', () => {
    const openings = tasks.map((task) => task.scenario?.requests[0]?.say ?? '');
    expect(new Set(openings).size / openings.length).toBeGreaterThan(0.85);
  });
});

describe('an instruction', () => {
  it('gives who is calling, and the email address only to those who remember it', () => {
    for (const { id, instruction, scenario } of tasks) {
      const { firstName, lastName, zip, email } = scenario?.identity ?? {};
      expect(instruction, id).toContain(`${firstName} ${lastName}`);
      expect(instruction, id).toContain(`${zip}`);
      if (email === null) expect(instruction, id).toContain('You do not remember your email address.');
      else expect(instruction, id).toContain(`${email}`);
    }
  });

  it('gives what each right call needs from the customer: options, methods, reasons, addresses', () => {
    for (const task of tasks) {
      const { instruction, tags, id, userId = '' } = task;
      for (const { arguments: args } of acts(task)) {
        const order = world.orders.get(String(args.order_id));
        if (args.reason === 'no longer needed') expect(instruction, id).toMatch(/no longer need|not need it/);
        if (args.reason === 'ordered by mistake') expect(instruction, id).toMatch(/by mistake/);
        if (args.payment_method_id !== undefined) {
          const [kind = ''] =
            /credit card|PayPal|gift card/.exec(methodName(userId, args.payment_method_id)) ?? [];
          expect(instruction, id).toContain(kind);
        }
        if (args.address1 !== undefined && !tags.includes('look-up'))
          for (const field of ['address1', 'address2', 'city', 'state', 'zip'])
            expect(instruction, id).toContain(args[field]);
        for (const [place, itemId] of ((args.item_ids ?? []) as string[]).entries()) {
          const item = order?.items.find((candidate) => candidate.item_id === itemId);
          if (item === undefined || args.new_item_ids === undefined || tags.includes('look-up')) continue;
          const variant = variantOf(item, (args.new_item_ids as string[])[place]);
          for (const [key, value] of Object.entries(variant?.options ?? {}))
            if (value !== item.options[key]) expect(instruction, `${id} ${key}`).toContain(value);
        }
      }
    }
  });

  it('reads as prose, with nothing left blank', () => {
    for (const { instruction, id } of tasks) {
      expect(instruction, id).toMatch(/^You(?:r name)? .*\.$|^You.*\?"$/s);
      expect(instruction, id).not.toMatch(/undefined|null|NaN|\{|\}| {2}|\bI (?:want|paid|have)\b|\.\./);
    }
  });
});
