import { toCents } from '../../money.js';
import type { Task, ToolCall } from '../../task.js';
import { WRITE_TOOL_NAMES } from '../../tools/registry.js';
import type { Order, World } from '../../world.js';
import { call } from './request-plan.js';

/** An episode that goes wrong in one way; a sound task tells each of them from a right one. */
export interface WrongVariant {
  readonly name:
    | 'nothing'
    | 'silent'
    | 'forgotten-write'
    | 'wrong-order'
    | 'wrong-item'
    | 'wrong-variant'
    | 'wrong-payment'
    | 'wrong-reason'
    | 'wrong-address'
    | 'needless-write'
    | 'needless-transfer'
    | 'missing-transfer';
  /** Writes and hand-overs; what is read on the way neither helps nor harms. */
  readonly calls: readonly ToolCall[];
  /** Are the required facts said all the same? */
  readonly says: boolean;
}

const TRANSFER = 'transfer_to_human_agents';

function ids(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** What the replacement costs more, in cents; at 0 a modification moves no money and no method is recorded. */
function differenceCents(world: World, order: Order, args: ToolCall['arguments']): number {
  const newIds = ids(args.new_item_ids);
  return ids(args.item_ids).reduce((sum, id, place) => {
    const item = order.items.find((candidate) => candidate.item_id === id);
    const variant = world.products.get(item?.product_id ?? '')?.variants[newIds[place] ?? ''];
    return sum + toCents(variant?.price ?? 0) - toCents(item?.price ?? 0);
  }, 0);
}

function otherVariant(
  world: World,
  order: Order,
  args: ToolCall['arguments'],
): ToolCall['arguments'] | undefined {
  const newIds = ids(args.new_item_ids);
  const old = order.items.find((item) => item.item_id === ids(args.item_ids)[0]);
  const variants = Object.values(world.products.get(old?.product_id ?? '')?.variants ?? {});
  const other = variants.find(
    (variant) => variant.available && variant.item_id !== newIds[0] && variant.item_id !== old?.item_id,
  );
  return other === undefined ? undefined : { ...args, new_item_ids: [other.item_id, ...newIds.slice(1)] };
}

type Change = readonly [name: WrongVariant['name'], args: ToolCall['arguments'] | undefined];

/** The arguments of one write, wrong in one way each. */
function spoil(world: World, { name, arguments: args }: ToolCall): Change[] {
  const changes: Change[] = [];
  if (name === 'modify_user_address') return [['wrong-address', { ...args, zip: '00000' }]];
  const order = world.orders.get(String(args.order_id));
  if (order === undefined) return [];
  const user = world.users.get(order.user_id);
  const sibling = user?.orders.find(
    (id) => id !== order.order_id && world.orders.get(id)?.status === order.status,
  );
  if (name === 'cancel_pending_order') {
    const reason = args.reason === 'no longer needed' ? 'ordered by mistake' : 'no longer needed';
    changes.push(['wrong-reason', { ...args, reason }]);
  }
  if (name === 'modify_pending_order_address') changes.push(['wrong-address', { ...args, zip: '00000' }]);
  if (sibling !== undefined && args.item_ids === undefined)
    changes.push(['wrong-order', { ...args, order_id: sibling }]);
  if (name === 'return_delivered_order_items') {
    const left = order.items.map((item) => item.item_id).filter((id) => !ids(args.item_ids).includes(id));
    changes.push(['wrong-item', left.length === 0 ? undefined : { ...args, item_ids: left.slice(0, 1) }]);
    if (ids(args.item_ids).length > 1)
      changes.push(['wrong-item', { ...args, item_ids: ids(args.item_ids).slice(1) }]);
  }
  if (args.new_item_ids !== undefined) changes.push(['wrong-variant', otherVariant(world, order, args)]);
  const methods = Object.keys(user?.payment_methods ?? {});
  const matters = name !== 'modify_pending_order_items' || differenceCents(world, order, args) !== 0;
  const otherMethod = methods.find((id) => id !== args.payment_method_id);
  if (args.payment_method_id !== undefined && otherMethod !== undefined && matters)
    changes.push(['wrong-payment', { ...args, payment_method_id: otherMethod }]);
  return changes;
}

function needlessWrites(task: Task, world: World): ToolCall[] {
  const user = world.users.get(task.userId ?? '');
  if (user === undefined) return [];
  const touched = new Set(
    task.groundTruth
      .filter(({ name }) => WRITE_TOOL_NAMES.has(name))
      .map(({ arguments: args }) => args.order_id),
  );
  const pending = user.orders.find((id) => world.orders.get(id)?.status === 'pending' && !touched.has(id));
  const delivered = user.orders.find(
    (id) => world.orders.get(id)?.status === 'delivered' && !touched.has(id),
  );
  const order = world.orders.get(delivered ?? '');
  return [
    call('modify_user_address', { user_id: task.userId, ...user.address, zip: '00000' }),
    ...(pending === undefined
      ? []
      : [call('cancel_pending_order', { order_id: pending, reason: 'no longer needed' })]),
    ...(order === undefined
      ? []
      : [
          call('return_delivered_order_items', {
            order_id: order.order_id,
            item_ids: order.items.map((item) => item.item_id),
            payment_method_id: order.payment_history[0]?.payment_method_id,
          }),
        ]),
  ];
}

/** Episodes for a task that must not pass. */
export function wrongVariants(task: Task, world: World): WrongVariant[] {
  const right = task.groundTruth.filter(({ name }) => name === TRANSFER || WRITE_TOOL_NAMES.has(name));
  const variants: WrongVariant[] = [{ name: 'nothing', calls: [], says: false }];
  if (task.communicate.length > 0) variants.push({ name: 'silent', calls: right, says: false });
  for (const [place, act] of right.entries()) {
    const without = right.toSpliced(place, 1);
    if (act.name === TRANSFER) variants.push({ name: 'missing-transfer', calls: without, says: true });
    if (!WRITE_TOOL_NAMES.has(act.name)) continue;
    variants.push({ name: 'forgotten-write', calls: without, says: true });
    for (const [name, args] of spoil(world, act))
      if (args !== undefined)
        variants.push({ name, calls: right.with(place, { name: act.name, arguments: args }), says: true });
  }
  if (!right.some(({ name }) => name === TRANSFER))
    variants.push({
      name: 'needless-transfer',
      calls: [...right, call(TRANSFER, { summary: 'The customer wants a person.' })],
      says: true,
    });
  for (const needless of needlessWrites(task, world))
    variants.push({ name: 'needless-write', calls: [...right, needless], says: true });
  return variants;
}
