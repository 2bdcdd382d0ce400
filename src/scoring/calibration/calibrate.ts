import { correlation, deadTurnShare, tierAlignment } from '../advantages/diagnostics.js';
import { grpo } from '../advantages/group-relative.js';
import { normaliseTurns, type TurnPooling } from '../advantages/pooling.js';
import { mtGrpo } from '../advantages/turn-level.js';
import { CalibrationDataError } from '../errors.js';
import { type RewardTable, rewardTableHash } from '../rewards/reward-table.js';
import { type Intent, TIERS, type Tier } from '../rewards/tier.js';
import { batchRollouts, type Rollout } from '../rollout.js';
import {
  byTier,
  type Decision,
  type DecisionOptions,
  decideValue,
  followsReward,
  intentsOf,
  withTiers,
} from './decide.js';
import { gatherEvidence, type TierEvidence } from './evidence.js';

export interface CalibrationOptions extends DecisionOptions {
  /** Stop only when the mean turn reward of an episode correlates with success by more than this. Default 0.3. */
  readonly eta?: number;
  /** Weight of the outcome in the sign check E[A^I + lambda * A^O | tier]. Default 0.3. */
  readonly lambda?: number;
  /** Which turns A^I is normalised over. Default `position`. */
  readonly pooling?: TurnPooling;
  /** Default 10. */
  readonly maxRounds?: number;
  /** Of the resampling for the intervals. Default 0. */
  readonly seed?: number;
  /** Default 1000. */
  readonly resamples?: number;
}

/** How a reward table does on a buffer. */
export interface TableCheck {
  readonly meanAdvantage: Readonly<Record<Tier, number | null>>;
  readonly intents: Readonly<Record<Tier, Intent>>;
  readonly misaligned: readonly Tier[];
  /** Corr(mean turn reward of an episode, outcome); null where one of them does not vary. */
  readonly correlation: number | null;
  /** Of MT-GRPO with these rewards. */
  readonly deadTurns: number | null;
}

export interface CalibratedTier extends TierEvidence {
  readonly decision: Decision;
  readonly oldValue: number;
  readonly newValue: number;
  /** The reward's sign changes, 0 being a sign of its own. */
  readonly flips: boolean;
  /** The interval reaches over +delta or -delta, so more episodes may decide otherwise. */
  readonly borderline: boolean;
}

export interface CalibrationRound {
  readonly round: number;
  readonly episodes: number;
  readonly tasks: number;
  readonly passing: number;
  readonly tiers: readonly CalibratedTier[];
  readonly before: TableCheck;
  readonly after: TableCheck;
}

export interface Calibration {
  readonly rewards: RewardTable;
  readonly rounds: readonly CalibrationRound[];
  /** `aligned`: no tier misaligned and the correlation above eta. `settled`: nothing changes any more, but not that. */
  readonly stopped: 'aligned' | 'settled' | 'round-limit';
}

/** Steps 5 to 7 of Algorithm 1: does the table point every tier the right way, and does it follow success? */
export function checkTable(
  rollouts: readonly Rollout[],
  rewards: RewardTable,
  options: CalibrationOptions = {},
): TableCheck {
  const { lambda = 0.3, pooling = 'position' } = options;
  const batch = batchRollouts(rollouts, rewards);
  const advantages = normaliseTurns(batch.turnRewards, batch, { pooling }).values;
  const outcome = grpo(batch.outcomes, batch.groupOffsets);
  const means = new Float64Array(batch.outcomes.length);
  const counted: number[] = [];
  for (let episode = 0; episode < means.length; episode += 1) {
    const from = batch.turnOffsets[episode] as number;
    const to = batch.turnOffsets[episode + 1] as number;
    if (to > from) counted.push(episode);
    for (let turn = from; turn < to; turn += 1) {
      (means[episode] as number) += (batch.turnRewards[turn] as number) / (to - from);
      (advantages[turn] as number) += lambda * (outcome.values[episode] as number);
    }
  }
  const intents = intentsOf(rewards, options.intents);
  const rows = tierAlignment(batch.tiers, advantages, { intents });
  return {
    meanAdvantage: byTier((tier) => rows[TIERS.indexOf(tier)]?.meanAdvantage ?? null),
    intents,
    misaligned: rows.filter((row) => row.aligned === false).map((row) => row.tier),
    correlation: correlation(
      Float64Array.from(counted, (episode) => means[episode] as number),
      Float64Array.from(counted, (episode) => batch.outcomes[episode] as number),
    ),
    deadTurns: deadTurnShare(mtGrpo(batch, { pooling })),
  };
}

