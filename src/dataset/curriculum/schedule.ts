import { z } from 'zod';
import { createRandom, deriveSeed } from '../../shared/index.js';
import { DatasetSourceError } from '../errors.js';

export const SOURCES = ['maths', 'text', 'speech'] as const;
export type Source = (typeof SOURCES)[number];

const shareSchema = z.number().min(0).max(1);

const phaseSchema = z.strictObject({
  // Names are printed, and written into tags and pictures: nothing a terminal would obey, nor what turns text around.
  name: z
    .string()
    .min(1)
    .max(60)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'a name must not hold control characters'),
  steps: z.number().int().min(1).max(1_000_000),
  /** Of the tasks of each step; they sum to 1. */
  shares: z
    .strictObject({
      maths: shareSchema.default(0),
      text: shareSchema.default(0),
      speech: shareSchema.default(0),
    })
    .refine(({ maths, text, speech }) => Math.abs(maths + text + speech - 1) < 1e-9, 'shares must sum to 1'),
  /** `simplified`: one request, every fact told at once, and what the agent should do spelt out. */
  tasks: z.enum(['simplified', 'normal']).default('normal'),
  /** Chance that a retail task's instruction is made harder. */
  harder: shareSchema.default(0),
});

const scheduleSchema = z.strictObject({
  version: z.literal(1),
  seed: z.number().int().min(0).max(0xffffffff).default(1),
  batch: z
    .strictObject({ tasks: z.number().int().min(1).max(4096), rollouts: z.number().int().min(1).max(1024) })
    .default({ tasks: 32, rollouts: 4 }),
  phases: z.array(phaseSchema).min(1).max(100),
});
/** What is trained on, step by step. */
export type Schedule = z.infer<typeof scheduleSchema>;

/** TARL's recipe: a warm-up on simplified tasks, then maths, text and speech in turn, half of the instructions harder. */
export const TARL_SCHEDULE: Schedule = {
  ...{ version: 1, seed: 1, batch: { tasks: 32, rollouts: 4 } },
  phases: [
    {
      ...{ name: 'warm-up', steps: 10, tasks: 'simplified', harder: 0 },
      shares: { maths: 0, text: 0.5, speech: 0.5 },
    },
    {
      ...{ name: 'mixed', steps: 50, tasks: 'normal', harder: 0.5 },
      shares: { maths: 0.25, text: 0.375, speech: 0.375 },
    },
  ],
};

/** @throws DatasetSourceError with the place of the first fault */
export function parseSchedule(text: string, source: string): Schedule {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DatasetSourceError(`${source}: expected a schedule as JSON`, { cause });
  }
  const parsed = scheduleSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  // A key that nobody knows is quoted as it stands in the file.
  const message = (issue?.message ?? '').replace(/[\p{Cc}\p{Cf}]/gu, '?').slice(0, 300);
  throw new DatasetSourceError(`${source}, at ${issue?.path.join('.') || 'the top'}: ${message}`);
}

/** One place in a step's batch. */
export interface ScheduledTask {
  readonly source: Source;
  /** Counts the tasks of this source from 0, over all steps: take the next of its list. */
  readonly place: number;
  readonly isSimplified: boolean;
  readonly isHarder: boolean;
}

export interface ScheduledStep {
  /** From 1. */
  readonly step: number;
  readonly phase: string;
  readonly tasks: readonly ScheduledTask[];
}

export type Variant = 'plain' | 'simplified' | 'harder';

export const variantOf = ({ isSimplified, isHarder }: ScheduledTask): Variant =>
  isSimplified ? 'simplified' : isHarder ? 'harder' : 'plain';

/** What a schedule, or its first steps, comes to; reckoned, not laid out. */
export function sizeOf(
  { batch, phases }: Schedule,
  steps: number | null,
): { readonly steps: number; readonly tasks: number; readonly episodes: number } {
  const all = phases.reduce((sum, phase) => sum + phase.steps, 0);
  const count = Math.min(all, steps ?? all);
  return { steps: count, tasks: count * batch.tasks, episodes: count * batch.tasks * batch.rollouts };
}

/**
 * Lays the schedule out, or only its first steps; what is not asked for costs nothing. Shares are kept over time, not only
 * rounded in each step: what a source is short of is carried on, so after any number of steps of a phase a source is less than
 * one task away from its share.
 */
export function* layOut(schedule: Schedule, steps: number | null = null): Generator<ScheduledStep> {
  const places: Record<Source, number> = { maths: 0, text: 0, speech: 0 };
  let step = 0;
  for (const phase of schedule.phases) {
    const owed: Record<Source, number> = { maths: 0, text: 0, speech: 0 };
    for (let own = 0; own < phase.steps; own += 1) {
      if (step === steps) return;
      step += 1;
      const random = createRandom(deriveSeed('curriculum', schedule.seed, step));
      const drawn: Source[] = [];
      for (let slot = 0; slot < schedule.batch.tasks; slot += 1) {
        for (const source of SOURCES) owed[source] += phase.shares[source];
        const next = SOURCES.reduce((best, source) => (owed[source] > owed[best] + 1e-12 ? source : best));
        owed[next] -= 1;
        drawn.push(next);
      }
      const tasks = drawn.map((source): ScheduledTask => {
        places[source] += 1;
        const isRetail = source !== 'maths';
        return {
          ...{ source, place: places[source] - 1 },
          isSimplified: isRetail && phase.tasks === 'simplified',
          isHarder: isRetail && random.chance(phase.harder),
        };
      });
      yield { step, phase: phase.name, tasks };
    }
  }
}
