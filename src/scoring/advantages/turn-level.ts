import { checkTurnBatch, type EpisodeAdvantages, type TurnAdvantages, type TurnBatch } from './batch.js';
import { grpo } from './group-relative.js';
import type { NormaliseOptions } from './normalise.js';
import { normaliseTurns, type TurnPooling } from './pooling.js';

/**
 * Where the outcome stands in an episode of K turns; the papers do not say whether turns count from 0 or from 1.
 * - `after-last-turn`: one step behind it. Turn k of 0 … K - 1 sees gamma^(K - k) * o and every turn's own reward.
 * - `on-last-turn`: added to the last turn's own reward. Turn k of 0 … K - 1 sees gamma^(K - 1 - k) * o.
 * - `instead-of-last-turn`: the last turn's reward is the outcome alone (turns counted 1 … K, sums up to K - 1).
 */
export type OutcomePlace = 'after-last-turn' | 'on-last-turn' | 'instead-of-last-turn';

export interface TurnLevelOptions extends NormaliseOptions {
  /** Discount per turn, 0 … 1. */
  readonly gamma?: number;
  readonly pooling?: TurnPooling;
  readonly outcomePlace?: OutcomePlace;
}

interface ToGo {
  /** Per turn. */
  readonly steps: Float64Array;
  /** Per episode. */
  readonly terminal: Float64Array;
  readonly gamma: number;
  readonly place: OutcomePlace;
}

/** Discounted sum from each turn to the end, the terminal number included. */
function sumToGo({ steps, terminal, gamma, place }: ToGo, turnOffsets: Uint32Array): Float64Array {
  const sums = new Float64Array(steps.length);
  for (let episode = 0; episode < terminal.length; episode += 1) {
    const from = turnOffsets[episode] as number;
    const last = (turnOffsets[episode + 1] as number) - 1;
    if (last < from) continue;
    const end = terminal[episode] as number;
    const own = steps[last] as number;
    let sum = place === 'after-last-turn' ? own + gamma * end : place === 'on-last-turn' ? own + end : end;
    sums[last] = sum;
    for (let turn = last - 1; turn >= from; turn -= 1) {
      sum = (steps[turn] as number) + gamma * sum;
      sums[turn] = sum;
    }
  }
  return sums;
}

interface LiveToGo {
  readonly steps: Uint8Array;
  readonly terminal: Uint8Array;
  readonly gamma: number;
  readonly place: OutcomePlace;
}

/** The same walk for liveness: a turn is live when anything that its sum holds is. */
function liveToGo({ steps, terminal, gamma, place }: LiveToGo, turnOffsets: Uint32Array): Uint8Array {
  const result = new Uint8Array(steps.length);
  const carries = gamma === 0 ? 0 : 1;
  for (let episode = 0; episode < terminal.length; episode += 1) {
    const from = turnOffsets[episode] as number;
    const last = (turnOffsets[episode + 1] as number) - 1;
    const end = (terminal[episode] as number) & (place === 'after-last-turn' ? carries : 1);
    let alive = place === 'instead-of-last-turn' ? end : end | (steps[last] ?? 0);
    if (last >= from) result[last] = alive;
    for (let turn = last - 1; turn >= from; turn -= 1) {
      alive = (steps[turn] as number) | (alive & carries);
      result[turn] = alive;
    }
  }
  return result;
}

function addOutcome(
  { values, live }: TurnAdvantages,
  outcomes: EpisodeAdvantages,
  { weight, turnOffsets }: { readonly weight: number; readonly turnOffsets: Uint32Array },
): void {
  for (let episode = 0; episode + 1 < turnOffsets.length; episode += 1)
    for (let turn = turnOffsets[episode] as number; turn < (turnOffsets[episode + 1] as number); turn += 1) {
      (values[turn] as number) += weight * (outcomes.values[episode] as number);
      if (weight !== 0) (live[turn] as number) |= outcomes.live[episode] as number;
    }
}

