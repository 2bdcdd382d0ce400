import { createRandom, deriveSeed, type Random, UsageError } from '../../../shared/index.js';
import type { RetailDomain } from '../../contract.js';
import { createDomain } from '../../domain.js';
import type { Task } from '../../task.js';
import type { World } from '../../world.js';
import { findTaskFaults } from './check-task.js';
import { composeTask } from './compose-task.js';
import { contentKey } from './content-key.js';
import { FOLLOWING, LEADING } from './planners.js';
import type { PlanContext, PlanRequest, RequestPlan } from './request-plan.js';

export interface GenerateTasksOptions {
  readonly count: number;
  readonly seed: number;
  /** Name of the split that the tasks belong to. */
  readonly split: string;
  /** The id of the nth task, counted from 1. */
  readonly id: (place: number) => string;
  /** Tasks to stay clear of: no customer of theirs calls in a new task, and none is made again. */
  readonly exclude?: readonly Task[];
  /** Only these customers call; all of the world's when absent. */
  readonly customers?: readonly string[];
  /** Called after each task. */
  readonly onTask?: (made: number) => void;
}

/** Attempts for each task wanted before the customers count as used up. */
const ATTEMPTS_PER_TASK = 60;

/** Draws for a further request before the call is left shorter. */
const MAX_FOLLOW_TRIES = 12;

function repeat(shares: typeof LEADING): readonly PlanRequest[] {
  return shares.flatMap(([share, plan]) => Array.from({ length: share }, () => plan));
}
const deck = repeat(LEADING);
const followers = repeat(FOLLOWING);

function contextFor(world: World, random: Random, userId: string): PlanContext | undefined {
  const user = world.users.get(userId);
  if (user === undefined) return undefined;
  return {
    random,
    world,
    user,
    userId,
    style: random.pick(['terse', 'plain', 'plain', 'chatty']),
    orders: user.orders.flatMap((id) => world.orders.get(id) ?? []),
    claimed: new Set(),
  };
}

/** Up to `wanted` requests that leave each other alone, the leading one first and a hand-over last. */
function planRequests(context: PlanContext, leading: PlanRequest, wanted: number): RequestPlan[] {
  const plans = [...(leading(context) ?? [])];
  if (plans.length === 0) return [];
  for (let tries = 0; plans.length < wanted && tries < MAX_FOLLOW_TRIES; tries += 1) {
    const follow = context.random.pick(followers);
    const claimed = new Set(plans.flatMap((plan) => plan.claims));
    const more = follow({ ...context, claimed }) ?? [];
    if (more.some((plan) => plan.claims.some((claim) => claimed.has(claim)))) continue;
    plans.push(...more);
  }
  const last = plans.filter((plan) => plan.expected === 'transferred');
  return [...plans.filter((plan) => plan.expected !== 'transferred'), ...last];
}

/**
 * Tasks for customers of a world, sound (see `findTaskFaults`), all different (see `contentKey`), every kind in its
 * share. The same world and options give the same tasks.
 * @throws UsageError `too-many-tasks` when the customers have no more different requests to offer.
 */
export function generateTasks(world: World, options: GenerateTasksOptions): Task[] {
  const { count, seed, split, id, exclude = [], customers } = options;
  const domain: RetailDomain = createDomain({
    ...{ source: 'parlor', label: 'task check', world, rules: 'parlor', policy: '', tasks: [] },
  });
  const known = new Set(exclude.map(contentKey));
  const strangers = new Set(exclude.map((task) => task.userId));
  const pool = (customers ?? [...world.users.keys()]).filter((userId) => !strangers.has(userId));
  const random = createRandom(deriveSeed('retail-tasks', seed));
  const tasks: Task[] = [];
  let attempts = 0;
  let hand: PlanRequest[] = [];
  while (tasks.length < count) {
    attempts += 1;
    if (pool.length === 0 || attempts > ATTEMPTS_PER_TASK * (count + 50))
      throw new UsageError(
        'too-many-tasks',
        `count must be at most ${tasks.length} here: the ${pool.length} customers of this world have no more different requests; got ${count}. Ask for fewer or use another seed`,
      );
    const context = contextFor(world, random, random.pick(pool));
    if (context === undefined) continue;
    if (hand.length === 0) hand = random.shuffle(deck);
    const leading = hand[0] as PlanRequest;
    const plans = planRequests(context, leading, random.pick([1, 1, 1, 1, 2, 2, 2, 3, 3, 4]));
    if (plans.length === 0) continue;
    const task = composeTask(context, plans, { id: id(tasks.length + 1), split });
    const key = contentKey(task);
    if (known.has(key) || findTaskFaults(domain, task).length > 0) continue;
    known.add(key);
    hand.shift();
    tasks.push(task);
    options.onTask?.(tasks.length);
  }
  return tasks;
}
