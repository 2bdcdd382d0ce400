import type { Task } from '../../retail/index.js';
import { labelTask } from './label.js';
import type { Rewriter } from './rewriter.js';
import { layOut, type Schedule, type Source, type Variant, variantOf } from './schedule.js';
import { canHarden, isSimple, simplifyTask } from './vary-task.js';

/** Where tasks come from: the first `count` of an endless list, the same ones every time. */
export interface TaskSupply {
  readonly retail: (count: number) => readonly Task[];
  readonly maths: (count: number) => readonly Task[];
}

export interface FillOptions {
  readonly supply: TaskSupply;
  readonly rewriter: Rewriter;
  /** Only the first so many steps; null: all. */
  readonly steps: number | null;
}

/** A task at its place in the schedule, with its label among its tags. */
export interface FilledPlace {
  readonly step: number;
  readonly phase: string;
  readonly source: Source;
  readonly variant: Variant;
  readonly task: Task;
}

export interface FilledSchedule {
  readonly places: readonly FilledPlace[];
  /** How instructions were made harder: by the model, by rule, or by rule after the model's was refused, with why. */
  readonly rewrites: Readonly<Record<string, number>>;
}

type Pools = Record<Variant, Task[]>;

/** What is left of the list for each variant: not every task can be made simple, or harder. */
function deal(tasks: readonly Task[], wanted: Readonly<Record<Variant, number>>): Pools {
  const pools: Pools = { simplified: [], harder: [], plain: [] };
  for (const task of tasks)
    if (pools.simplified.length < wanted.simplified && isSimple(task)) pools.simplified.push(task);
    else if (pools.harder.length < wanted.harder && canHarden(task)) pools.harder.push(task);
    else if (pools.plain.length < wanted.plain) pools.plain.push(task);
  return pools;
}

function retailPools(supply: TaskSupply, wanted: Readonly<Record<Variant, number>>): Pools {
  const all = wanted.simplified + wanted.harder + wanted.plain;
  if (all === 0) return { simplified: [], harder: [], plain: [] };
  for (let count = all; ; count *= 2) {
    const pools = deal(supply.retail(count), wanted);
    if (pools.simplified.length + pools.harder.length + pools.plain.length === all) return pools;
  }
}

/**
 * Puts a task on every place that `layOut` gives, each task on one place only. The supply throws when it has no more.
 * The same schedule, supply and rewriter give the same tasks.
 */
export async function fillSchedule(
  schedule: Schedule,
  { supply, rewriter, steps }: FillOptions,
): Promise<FilledSchedule> {
  const slots = [...layOut(schedule, steps)].flatMap(({ step, phase, tasks }) =>
    tasks.map((task) => ({ step, phase, source: task.source, variant: variantOf(task) })),
  );
  const count = (variant: Variant): number =>
    slots.filter((slot) => slot.source !== 'maths' && slot.variant === variant).length;
  const pools = retailPools(supply, {
    ...{ simplified: count('simplified'), harder: count('harder'), plain: count('plain') },
  });
  const maths = supply.maths(slots.filter(({ source }) => source === 'maths').length).values();
  const retail = {
    ...{ plain: pools.plain.values(), simplified: pools.simplified.values() },
    harder: pools.harder.values(),
  };
  const rewrites: Record<string, number> = {};
  const places = await Promise.all(
    slots.map(async (slot): Promise<FilledPlace> => {
      const { source, variant } = slot;
      const given: Task | undefined = (source === 'maths' ? maths : retail[variant]).next().value;
      if (given === undefined) throw new RangeError(`no task is left for a ${variant} ${source} place`);
      let task = given;
      if (variant === 'simplified') task = simplifyTask(given) ?? given;
      if (variant === 'harder') {
        const rewritten = await rewriter.harden(given);
        rewrites[rewritten.by] = (rewrites[rewritten.by] ?? 0) + 1;
        task = rewritten.task;
      }
      return { ...slot, task: labelTask(task, slot) };
    }),
  );
  return { places, rewrites };
}