/** Points the other way, and not just nowhere, as all do where every task's rollouts are alike. */
function opposes({ meanAdvantage, intents }: TableCheck, tier: Tier): boolean {
  return (meanAdvantage[tier] ?? 0) * intents[tier] < 0;
}

function straddles({ rho, interval }: TierEvidence, delta: number): boolean {
  if (rho === null || interval === null) return false;
  return [-delta, delta].some((edge) => interval.low < edge && interval.high > edge);
}

function calibrateTier(
  evidence: TierEvidence,
  old: number,
  options: CalibrationOptions & { held: boolean },
): CalibratedTier {
  const { tier, rho } = evidence;
  const { decision, value } = decideValue({ tier, rho, old, held: options.held }, options);
  return {
    ...evidence,
    decision,
    oldValue: old,
    newValue: value,
    flips: Math.sign(old) !== Math.sign(value),
    borderline: straddles(evidence, options.delta ?? 0.05),
  };
}

function checkBuffer(rollouts: readonly Rollout[], place: number): void {
  const passing = rollouts.filter((rollout) => rollout.success === 1).length;
  if (rollouts.length === 0 || passing === 0 || passing === rollouts.length)
    throw new CalibrationDataError(
      `calibration needs episodes that passed and episodes that failed; run ${place + 1} has ${rollouts.length} with an outcome, ${passing} of them passed`,
      { episodes: rollouts.length, passing },
    );
}

/**
 * Iterative reward calibration (arXiv 2604.02869, Algorithm 1): measure which kinds of turns go with success, reward them
 * accordingly, check that the advantages then point the right way, repeat.
 *
 * With fresh episodes each round hand in one buffer per round; the last one is used again. On a single buffer the
 * correlations stay what they are, so the second round can only settle what the check has flagged: a tier whose intent
 * follows its reward and that still points the wrong way gets 0. Tiers with a fixed intent are reported, not bent:
 * there the reward has the right sign already and the advantage (lambda, gamma, pooling) is what is off.
 * @throws CalibrationDataError when a buffer has no episodes, or all with the same outcome
 */
export function calibrate(
  buffers: readonly (readonly Rollout[])[],
  start: RewardTable,
  options: CalibrationOptions = {},
): Calibration {
  if (buffers.length === 0) checkBuffer([], 0);
  buffers.forEach(checkBuffer);
  const { eta = 0.3, maxRounds = 10, seed = 0, resamples = 1000 } = options;
  const name = `${start.name}-calibrated`;
  const held = new Set<Tier>();
  const rounds: CalibrationRound[] = [];
  let rewards = start;
  for (let round = 1; round <= maxRounds; round += 1) {
    const rollouts = buffers[Math.min(round, buffers.length) - 1] as readonly Rollout[];
    const tiers = gatherEvidence(rollouts, { seed, resamples }).map((evidence) =>
      calibrateTier(evidence, rewards.tiers[evidence.tier], { ...options, held: held.has(evidence.tier) }),
    );
    const next = withTiers(
      rewards,
      byTier((tier) => tiers[TIERS.indexOf(tier)]?.newValue ?? 0),
      name,
    );
    const before = checkTable(rollouts, rewards, options);
    const after = checkTable(rollouts, next, options);
    rounds.push({
      round,
      episodes: rollouts.length,
      tasks: new Set(rollouts.map((rollout) => rollout.group)).size,
      passing: rollouts.filter((rollout) => rollout.success === 1).length,
      tiers,
      before,
      after,
    });
    const settled = rewardTableHash(next) === rewardTableHash(rewards);
    rewards = next;
    const lastBuffer = round >= buffers.length;
    if (lastBuffer && after.misaligned.length === 0 && (after.correlation ?? -1) > eta)
      return { rewards, rounds, stopped: 'aligned' };
    const newlyHeld = after.misaligned.filter(
      (tier) => followsReward(tier, options) && !held.has(tier) && opposes(after, tier),
    );
    for (const tier of newlyHeld) held.add(tier);
    if (lastBuffer && settled && newlyHeld.length === 0) return { rewards, rounds, stopped: 'settled' };
  }
  return { rewards, rounds, stopped: 'round-limit' };
}
