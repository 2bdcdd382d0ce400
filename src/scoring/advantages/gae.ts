import { InvalidBatchError } from '../errors.js';
import { checkFinite, checkOffsets } from './batch.js';

/**
 * Tokens of many episodes as flat arrays. Agent tokens are trained on; all others (tool results, the customer's words)
 * are masked. A caller without tokens may hand in one step per turn: all masks 1, every turn its own end.
 */
export interface TokenLayout {
  /** Tokens of episode e: tokenOffsets[e] … tokenOffsets[e + 1] - 1. Length: episodes + 1. */
  readonly tokenOffsets: Uint32Array;
  /** 1: written by the agent. */
  readonly mask: Uint8Array;
  /** Turns of episode e, as in `TurnBatch`. */
  readonly turnOffsets: Uint32Array;
  /** Per turn: index of its last agent token. */
  readonly turnEnds: Uint32Array;
}

/** @throws InvalidBatchError when lengths differ, or a turn's end is masked or outside its episode. */
function checkTokenLayout(layout: TokenLayout): void {
  checkOffsets('tokenOffsets', layout.tokenOffsets, layout.mask.length);
  checkOffsets('turnOffsets', layout.turnOffsets, layout.turnEnds.length);
  if (layout.tokenOffsets.length !== layout.turnOffsets.length)
    throw new InvalidBatchError(
      `tokenOffsets and turnOffsets must describe as many episodes; got ${layout.tokenOffsets.length - 1} and ${layout.turnOffsets.length - 1}`,
    );
  for (let episode = 0; episode + 1 < layout.turnOffsets.length; episode += 1) {
    const first = layout.tokenOffsets[episode] as number;
    const end = layout.tokenOffsets[episode + 1] as number;
    for (
      let turn = layout.turnOffsets[episode] as number;
      turn < (layout.turnOffsets[episode + 1] as number);
      turn += 1
    ) {
      const token = layout.turnEnds[turn] as number;
      if (token < first || token >= end || layout.mask[token] !== 1)
        throw new InvalidBatchError(
          `turnEnds[${turn}] must name an agent token of episode ${episode} (${first} to ${end - 1}); got ${token}`,
        );
    }
  }
}

/**
 * PPO, placement `per-turn`: each turn's reward on that turn's last agent token, the outcome added on the last one.
 * @param rewards per turn
 * @param outcomes per episode; an episode without turns has no token to carry it
 * @returns one reward per token
 */
export function placePerTurn(
  layout: TokenLayout,
  rewards: Float64Array,
  outcomes: Float64Array,
): Float64Array {
  checkTokenLayout(layout);
  const tokens = new Float64Array(layout.mask.length);
  for (let turn = 0; turn < rewards.length; turn += 1)
    (tokens[layout.turnEnds[turn] as number] as number) += rewards[turn] as number;
  for (let episode = 0; episode < outcomes.length; episode += 1) {
    const last = (layout.turnOffsets[episode + 1] as number) - 1;
    if (last >= (layout.turnOffsets[episode] as number))
      (tokens[layout.turnEnds[last] as number] as number) += outcomes[episode] as number;
  }
  return tokens;
}

/**
 * PPO, placement `trajectory`: one total per episode, spread evenly over its agent tokens. TARL says "normalised" and
 * not how: hand in what `grpo` gives to normalise inside the group.
 * @param totals per episode
 * @param share `divide` (default): each token gets total / tokens, so that they sum to the total. `repeat`: each the total.
 */
export function placeTrajectory(
  { tokenOffsets, mask }: Pick<TokenLayout, 'tokenOffsets' | 'mask'>,
  totals: Float64Array,
  share: 'divide' | 'repeat' = 'divide',
): Float64Array {
  checkOffsets('tokenOffsets', tokenOffsets, mask.length);
  const tokens = new Float64Array(mask.length);
  for (let episode = 0; episode < totals.length; episode += 1) {
    const from = tokenOffsets[episode] as number;
    const to = tokenOffsets[episode + 1] as number;
    let written = 0;
    for (let token = from; token < to; token += 1) written += mask[token] as number;
    const each = (totals[episode] as number) / (share === 'divide' ? Math.max(1, written) : 1);
    for (let token = from; token < to; token += 1) if (mask[token] === 1) tokens[token] = each;
  }
  return tokens;
}

