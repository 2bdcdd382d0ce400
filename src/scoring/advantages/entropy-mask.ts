import { InvalidBatchError } from '../errors.js';

/** Rounding of log-probabilities may push their sum a little over 1. */
const MASS_TOLERANCE = 1e-3;

/** What can be told of one token's entropy from the log-probabilities that a server gave. Natural units (nats). */
export interface TokenEntropy {
  /** Never more than the true entropy; equal to it where the alternatives cover the whole vocabulary. */
  readonly nats: number;
  /** Probability of all alternatives that were not given, 0 … 1. The more, the coarser `nats` is. */
  readonly uncovered: number;
}

/**
 * Entropy of the distribution that a token was drawn from, H = -sum p log p, from natural log-probabilities of its
 * alternatives, the drawn token's own among them. Servers give the top few only; the rest of the probability is then
 * counted as one further alternative, which gives a lower bound: splitting it up can only add entropy. So tokens are
 * comparable with each other only where the same number of alternatives was asked for.
 *
 * With the drawn token alone this is the entropy of "that token or another", a weak stand-in.
 * @param logProbabilities each at most 0; -Infinity is an alternative that cannot come
 * @throws InvalidBatchError on anything else, or when they sum to more than 1
 *
 * By hand: 0.5, 0.25, 0.25 give 0.5 ln 2 + 2 * 0.25 ln 4 = 1.0397; 0.5 and 0.25 alone leave 0.25 and give the same.
 */
export function tokenEntropy(logProbabilities: readonly number[]): TokenEntropy {
  let nats = 0;
  let covered = 0;
  for (const log of logProbabilities) {
    if (Number.isNaN(log) || log > MASS_TOLERANCE)
      throw new InvalidBatchError(`a log-probability must be at most 0; got ${log}`);
    const probability = Math.exp(Math.min(0, log));
    if (probability === 0) continue;
    nats -= probability * Math.min(0, log);
    covered += probability;
  }
  if (logProbabilities.length === 0)
    throw new InvalidBatchError('a token needs at least one log-probability');
  if (covered > 1 + MASS_TOLERANCE)
    throw new InvalidBatchError(`the probabilities of one token must sum to at most 1; got ${covered}`);
  const uncovered = Math.max(0, 1 - covered);
  return { nats: uncovered === 0 ? nats : nats - uncovered * Math.log(uncovered), uncovered };
}

/**
 * The tokens that a policy update may use when only the most uncertain are to be trained on: the top 20 % by entropy
 * (arXiv 2506.01939). TARL (arXiv 2509.14480) tried it together with its reward and reports a *lower* training reward,
 * so this is an option and no default. Exactly `ceil(share * n)` of the batch's n agent tokens are kept; among equals
 * the earlier ones. The share is taken over the batch handed in, as the source does, not per episode.
 * @param entropies nats per token, see `tokenEntropy`; not read where the mask is 0
 * @param mask 1: written by the agent
 * @param share of agent tokens to keep, over 0 and at most 1
 * @returns 1 on the tokens to train on; never where `mask` is 0
 * @throws InvalidBatchError
 */
export function entropyMask(entropies: Float64Array, mask: Uint8Array, share = 0.2): Uint8Array {
  if (entropies.length !== mask.length)
    throw new InvalidBatchError(
      `entropies must be as long as mask (${mask.length}); got ${entropies.length}`,
    );
  if (!(share > 0 && share <= 1))
    throw new InvalidBatchError(`the share must be over 0 and at most 1; got ${share}`);
  const own: number[] = [];
  mask.forEach((written, token) => {
    if (written !== 1) return;
    const entropy = entropies[token] as number;
    if (!(entropy >= 0 && entropy < Number.POSITIVE_INFINITY))
      throw new InvalidBatchError(`entropies[${token}] must be a finite number from 0; got ${entropy}`);
    own.push(token);
  });
  // 0.2 * 15 is 3.0000000000000004, and must not become 4.
  const keep = Math.max(0, Math.ceil(share * own.length - 1e-9));
  own.sort((a, b) => (entropies[b] as number) - (entropies[a] as number) || a - b);
  const kept = new Uint8Array(mask.length);
  for (const token of own.slice(0, keep)) kept[token] = 1;
  return kept;
}
