import type { CurriculumLabel } from './label.js';

/** What one step holds, in tasks. */
export interface StepCounts {
  readonly step: number;
  readonly phase: string;
  readonly maths: number;
  readonly text: number;
  readonly speech: number;
  readonly simplified: number;
  readonly harder: number;
}

/** Counts labels by step, in order of the steps; one label per task. */
export function countSteps(labels: Iterable<CurriculumLabel>): StepCounts[] {
  const steps = new Map<number, StepCounts>();
  for (const { step, phase, source, variant } of labels) {
    const none = { step, phase, maths: 0, text: 0, speech: 0, simplified: 0, harder: 0 };
    const before = steps.get(step) ?? none;
    const after = { ...before, [source]: before[source] + 1 };
    steps.set(step, variant === 'plain' ? after : { ...after, [variant]: after[variant] + 1 });
  }
  return [...steps.values()].sort((a, b) => a.step - b.step);
}
