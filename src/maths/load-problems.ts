import { z } from 'zod';
import { MathsProblemsError } from './errors.js';
import { extractAnswer } from './extract-answer.js';
import type { MathsProblem } from './generate-problems.js';
import { readProblemRows } from './read-problem-rows.js';

const rowSchema = z.object({
  problem: z.string().min(1),
  answer: z.union([z.string(), z.number(), z.bigint()]).transform(String),
  solution: z.string().nullish(),
  /** Share of a model's attempts that were right, where somebody measured it. */
  pass_rate: z.number().min(0).max(1).nullish(),
});
type ProblemRow = z.infer<typeof rowSchema>;

/** What counts as medium. */
export interface DifficultyRule {
  /** Where a pass rate is given, only that counts. */
  readonly passRate: readonly [number, number];
  /** Else characters of the solution, where there is one. */
  readonly solution: readonly [number, number];
  /** Else characters of the problem. */
  readonly problem: readonly [number, number];
}

export const MEDIUM: DifficultyRule = { passRate: [0.2, 0.8], solution: [200, 2500], problem: [60, 800] };

const MAX_ANSWER_DIGITS = 12;
const within = (value: number, [low, high]: readonly [number, number]): boolean =>
  value >= low && value <= high;

function isMedium({ pass_rate: passRate, solution, problem }: ProblemRow, rule: DifficultyRule): boolean {
  if (passRate != null) return within(passRate, rule.passRate);
  return solution != null && solution !== ''
    ? within(solution.length, rule.solution)
    : within(problem.length, rule.problem);
}

export interface LoadedProblems {
  readonly problems: readonly MathsProblem[];
  /** What was left out, rule by rule. */
  readonly steps: readonly { readonly rule: string; readonly removed: number }[];
}

/**
 * Problems in the shape of DeepScaleR (problem, answer, perhaps solution and pass_rate), as a JSON array, JSON lines or
 * Parquet. Kept are those of medium difficulty whose answer is a whole number; pictures cannot be shown, so problems with one
 * go.
 * @throws MathsProblemsError when the file cannot be read or has no such row at all
 */
export async function loadProblems(path: string, rule: DifficultyRule = MEDIUM): Promise<LoadedProblems> {
  const counts = new Map<string, number>();
  const drop = (reason: string): [] => {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return [];
  };
  const rows = await readProblemRows(path);
  const seen = new Set<string>();
  const problems = rows.flatMap((value, place): MathsProblem[] => {
    const parsed = rowSchema.safeParse(value);
    if (!parsed.success) return drop('no problem and answer');
    const row = parsed.data;
    const answer = extractAnswer(`\\boxed{${row.answer}}`);
    if (answer.kind !== 'integer' || answer.value.toString().length > MAX_ANSWER_DIGITS)
      return drop('the answer is no whole number');
    if (/\[asy\]|\\includegraphics|!\[/.test(row.problem)) return drop('needs a picture');
    if (!isMedium(row, rule)) return drop('not of medium difficulty');
    if (seen.has(row.problem)) return drop('twice in the file');
    seen.add(row.problem);
    return [{ id: `loaded-${place + 1}`, problem: row.problem, answer: answer.value, source: 'file' }];
  });
  if (problems.length === 0)
    throw new MathsProblemsError(
      `none of the ${rows.length} rows is a problem of medium difficulty with a whole number as its answer (${[...counts].map(([reason, count]) => `${reason}: ${count}`).join(', ')})`,
    );
  return { problems, steps: [...counts].map(([reason, removed]) => ({ rule: reason, removed })) };
}
