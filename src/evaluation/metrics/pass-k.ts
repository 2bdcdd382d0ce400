/**
 * Chance that all of k trials of one task succeed, estimated from `successes` in `trials`: C(c,k)/C(n,k).
 * Source: tau-bench (Yao et al. 2024, eq. 1). As the product of (c-i)/(n-i), i = 0..k-1, so that large n neither overflow nor
 * round. NaN when k > trials: not covered.
 */
export function passHatK(successes: number, trials: number, k: number): number {
  if (k > trials) return Number.NaN;
  let product = 1;
  for (let i = 0; i < k; i += 1) product *= Math.max(0, successes - i) / (trials - i);
  return product;
}

/**
 * Chance that at least one of k trials succeeds: 1 - C(n-c,k)/C(n,k). Source: Chen et al. 2021 (Codex), eq. 1.
 * NaN when k > trials.
 */
export function passAtK(successes: number, trials: number, k: number): number {
  return 1 - passHatK(trials - successes, trials, k);
}

/**
 * 1 when the first k trials all pass, else 0: the estimator that the published TARL figures fit (all multiples of 1/115; see
 * docs/evaluation.md). NaN when there are fewer than k.
 */
export function firstKPass(results: readonly boolean[], k: number): number {
  if (k > results.length) return Number.NaN;
  return results.slice(0, k).every((passed) => passed) ? 1 : 0;
}
