import { UsageError } from '../../shared/index.js';
import type { Task, ToolCall } from '../task.js';
import { WRITE_TOOL_NAMES } from '../tools/registry.js';
import type { World } from '../world.js';

/** The shape of every order id in the benchmarks' data. */
const ORDER_ID = /^#W\d{7}$/;

/**
 * The id of a call that points at nothing. In the benchmarks' own ground truth some reads try an id that a customer
 * got wrong ("#9502126"): those are malformed and stay. A well-formed order id that the world lacks, or any unknown id
 * in a write call, means that tasks and world do not belong together.
 */
function findUnknown(call: ToolCall, world: World): string | undefined {
  const { order_id: orderId, user_id: userId } = call.arguments;
  const isWrite = WRITE_TOOL_NAMES.has(call.name);
  if (typeof orderId === 'string' && !world.orders.has(orderId) && (isWrite || ORDER_ID.test(orderId)))
    return `order "${orderId}"`;
  if (typeof userId === 'string' && !world.users.has(userId)) return `user "${userId}"`;
  return undefined;
}

/**
 * @param file what to call the tasks in an error.
 * @throws UsageError `unknown-record` for a task that names an order or a user the world lacks, `duplicate-task`.
 */
export function checkTasks(tasks: readonly Task[], world: World, file: string): void {
  const seen = new Set<string>();
  for (const task of tasks) {
    if (seen.has(task.id))
      throw new UsageError('duplicate-task', `${file}: task "${task.id}" occurs twice; ids must differ`, {
        facts: { taskId: task.id },
      });
    seen.add(task.id);
    const unknownUser =
      task.userId !== undefined && !world.users.has(task.userId) ? `user "${task.userId}"` : undefined;
    const unknown = unknownUser ?? task.groundTruth.flatMap((call) => findUnknown(call, world) ?? [])[0];
    if (unknown !== undefined)
      throw new UsageError(
        'unknown-record',
        `${file}: task "${task.id}" names ${unknown}, which the database lacks; use tasks and database of the same version`,
        { facts: { taskId: task.id } },
      );
  }
}
