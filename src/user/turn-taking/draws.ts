import { createRandom, deriveSeed } from '../../shared/index.js';
import { type TurnState, toSamples } from './turn-state.js';

/**
 * Chance, by the episode's seed and the place in the call alone: the same agent meets the same customer, whatever else
 * runs and however fast.
 */

/** Does the customer break in at this check of this talk? */
export function drawInterruption({ seed, rules, talks }: TurnState, check: number): boolean {
  return createRandom(deriveSeed(seed, 'interrupt', talks, check)).chance(rules.interruptChance);
}

/** Samples until the next backchannel of a talk; null: there are none. */
export function drawBackchannel(state: TurnState, place: { talk: number; nth: number }): number | null {
  const { backchannel } = state.rules;
  if (backchannel === null) return null;
  const { minMs, maxMs, perSecond } = backchannel;
  const random = createRandom(deriveSeed(state.seed, 'backchannel', place.talk, place.nth));
  const waitMs = (-Math.log(1 - random.next()) / perSecond) * 1_000;
  return toSamples(state, Math.min(maxMs, minMs + waitMs));
}
