import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type FilledSchedule, fillSchedule, type Rewriter, type Schedule } from '../../dataset/index.js';
import { generateMathsTasks } from '../../maths/index.js';
import { formatTasks, generateTrainingTasks, loadTasksFile, type Task } from '../../retail/index.js';
import { canonicalJson, type JsonValue, sha256Hex, UsageError } from '../../shared/index.js';
import { writeAtomically } from '../write-atomically.js';

const placeSchema = z.object({
  step: z.number().int(),
  source: z.enum(['maths', 'text', 'speech']),
  variant: z.string(),
  task: z.string(),
});
export type CurriculumPlace = z.infer<typeof placeSchema>;

const fileSchema = z.object({
  type: z.literal('curriculum'),
  version: z.literal(1),
  /** SHA-256 over everything that decides the tasks. */
  plan: z.string(),
  schedule: z.unknown(),
  steps: z.number().int().nullable(),
  rewriter: z.string(),
  rewrites: z.record(z.string(), z.number()),
  /** Of `tasks.jsonl`. */
  tasksHash: z.string(),
  places: z.array(placeSchema),
});

export interface Curriculum {
  readonly tasks: readonly Task[];
  readonly places: readonly CurriculumPlace[];
  readonly rewrites: FilledSchedule['rewrites'];
}

export interface CurriculumChoice {
  readonly schedule: Schedule;
  readonly steps: number | null;
  /** Of the tasks; the schedule has its own. */
  readonly seed: number;
  readonly rewriter: Rewriter;
}

/** What an earlier start of the same command has made; null: nothing. @throws UsageError when it was another command */
async function readCurriculum(dir: string, plan: string): Promise<Curriculum | null> {
  const text = await readFile(join(dir, 'curriculum.json'), 'utf8').catch(() => null);
  if (text === null) return null;
  const other = (why: string): UsageError =>
    new UsageError('dataset-folder', `${join(dir, 'curriculum.json')} ${why}; give another --out`);
  let parsed: z.infer<typeof fileSchema>;
  try {
    parsed = fileSchema.parse(JSON.parse(text));
  } catch {
    throw other('is damaged, or of another version');
  }
  if (parsed.plan !== plan)
    throw other('is of another schedule: it was begun with another --schedule, --steps, --seed or --rewrite');
  const tasksPath = join(dir, 'tasks.jsonl');
  const tasks = await loadTasksFile(tasksPath);
  if (sha256Hex(await readFile(tasksPath, 'utf8')) !== parsed.tasksHash)
    throw other('does not belong to the tasks.jsonl beside it');
  return { tasks, places: parsed.places, rewrites: parsed.rewrites };
}

/**
 * The tasks of a schedule, made once and kept in the folder: `tasks.jsonl`, and `curriculum.json` with the place of each.
 * A command that is given again goes on with them, so a model's rewrites are asked for only once.
 */
export async function makeCurriculum(dir: string, choice: CurriculumChoice): Promise<Curriculum> {
  const { schedule, steps, seed, rewriter } = choice;
  const decides = { schedule, steps, seed, rewriter: rewriter.name };
  const plan = sha256Hex(canonicalJson(decides as unknown as JsonValue));
  const before = await readCurriculum(dir, plan);
  if (before !== null) return before;
  const filled = await fillSchedule(schedule, {
    ...{ rewriter, steps },
    supply: {
      retail: (count) => generateTrainingTasks({ count, seed }),
      maths: (count) => generateMathsTasks({ count, seed }),
    },
  });
  const tasks = filled.places.map(({ task }) => task);
  const places = filled.places.map(({ step, source, variant, task }) => ({
    ...{ step, source, variant, task: task.id },
  }));
  const text = formatTasks(tasks);
  await mkdir(dir, { recursive: true });
  await writeAtomically(join(dir, 'tasks.jsonl'), text);
  const file: z.infer<typeof fileSchema> = {
    ...{ type: 'curriculum', version: 1, plan, schedule, steps, rewriter: rewriter.name },
    ...{ rewrites: filled.rewrites, tasksHash: sha256Hex(text), places },
  };
  await writeAtomically(join(dir, 'curriculum.json'), `${JSON.stringify(file, null, 2)}\n`);
  return { tasks, places, rewrites: filled.rewrites };
}
