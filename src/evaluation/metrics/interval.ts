import { createRandom, type Random } from '../../shared/index.js';

/** A mean with its 95 % interval and the number of tasks it covers. `mean` is null when it covers none. */
export interface Estimate {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly tasks: number;
}

export const RESAMPLES = 2_000;
const TAIL = 0.025;

/** Gamma(1) variate: an exponential. 1 - u keeps the logarithm off zero. */
function gammaOne(random: Random): number {
  return -Math.log(1 - random.next());
}

/** Gamma(1/2) variate: half the square of a standard normal (Box–Muller). */
function gammaHalf(random: Random): number {
  const angle = Math.cos(2 * Math.PI * random.next());
  return -Math.log(1 - random.next()) * angle * angle;
}

/** Quantile by linear interpolation between order statistics (Hyndman & Fan, type 7). */
function quantile(sorted: Float64Array, p: number): number {
  const place = (sorted.length - 1) * p;
  const below = Math.floor(place);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? low;
  return low + (high - low) * (place - below);
}

/**
 * Means over tasks with 95 % intervals, for several columns of per-task values in [0, 1] at once (NaN: not covered).
 *
 * The problem: the plain bootstrap gives an interval of width zero when every task passes, and so claims a certainty that
 * 40 tasks cannot give. The rule here: a Bayesian bootstrap over tasks (Rubin 1981) with half a made-up passing task and half a
 * made-up failing one: each resample weighs tasks by Gamma(1) and the two made-up ones by Gamma(1/2). For columns of 0 and 1
 * that is exactly the Jeffreys interval, which Brown, Cai & DasGupta (2001) advise for few observations; for fractions it is the
 * same idea. The interval is stretched to hold the mean itself (their modification at 0 and n). All columns share a resample's
 * weights, so the intervals of pass^1, pass^2 … fall together as their means do.
 * Left out: the noise that more trials of the same tasks would show beyond what differs between tasks.
 */
export function estimateMeans(
  columns: readonly (readonly number[])[],
  options: { seed: number; resamples?: number },
): Estimate[] {
  const resamples = options.resamples ?? RESAMPLES;
  const random = createRandom(options.seed);
  const tasks = columns[0]?.length ?? 0;
  const draws = columns.map(() => new Float64Array(resamples));
  const weights = new Float64Array(tasks);
  for (let draw = 0; draw < resamples; draw += 1) {
    for (let task = 0; task < tasks; task += 1) weights[task] = gammaOne(random);
    const madeUpPass = gammaHalf(random);
    const madeUpFail = gammaHalf(random);
    columns.forEach((column, index) => {
      let total = madeUpPass + madeUpFail;
      let sum = madeUpPass;
      column.forEach((value, task) => {
        if (Number.isNaN(value)) return;
        const weight = weights[task] ?? 0;
        total += weight;
        sum += weight * value;
      });
      const means = draws[index];
      if (means !== undefined) means[draw] = sum / total;
    });
  }
  return columns.map((column, index) => {
    const covered = column.filter((value) => !Number.isNaN(value));
    if (covered.length === 0) return { mean: null, low: null, high: null, tasks: 0 };
    const mean = covered.reduce((sum, value) => sum + value, 0) / covered.length;
    const sorted = (draws[index] ?? new Float64Array(1)).sort();
    return {
      mean,
      low: Math.min(mean, quantile(sorted, TAIL)),
      high: Math.max(mean, quantile(sorted, 1 - TAIL)),
      tasks: covered.length,
    };
  });
}