export interface GaeInput {
  readonly tokenOffsets: Uint32Array;
  readonly mask: Uint8Array;
  /** Per token, from one of the placements. */
  readonly rewards: Float64Array;
  /** The critic's value per token. */
  readonly values: Float64Array;
}

export interface GaeOptions {
  /** Default 1, as in verl. */
  readonly gamma?: number;
  /** Default 1, as in verl. */
  readonly lambda?: number;
}

/**
 * Generalised advantage estimation as verl computes it for tool agents: masked tokens carry neither value nor error,
 * they are stepped over. From the end: delta_t = r_t + gamma * V_next - V_t, A_t = delta_t + gamma * lambda * A_next,
 * where `next` is the next agent token. Not whitened: see `whiten`. Advantages and returns (A + V) are 0 on masked tokens.
 * @throws InvalidBatchError
 *
 * By hand, gamma 0.5, lambda 0.5, mask 1 0 1, rewards 1 0 2, values 0.5 9 1: token 2 gives 2 - 1 = 1; token 0 gives
 * delta 1 + 0.5 * 1 - 0.5 = 1 and A = 1 + 0.25 * 1 = 1.25. The 9 on the masked token is never read.
 */
export function gae(
  input: GaeInput,
  options: GaeOptions = {},
): { advantages: Float64Array; returns: Float64Array } {
  const { tokenOffsets, mask, rewards, values } = input;
  const { gamma = 1, lambda = 1 } = options;
  checkOffsets('tokenOffsets', tokenOffsets, mask.length);
  if (rewards.length !== mask.length || values.length !== mask.length)
    throw new InvalidBatchError(
      `rewards and values must be as long as mask (${mask.length}); got ${rewards.length} and ${values.length}`,
    );
  checkFinite('rewards', rewards);
  checkFinite('values', values);
  const advantages = new Float64Array(mask.length);
  const returns = new Float64Array(mask.length);
  for (let episode = 0; episode + 1 < tokenOffsets.length; episode += 1) {
    let nextValue = 0;
    let nextAdvantage = 0;
    for (
      let token = (tokenOffsets[episode + 1] as number) - 1;
      token >= (tokenOffsets[episode] as number);
      token -= 1
    ) {
      if (mask[token] !== 1) continue;
      const value = values[token] as number;
      const delta = (rewards[token] as number) + gamma * nextValue - value;
      nextAdvantage = delta + gamma * lambda * nextAdvantage;
      nextValue = value;
      advantages[token] = nextAdvantage;
      returns[token] = nextAdvantage + value;
    }
  }
  return { advantages, returns };
}

/**
 * Whitening as verl does it after GAE: over all agent tokens of the batch, (x - mean) / sqrt(variance + 1e-8), the
 * variance with divisor N - 1; masked tokens give 0. Fewer than two agent tokens: all 0.
 */
export function whiten(values: Float64Array, mask: Uint8Array): Float64Array {
  if (values.length !== mask.length)
    throw new InvalidBatchError(`values must be as long as mask (${mask.length}); got ${values.length}`);
  const result = new Float64Array(values.length);
  let count = 0;
  let sum = 0;
  for (let token = 0; token < values.length; token += 1)
    if (mask[token] === 1) {
      count += 1;
      sum += values[token] as number;
    }
  if (count < 2) return result;
  const mean = sum / count;
  let squares = 0;
  for (let token = 0; token < values.length; token += 1)
    if (mask[token] === 1) squares += ((values[token] as number) - mean) ** 2;
  const divisor = Math.sqrt(squares / (count - 1) + 1e-8);
  for (let token = 0; token < values.length; token += 1)
    if (mask[token] === 1) result[token] = ((values[token] as number) - mean) / divisor;
  return result;
}
