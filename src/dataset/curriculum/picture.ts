import { type Area, areaChart } from '../card/area-chart.js';
import { countSteps, type StepCounts } from './count-steps.js';
import { layOut, type Schedule, SOURCES, type Source, variantOf } from './schedule.js';

const COLOURS: Readonly<Record<Source, string>> = { maths: '#8a8f98', text: '#2f6f9f', speech: '#d98324' };

/** What each step of a schedule holds, or each of its first, as it is laid out, not only as it is asked for. */
export function stepsOf(schedule: Schedule, count: number | null = null): StepCounts[] {
  return [...layOut(schedule, count)].flatMap(({ step, phase, tasks }) =>
    countSteps(tasks.map((task) => ({ step, phase, source: task.source, variant: variantOf(task) }))),
  );
}

/** The mix over time. */
export function stepsPicture(steps: readonly StepCounts[]): string {
  const areas = SOURCES.map(
    (source): Area => ({
      ...{ name: source, colour: COLOURS[source] },
      shares: steps.map((step) => step[source] / Math.max(1, step.maths + step.text + step.speech)),
    }),
  );
  const marks = steps.flatMap(({ phase }, place) =>
    phase === steps[place - 1]?.phase ? [] : [{ step: place + 1, name: phase }],
  );
  return areaChart('Tasks per step', areas, marks);
}
