/** How values of one pool become advantages. */
export interface NormaliseOptions {
  /** Added to the standard deviation. Default 1e-6, as in verl. */
  readonly epsilon?: number;
  /** `deviation`: divide by the sample standard deviation (divisor N - 1), as verl does. `none`: subtract the mean only. */
  readonly scale?: 'deviation' | 'none';
  /**
   * What a pool of one gives. The papers are silent. `zero` (default): there is nothing to compare with, so no signal.
   * `raw`: the value itself over 1 + epsilon, which is what verl computes (it takes mean 0 and deviation 1 there).
   */
  readonly lone?: 'zero' | 'raw';
}

export interface Pooled {
  readonly values: Float64Array;
  /** 1 where the value's pool has spread. */
  readonly live: Uint8Array;
}

/**
 * Differences below this share of the batch's largest value are rounding, not spread. The batch's, not the pool's: returns that
 * cancel to 1e-17 in one pool are nothing beside the rewards they were summed from.
 */
const RELATIVE_SPREAD = 1e-12;

/** Which pool each value belongs to. `absent` pools count values that are not there, as zeros. */
export interface Pools {
  readonly poolOf: Uint32Array;
  readonly count: number;
  /** Per pool: how many zeros to add. Undefined: none. */
  readonly absent?: Uint32Array;
}

interface PoolSums {
  readonly size: Float64Array;
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  readonly spread: Uint8Array;
}

function sumPools(values: Float64Array, { poolOf, count, absent }: Pools): PoolSums {
  const size = new Float64Array(count);
  const mean = new Float64Array(count);
  const squares = new Float64Array(count);
  const low = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  for (let index = 0; index < values.length; index += 1) {
    const pool = poolOf[index] as number;
    const value = values[index] as number;
    (size[pool] as number) += 1;
    (mean[pool] as number) += value;
    if (value < (low[pool] as number)) low[pool] = value;
    if (value > (high[pool] as number)) high[pool] = value;
  }
  for (let pool = 0; pool < count; pool += 1) {
    const zeros = absent?.[pool] ?? 0;
    if (zeros > 0) {
      (size[pool] as number) += zeros;
      low[pool] = Math.min(low[pool] as number, 0);
      high[pool] = Math.max(high[pool] as number, 0);
    }
    mean[pool] = (mean[pool] as number) / Math.max(1, size[pool] as number);
    squares[pool] = zeros * (mean[pool] as number) ** 2;
  }
  // A second pass, so that a large mean does not eat the digits of a small spread.
  for (let index = 0; index < values.length; index += 1) {
    const pool = poolOf[index] as number;
    const difference = (values[index] as number) - (mean[pool] as number);
    (squares[pool] as number) += difference * difference;
  }
  const spread = new Uint8Array(count);
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  for (let pool = 0; pool < count; pool += 1) {
    spread[pool] = (high[pool] as number) - (low[pool] as number) > RELATIVE_SPREAD * largest ? 1 : 0;
    squares[pool] = Math.sqrt((squares[pool] as number) / Math.max(1, (size[pool] as number) - 1));
  }
  return { size, mean, deviation: squares, spread };
}

/**
 * Group normalisation: (x - mean) / (deviation + epsilon) inside each pool; deviation with divisor N - 1.
 * A pool of equals gives exactly 0, whatever epsilon is.
 *
 * By hand: 1, 0, 0, 1 has mean 0.5 and deviation sqrt(4 * 0.25 / 3) = 0.577, so 1 gives 0.866 and 0 gives -0.866
 * (the -0.87 that arXiv 2604.02869, section 3.1 prints for failing rollouts of a group of four).
 */
export function normalisePools(values: Float64Array, pools: Pools, options: NormaliseOptions = {}): Pooled {
  const { epsilon = 1e-6, scale = 'deviation', lone = 'zero' } = options;
  const { size, mean, deviation, spread } = sumPools(values, pools);
  const result = new Float64Array(values.length);
  const live = new Uint8Array(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const pool = pools.poolOf[index] as number;
    const value = values[index] as number;
    if (spread[pool] === 1) {
      const divisor = scale === 'deviation' ? (deviation[pool] as number) + epsilon : 1;
      result[index] = (value - (mean[pool] as number)) / divisor;
      live[index] = 1;
    } else if (lone === 'raw' && size[pool] === 1) {
      result[index] = scale === 'deviation' ? value / (1 + epsilon) : value;
      live[index] = value === 0 ? 0 : 1;
    }
  }
  return { values: result, live };
}
