import type { Mode } from '../../protocol/index.js';
import { deriveSeed } from '../../shared/index.js';
import { RunsDifferError, TaskSelectionError } from '../errors.js';
import { type Estimate, estimateMeans } from '../metrics/interval.js';
import { passHatK } from '../metrics/pass-k.js';
import { summariseRun } from '../metrics/run-summary.js';
import type { ModeSummary } from '../metrics/summary.js';
import { type DifferenceKind, findDifferences, type NamedRun, type RunDifference } from './comparable.js';

/** One run's pass^k beside the first run's, over tasks that all runs cover. */
export interface ComparedRun {
  readonly name: string;
  readonly agent: string;
  readonly pass: Estimate;
  /** pass^k less the first run's, paired by task, with its 95 % interval; null for the first. */
  readonly difference: Estimate | null;
  /** Tasks whose pass^k is above, below or the same as the first run's; null for the first. */
  readonly tasks: { readonly better: number; readonly worse: number; readonly same: number } | null;
  readonly invalid: number;
}

export interface Comparison {
  readonly modes: readonly {
    readonly mode: Mode;
    /** Planned in every run. */
    readonly sharedTasks: number;
    /** In some runs only, and so left out. */
    readonly otherTasks: number;
    readonly rows: readonly { readonly k: number; readonly runs: readonly ComparedRun[] }[];
  }[];
  /** What was let pass by request. */
  readonly differences: readonly RunDifference[];
  readonly sameSeed: boolean;
}

const NONE: Estimate = { mean: null, low: null, high: null, tasks: 0 };

/**
 * Means of differences in [-1, 1]: moved into [0, 1], estimated as pass^k is (half a made-up task in favour of each side takes
 * part in every resample, so that two runs that agree in twelve tasks are not called equal), and moved back.
 */
function estimateDifferences(columns: readonly (readonly number[])[], seed: number): Estimate[] {
  const back = (value: number | null) => (value === null ? null : 2 * value - 1);
  return estimateMeans(
    columns.map((column) => column.map((value) => (value + 1) / 2)),
    { seed },
  ).map(({ mean, low, high, tasks }) => ({ mean: back(mean), low: back(low), high: back(high), tasks }));
}

interface Entry {
  readonly name: string;
  readonly agent: string;
  readonly summary: ModeSummary;
}

function valuesOf({ tasks }: ModeSummary, k: number): Map<string, number> {
  return new Map(
    tasks.map(({ task, trials }) => {
      const valid = trials.filter((trial) => trial === 'passed' || trial === 'failed');
      return [task, passHatK(valid.filter((trial) => trial === 'passed').length, valid.length, k)];
    }),
  );
}

function compareRow(entries: readonly Entry[], k: number, seed: number): ComparedRun[] {
  const values = entries.map(({ summary }) => valuesOf(summary, k));
  const covered = [...(values[0]?.keys() ?? [])].filter((task) =>
    values.every((each) => !Number.isNaN(each.get(task) ?? Number.NaN)),
  );
  const columns = values.map((each) => covered.map((task) => each.get(task) ?? Number.NaN));
  const passes = estimateMeans(columns, { seed });
  const gaps = columns.map((column) => column.map((value, at) => value - (columns[0]?.[at] ?? 0)));
  const differences = estimateDifferences(gaps, seed);
  return entries.map(({ name, agent, summary }, index) => {
    const gap = gaps[index] ?? [];
    const better = gap.filter((value) => value > 0).length;
    const worse = gap.filter((value) => value < 0).length;
    return {
      ...{ name, agent, pass: passes[index] ?? NONE, invalid: summary.episodes.invalid },
      difference: index === 0 ? null : (differences[index] ?? NONE),
      tasks: index === 0 ? null : { better, worse, same: gap.length - better - worse },
    };
  });
}

/**
 * Lays runs beside the first of them: pass^k over the tasks that all cover, and differences paired by task.
 * @param allowed kinds of differences that are let pass
 * @throws RunsDifferError when the figures would not measure the same; TaskSelectionError when nothing is shared
 */
export function compareRuns(
  runs: readonly NamedRun[],
  allowed: ReadonlySet<DifferenceKind> = new Set(),
): Comparison {
  const [base, ...others] = runs;
  if (base === undefined || others.length === 0)
    throw new TaskSelectionError('a comparison needs at least two runs');
  const differences = others.flatMap((other) => findDifferences(base, other));
  const refused = differences.filter(({ kind }) => !allowed.has(kind));
  if (refused.length > 0) throw new RunsDifferError(refused);
  const summaries = runs.map(({ name, run }) => ({ name, summary: summariseRun(run) }));
  const seed = deriveSeed(base.run.manifest.seed, 'comparison');
  const maxK = Math.min(...runs.map(({ run }) => run.manifest.trials));
  const modes = base.run.manifest.modes.flatMap((mode) => {
    const entries = summaries.flatMap(({ name, summary }): Entry[] => {
      const found = summary.modes.find((each) => each.mode === mode);
      return found === undefined ? [] : [{ name, agent: summary.manifest.agent.name, summary: found }];
    });
    if (entries.length < runs.length) return [];
    const ids = entries.map(({ summary }) => new Set(summary.tasks.map(({ task }) => task)));
    const all = new Set(ids.flatMap((each) => [...each]));
    const sharedTasks = [...all].filter((task) => ids.every((each) => each.has(task))).length;
    if (sharedTasks === 0) return [];
    const rows = Array.from({ length: maxK }, (_, index) => ({
      k: index + 1,
      runs: compareRow(entries, index + 1, seed),
    }));
    return [{ mode, sharedTasks, otherTasks: all.size - sharedTasks, rows }];
  });
  if (modes.length === 0)
    throw new TaskSelectionError(
      `${runs.map(({ name }) => name).join(', ')} share no task in the same mode; run the same tasks in the same mode`,
    );
  return {
    ...{ modes, differences },
    sameSeed: others.every(({ run }) => run.manifest.seed === base.run.manifest.seed),
  };
}
