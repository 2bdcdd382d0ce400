import { InvalidVerdictsError } from '../errors.js';

/** A judge's mark for one turn: 1 right, 0 a slip or a follow-on, -1 the one major deviation. */
export type Verdict = -1 | 0 | 1;

/**
 * `perfect`: R = 1, all turns 1. `good`: R = 1, no -1. `good-attempt`: R = 0, no -1. `failed`: R = 0, one -1.
 * `good-with-deviation`: R = 1 and a -1, which the paper leaves undefined; the formula is kept, and such episodes
 * should be counted, for either the judge or the verifier errs there.
 */
export const EPISODE_KINDS = ['perfect', 'good', 'good-attempt', 'failed', 'good-with-deviation'] as const;
export type EpisodeKind = (typeof EPISODE_KINDS)[number];

export interface TarlInput {
  /** R, by any outcome rule. Null: the episode has no outcome. */
  readonly outcome: 0 | 1 | null;
  /** One per turn, in order; null: missing. */
  readonly verdicts: readonly (Verdict | null)[];
}

export interface TarlOptions {
  /** `5/T` (default) gives the paper's published ranges; `1/T` is the paper's text taken literally. */
  readonly turnScale?: '5/T' | '1/T';
}

export interface TarlReward {
  /** S = outcomePart + turnPart + deviationPart; null when an outcome or a verdict is missing, which is never 0. */
  readonly score: number | null;
  readonly kind: EpisodeKind | null;
  /** 10 R; null without an outcome. */
  readonly outcomePart: number | null;
  /** 5/T or 1/T times the sum of the verdicts that are not -1; null when one is missing. */
  readonly turnPart: number | null;
  /** -5 where a verdict is -1, else 0; null when one is missing. */
  readonly deviationPart: number | null;
  /**
   * What each turn adds, for per-turn placement: 5/T or 1/T times the verdict, -5 for the -1; null where missing.
   * They sum to turnPart + deviationPart.
   */
  readonly turnParts: readonly (number | null)[];
  readonly missing: number;
}

const DEVIATION_PART = -5;

function kindOf(outcome: 0 | 1, verdicts: readonly (Verdict | null)[]): EpisodeKind {
  const deviated = verdicts.includes(-1);
  if (outcome === 0) return deviated ? 'failed' : 'good-attempt';
  if (deviated) return 'good-with-deviation';
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === 1) ? 'perfect' : 'good';
}

function check(verdicts: readonly (Verdict | null)[]): void {
  const deviations = verdicts.filter((verdict) => verdict === -1).length;
  if (deviations > 1)
    throw new InvalidVerdictsError(
      `an episode has at most one -1, on the first major deviation; got ${deviations}. Give its consequences 0`,
      { verdicts },
    );
  const odd = verdicts.find((verdict) => verdict !== null && ![-1, 0, 1].includes(verdict));
  if (odd !== undefined)
    throw new InvalidVerdictsError(`a verdict is -1, 0 or 1, or null when it is missing; got ${odd}`, {
      verdicts,
    });
}

/**
 * The TARL episode reward (arXiv 2509.14480, section 3.2): S = 10 R + 5 * (sum of verdicts >= 0) / T - 5 * [a verdict
 * is -1], where T counts all turns. An episode without turns has no turn part.
 * @throws InvalidVerdictsError on more than one -1, or on another value than -1, 0, 1, null
 *
 * By hand: R = 0, verdicts 1 1 1 -1 0 1, T = 6: 0 + 5 * 4/6 - 5 = -1.6667, `failed`.
 */
export function tarlReward({ outcome, verdicts }: TarlInput, options: TarlOptions = {}): TarlReward {
  check(verdicts);
  const perTurn = verdicts.length === 0 ? 0 : (options.turnScale === '1/T' ? 1 : 5) / verdicts.length;
  const missing = verdicts.filter((verdict) => verdict === null).length;
  const outcomePart = outcome === null ? null : 10 * outcome;
  const right = verdicts.filter((verdict) => verdict === 1).length;
  // All turns right is exactly 5 (or 1): T times 5/T is not, for some T.
  const full = options.turnScale === '1/T' ? 1 : 5;
  const turnPart = missing > 0 ? null : right === 0 ? 0 : (full * right) / verdicts.length;
  const deviationPart = missing > 0 ? null : verdicts.includes(-1) ? DEVIATION_PART : 0;
  const whole = outcomePart !== null && turnPart !== null && deviationPart !== null;
  return {
    score: whole ? outcomePart + turnPart + deviationPart : null,
    kind: whole && outcome !== null ? kindOf(outcome, verdicts) : null,
    outcomePart,
    turnPart,
    deviationPart,
    turnParts: verdicts.map((verdict) =>
      verdict === null ? null : verdict === -1 ? DEVIATION_PART : verdict === 1 ? perTurn : 0,
    ),
    missing,
  };
}
