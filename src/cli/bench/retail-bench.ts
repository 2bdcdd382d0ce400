import { createHash } from 'node:crypto';
import { createSession, type RetailDomain, type VerifyInput, verify } from '../../retail/index.js';
import type { Clock } from '../../shared/index.js';
import { canonicalJson } from '../../shared/index.js';
import { measure, measureEach, type Timing } from './measure.js';

/** What the reference implementations need on this kind of machine, from the issue that set the goal. Milliseconds. */
export const REFERENCE_MS = { resetTau2: 138, resetTau1: 53, hash: 85 } as const;

export interface RetailTimings {
  readonly reset: Timing;
  readonly read: Timing;
  readonly write: Timing;
  readonly verification: Timing;
  /** The usual way, timed in the same run: parse the whole database again for every episode. */
  readonly plainReset: Timing;
  /** The usual way, timed in the same run: serialise the whole database with sorted keys and hash it. */
  readonly plainHash: Timing;
}

/** A pending order that some task cancels: the write that every domain has. */
function findPendingOrder(domain: RetailDomain): string {
  for (const task of domain.tasks) {
    const cancel = task.groundTruth.find((call) => call.name === 'cancel_pending_order');
    const orderId = cancel?.arguments.order_id;
    if (typeof orderId === 'string' && domain.world.orders.get(orderId)?.status === 'pending') return orderId;
  }
  throw new RangeError('the bench needs a domain with a task that cancels a pending order');
}

function plainJson(domain: RetailDomain): string {
  const { users, products, orders } = domain.world;
  return JSON.stringify({
    users: Object.fromEntries(users),
    products: Object.fromEntries(products),
    orders: Object.fromEntries(orders),
  });
}

const FINISHED_EPISODES = 6000;

/** Right episodes over all tasks, each with a session of its own that nobody has looked at yet. */
function finishedEpisodes(domain: RetailDomain): VerifyInput[] {
  return Array.from({ length: FINISHED_EPISODES }, (_, index) => {
    const task = domain.tasks[index % domain.tasks.length];
    if (task === undefined) throw new RangeError('the bench needs a domain with tasks');
    const session = createSession(domain.world, domain.rules);
    for (const call of task.groundTruth) session.call(call.name, call.arguments);
    return { task, session, agentMessages: [task.communicate.join('. ')], rule: 'tau2', endedInOrder: true };
  });
}

/** Times the retail world's own operations, and beside them the usual way of doing the same. */
export function benchRetail(domain: RetailDomain, clock: Clock): RetailTimings {
  const orderId = findPendingOrder(domain);
  const json = plainJson(domain);
  const parsed: unknown = JSON.parse(json);
  const options = { clock };
  const cancel = { order_id: orderId, reason: 'no longer needed' };

  const reader = createSession(domain.world, domain.rules);
  const finished = finishedEpisodes(domain);

  return {
    reset: measure('reset', () => createSession(domain.world, domain.rules), options),
    read: measure('read call', () => reader.call('get_order_details', { order_id: orderId }), options),
    write: measure(
      'reset + write call',
      () => {
        const session = createSession(domain.world, domain.rules);
        const result = session.call('cancel_pending_order', cancel);
        if (!result.ok) throw new RangeError(`the bench's own write failed: ${result.error}`);
      },
      options,
    ),
    verification: measureEach('verification', finished, {
      clock,
      operation: (input) => {
        if (!verify(input, domain).success)
          throw new RangeError(`the bench's own episode of task ${input.task.id} did not verify`);
      },
    }),
    plainReset: measure('parse the whole database', () => JSON.parse(json), options),
    plainHash: measure(
      'hash the whole database',
      () => createHash('sha256').update(canonicalJson(parsed)).digest('hex'),
      options,
    ),
  };
}