/**
 * MT-GRPO (arXiv 2505.11821; equation 1 of 2604.02869): A_k = sum_{l >= k} gamma^(l - k) A^I_l + gamma^(K - k) A^O,
 * where A^I is the turn reward normalised per turn position and A^O the outcome normalised in the group.
 * Defaults: gamma 1, pooling `position`, outcome `after-last-turn`. @throws InvalidBatchError
 *
 * By hand, gamma 1, epsilon 0, two rollouts of two turns with rewards [1, 0], [0, 0] and outcomes 1, 0:
 * A^I at turn 1 is ±0.7071, at turn 2 all 0; A^O is ±0.7071. First rollout: 1.4142, 0.7071.
 */
export function mtGrpo(batch: TurnBatch, options: TurnLevelOptions = {}): TurnAdvantages {
  checkTurnBatch(batch);
  const { gamma = 1, pooling = 'position', outcomePlace: place = 'after-last-turn', ...normalise } = options;
  const inner = normaliseTurns(batch.turnRewards, batch, { ...normalise, pooling });
  const outcome = grpo(batch.outcomes, batch.groupOffsets, normalise);
  return {
    values: sumToGo({ steps: inner.values, terminal: outcome.values, gamma, place }, batch.turnOffsets),
    live: liveToGo({ steps: inner.live, terminal: outcome.live, gamma, place }, batch.turnOffsets),
  };
}

/**
 * GTPO (Group Turn Policy Optimization, arXiv 2511.14846): discounted returns per turn, normalised.
 * R_k = sum_{l >= k} gamma^(l - k) r_l with the outcome in the last turn's reward; A = (R - mean) / deviation.
 * Defaults: gamma 0.9, pooling `batch` (as a third party's code that cites the paper's equations does),
 * outcome `on-last-turn`. With `group` and `after-last-turn` it is what 2604.02869 calls GTPO. @throws InvalidBatchError
 */
export function gtpo(batch: TurnBatch, options: TurnLevelOptions = {}): TurnAdvantages {
  checkTurnBatch(batch);
  const { gamma = 0.9, pooling = 'batch', outcomePlace: place = 'on-last-turn', ...normalise } = options;
  const toGo = { steps: batch.turnRewards, terminal: batch.outcomes, gamma, place };
  return normaliseTurns(sumToGo(toGo, batch.turnOffsets), batch, { ...normalise, pooling });
}

/**
 * Hybrid (arXiv 2604.02869, equation 2): A_k = GN(sum_{l = k}^{K - 1} gamma^(l - k) r_l + gamma^(K - k) o) + lambda * A^O.
 * Defaults: gamma 0.9, lambda 0.3, outcome `after-last-turn`, pooling `group`: the paper normalises "over rollouts of
 * one prompt" and does not name a position. There, returns shrink towards an episode's end, and late turns of good
 * episodes with them; `position` compares equal depths only (docs/scoring.md). @throws InvalidBatchError
 *
 * By hand, gamma 0.5, lambda 0.3, epsilon 0, one group: rollout [1, 0] with o = 1 has returns 1 + 0.25 = 1.25 and 0.5;
 * rollout [0] with o = 0 has return 0. Mean 0.58333, deviation 0.62915: GN = 1.05963, -0.13245, -0.92717.
 * A^O = ±0.70711, so A = 1.27176, 0.07968, -1.13931.
 */
export function hybrid(
  batch: TurnBatch,
  options: TurnLevelOptions & { readonly lambda?: number } = {},
): TurnAdvantages {
  const {
    gamma = 0.9,
    lambda = 0.3,
    pooling = 'group',
    outcomePlace = 'after-last-turn',
    ...normalise
  } = options;
  const result = gtpo(batch, { gamma, pooling, outcomePlace, ...normalise });
  addOutcome(result, grpo(batch.outcomes, batch.groupOffsets, normalise), {
    weight: lambda,
    turnOffsets: batch.turnOffsets,
  });
  return result;
}
