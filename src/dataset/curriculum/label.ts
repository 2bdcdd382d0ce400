import type { Task } from '../../retail/index.js';
import { SOURCES, type Source, type Variant } from './schedule.js';

const VARIANTS: readonly Variant[] = ['plain', 'simplified', 'harder'];

/** Where an episode's task stands in a curriculum. */
export interface CurriculumLabel {
  /** From 1. */
  readonly step: number;
  readonly phase: string;
  readonly source: Source;
  readonly variant: Variant;
}

/** The label goes with the task, as tags, so that every record of it has it. What the task asks for stays the same. */
export function labelTask(task: Task, { step, phase, source, variant }: CurriculumLabel): Task {
  const label = [`step:${step}`, `phase:${phase}`, `source:${source}`, `variant:${variant}`];
  return { ...task, tags: [...task.tags, ...label] };
}

/** @returns null for a task of no curriculum */
export function labelOf({ tags }: Pick<Task, 'tags'>): CurriculumLabel | null {
  const read = (name: string): string | undefined =>
    tags.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1);
  const [step, phase] = [Number(read('step')), read('phase')];
  const source = SOURCES.find((each) => each === read('source'));
  const variant = VARIANTS.find((each) => each === read('variant'));
  if (!Number.isInteger(step) || phase === undefined || source === undefined || variant === undefined)
    return null;
  return { step, phase, source, variant };
}
