import { join } from 'node:path';
import { createMathsDomain } from '../../maths/index.js';
import type { Mode } from '../../protocol/index.js';
import type { RetailDomain, Task } from '../../retail/index.js';
import { trainingDomain } from '../running/domains.js';
import type { Curriculum } from './make-curriculum.js';
import { planTraining, type TrainingPlanInput } from './training-mode.js';

/** One run folder of a training set. */
export interface PlannedRun {
  /** Of its folder in `runs/`. */
  readonly name: string;
  readonly mode: Mode;
  readonly domain: RetailDomain;
  readonly tasks: readonly string[];
}

/** What is played, and which of those episodes stand in which dataset: per run its tasks. */
export interface PlannedRuns {
  readonly runs: readonly PlannedRun[];
  readonly datasets: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

/** Runs by mode over the same tasks. */
export function runsOfModes(tasks: readonly Task[], input: TrainingPlanInput): PlannedRuns {
  const plan = planTraining(
    tasks.map(({ id }) => id),
    input,
  );
  const domain = trainingDomain(tasks);
  const modes = (['speech', 'text'] as const).filter((mode) => plan.play[mode].length > 0);
  return {
    runs: modes.map((mode) => ({ name: mode, mode, domain, tasks: plan.play[mode] })),
    datasets: new Map(
      [...plan.datasets].map(([name, chosen]) => [name, new Map(modes.map((mode) => [mode, chosen[mode]]))]),
    ),
  };
}

/** Runs by source; maths first, for an agent that cannot play it should say so at once. */
export function runsOfCurriculum({ tasks, places }: Curriculum): PlannedRuns {
  const maths = new Set(places.flatMap(({ source, task }) => (source === 'maths' ? [task] : [])));
  const domains = {
    maths: createMathsDomain(
      tasks.filter(({ id }) => maths.has(id)),
      'maths, training problems',
    ),
    retail: trainingDomain(tasks.filter(({ id }) => !maths.has(id))),
  };
  const runs = (['maths', 'text', 'speech'] as const).flatMap((source): PlannedRun[] => {
    const own = places.filter((place) => place.source === source).map(({ task }) => task);
    const mode = source === 'speech' ? 'speech' : 'text';
    const domain = source === 'maths' ? domains.maths : domains.retail;
    return own.length === 0 ? [] : [{ name: source, mode, domain, tasks: own }];
  });
  return {
    runs,
    datasets: new Map([['curriculum', new Map(runs.map(({ name, tasks: own }) => [name, own]))]]),
  };
}

export const runFolder = (out: string, { name }: Pick<PlannedRun, 'name'>): string => join(out, 'runs', name);
