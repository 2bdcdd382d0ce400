import type { TurnBatch } from './batch.js';
import { type NormaliseOptions, normalisePools, type Pooled, type Pools } from './normalise.js';

/**
 * Which turns are compared with each other. The papers do not say it for rollouts of unequal length.
 * - `position`: the k-th turns of the group's rollouts that have one. A turn that no other rollout reaches has no peer.
 * - `position-padded`: the same, and rollouts that ended before count as 0 there.
 * - `group`: all turns of all rollouts of one task; a longer rollout weighs more.
 * - `batch`: all turns of the batch.
 */
export type TurnPooling = 'position' | 'position-padded' | 'group' | 'batch';

export const TURN_POOLINGS: readonly TurnPooling[] = ['position', 'position-padded', 'group', 'batch'];

function positionPools({ groupOffsets, turnOffsets, turnRewards }: TurnBatch, padded: boolean): Pools {
  const poolOf = new Uint32Array(turnRewards.length);
  const groups = groupOffsets.length - 1;
  const reached: number[] = [];
  const groupSize: number[] = [];
  let base = 0;
  for (let group = 0; group < groups; group += 1) {
    const from = groupOffsets[group] as number;
    const to = groupOffsets[group + 1] as number;
    let longest = 0;
    for (let episode = from; episode < to; episode += 1) {
      const start = turnOffsets[episode] as number;
      const length = (turnOffsets[episode + 1] as number) - start;
      for (let place = 0; place < length; place += 1) {
        poolOf[start + place] = base + place;
        reached[base + place] = (reached[base + place] ?? 0) + 1;
        groupSize[base + place] = to - from;
      }
      longest = Math.max(longest, length);
    }
    base += longest;
  }
  if (!padded) return { poolOf, count: base };
  return { poolOf, count: base, absent: Uint32Array.from(reached, (n, pool) => (groupSize[pool] ?? 0) - n) };
}

function groupPools({ groupOffsets, turnOffsets, turnRewards }: TurnBatch): Pools {
  const poolOf = new Uint32Array(turnRewards.length);
  const groups = groupOffsets.length - 1;
  for (let group = 0; group < groups; group += 1)
    poolOf.fill(
      group,
      turnOffsets[groupOffsets[group] as number] as number,
      turnOffsets[groupOffsets[group + 1] as number] as number,
    );
  return { poolOf, count: groups };
}

function poolTurns(batch: TurnBatch, pooling: TurnPooling): Pools {
  if (pooling === 'batch') return { poolOf: new Uint32Array(batch.turnRewards.length), count: 1 };
  if (pooling === 'group') return groupPools(batch);
  return positionPools(batch, pooling === 'position-padded');
}

/** Normalises one number per turn inside the pools. The batch gives the layout; its own rewards are not read. */
export function normaliseTurns(
  values: Float64Array,
  batch: TurnBatch,
  options: NormaliseOptions & { readonly pooling: TurnPooling },
): Pooled {
  return normalisePools(values, poolTurns(batch, options.pooling), options);
}
