import { type Estimate, estimateMeans } from './interval.js';
import { firstKPass, passAtK, passHatK } from './pass-k.js';

/** `invalid` (the platform's failure) and `missing` (not run yet) say nothing about the agent. */
export type TrialResult = 'passed' | 'failed' | 'invalid' | 'missing';

/** One task's trials, in order. */
export interface TaskTrials {
  readonly task: string;
  readonly trials: readonly TrialResult[];
}

export interface PassRow {
  readonly k: number;
  /** Mean over tasks of C(c,k)/C(n,k). */
  readonly combinatorial: Estimate;
  /** Share of tasks whose first k trials all pass. */
  readonly firstK: Estimate;
  /** Mean over tasks of 1 - C(n-c,k)/C(n,k): at least one of k passes. */
  readonly passAt: Estimate;
}

function known(trials: readonly TrialResult[]): boolean[] {
  return trials
    .filter((trial) => trial === 'passed' || trial === 'failed')
    .map((trial) => trial === 'passed');
}

/**
 * pass^1..pass^maxK with both estimators, and pass@k. A task with fewer than k valid trials is not covered by row k;
 * each estimate says how many tasks it covers. "First" means the first k trials that are valid.
 */
export function computePassTable(tasks: readonly TaskTrials[], maxK: number, seed: number): PassRow[] {
  const results = tasks.map((task) => known(task.trials));
  const ks = Array.from({ length: maxK }, (_, index) => index + 1);
  const columns = ks.flatMap((k) => {
    const successes = (trials: readonly boolean[]) => trials.filter((passed) => passed).length;
    return [
      results.map((trials) => passHatK(successes(trials), trials.length, k)),
      results.map((trials) => firstKPass(trials, k)),
      results.map((trials) => passAtK(successes(trials), trials.length, k)),
    ];
  });
  const estimates = estimateMeans(columns, { seed });
  const none: Estimate = { mean: null, low: null, high: null, tasks: 0 };
  return ks.map((k, row) => ({
    k,
    combinatorial: estimates[3 * row] ?? none,
    firstK: estimates[3 * row + 1] ?? none,
    passAt: estimates[3 * row + 2] ?? none,
  }));
}

/** The same trials with every invalid one taken as failed: the worst case for the agent. */
export function countInvalidAsFailed(tasks: readonly TaskTrials[]): TaskTrials[] {
  return tasks.map(({ task, trials }) => ({
    task,
    trials: trials.map((trial) => (trial === 'invalid' ? 'failed' : trial)),
  }));
}
