import { readFileSync } from 'node:fs';
import { createRandom, deriveSeed } from '../../shared/index.js';
import type { RetailDomain } from '../contract.js';
import { createDomain } from '../domain.js';
import type { Task } from '../task.js';
import { generateTasks } from './tasks/generate-tasks.js';
import { generateWorld } from './world/generate-world.js';

/** A new seed is a new benchmark: results before and after it cannot be compared. */
const WORLD_SEED = 1;
const EVALUATION_COUNT = 320;
/** Customers who call in evaluation tasks; the others are left for training. */
const EVALUATION_CUSTOMERS = 200;

let made: RetailDomain | undefined;

/** The built-in shop with its policy and its evaluation tasks (split "test"), made on first use and then kept. */
export function builtInDomain(): RetailDomain {
  if (made !== undefined) return made;
  const world = generateWorld(WORLD_SEED);
  const shuffled = createRandom(deriveSeed('evaluation-customers', WORLD_SEED)).shuffle([
    ...world.users.keys(),
  ]);
  const tasks = generateTasks(world, {
    count: EVALUATION_COUNT,
    seed: WORLD_SEED,
    split: 'test',
    id: (place) => `eval-${String(place).padStart(3, '0')}`,
    customers: shuffled.slice(0, EVALUATION_CUSTOMERS),
  });
  made = createDomain({
    source: 'parlor',
    label: `built-in (seed ${WORLD_SEED})`,
    world,
    rules: 'parlor',
    policy: readFileSync(new URL('../policy.md', import.meta.url), 'utf8'),
    tasks,
  });
  return made;
}

export interface TrainingTasksOptions {
  readonly count: number;
  readonly seed: number;
  /** Called after each task. */
  readonly onTask?: (made: number) => void;
}

/**
 * Training tasks (split "train", ids like "train-7-0001") in the built-in shop. No customer of an evaluation task calls
 * in one, so that no order looked up or changed, and no write, is shared with the evaluation set.
 * @throws UsageError `too-many-tasks` when the customers have no more different requests to offer.
 */
export function generateTrainingTasks({ count, seed, onTask }: TrainingTasksOptions): Task[] {
  const { world, tasks } = builtInDomain();
  const digits = Math.max(4, String(count).length);
  return generateTasks(world, {
    count,
    seed,
    split: 'train',
    id: (place) => `train-${seed}-${String(place).padStart(digits, '0')}`,
    exclude: tasks,
    ...(onTask !== undefined && { onTask }),
  });
}
