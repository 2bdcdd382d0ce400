import { checkFinite, checkOffsets, type EpisodeAdvantages } from './batch.js';
import { type NormaliseOptions, normalisePools, type Pools } from './normalise.js';

function episodePools(groupOffsets: Uint32Array, episodes: number): Pools {
  const poolOf = new Uint32Array(episodes);
  const count = groupOffsets.length - 1;
  for (let group = 0; group < count; group += 1)
    poolOf.fill(group, groupOffsets[group] as number, groupOffsets[group + 1] as number);
  return { poolOf, count };
}

function check(scores: Float64Array, groupOffsets: Uint32Array): void {
  checkOffsets('groupOffsets', groupOffsets, scores.length);
  checkFinite('scores', scores);
}

/**
 * GRPO (TARL, arXiv 2509.14480, equation 5): A = (S - mean) / (deviation + epsilon) inside the rollouts of one task.
 * @param scores one number per episode
 * @param groupOffsets see `TurnBatch`
 * @throws InvalidBatchError
 *
 * By hand: scores 15, 12, 3, -5 have mean 6.25 and deviation sqrt((8.75² + 5.75² + 3.25² + 11.25²) / 3) = 9.06918,
 * so the advantages are 0.9648, 0.6340, -0.3584, -1.2405.
 */
export function grpo(
  scores: Float64Array,
  groupOffsets: Uint32Array,
  options: NormaliseOptions = {},
): EpisodeAdvantages {
  check(scores, groupOffsets);
  return normalisePools(scores, episodePools(groupOffsets, scores.length), options);
}

/**
 * RLOO: A = S - mean of the others = N / (N - 1) * (S - mean). Same arguments as `grpo`.
 * A group of one: 0, or S itself with `lone: 'raw'`, as verl does.
 *
 * By hand: scores 1, 0, 0, 1 give 4/3 * 0.5 = 2/3 and -2/3; indeed 1 - (0 + 0 + 1) / 3 = 2/3.
 */
export function rloo(
  scores: Float64Array,
  groupOffsets: Uint32Array,
  options: Pick<NormaliseOptions, 'lone'> = {},
): EpisodeAdvantages {
  check(scores, groupOffsets);
  const { values, live } = normalisePools(scores, episodePools(groupOffsets, scores.length), {
    ...options,
    scale: 'none',
  });
  for (let group = 0; group + 1 < groupOffsets.length; group += 1) {
    const from = groupOffsets[group] as number;
    const to = groupOffsets[group + 1] as number;
    const size = to - from;
    if (size < 2) continue;
    for (let episode = from; episode < to; episode += 1)
      values[episode] = ((values[episode] as number) * size) / (size - 1);
  }
  return { values, live };
}
