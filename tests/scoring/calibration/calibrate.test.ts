import { describe, expect, it } from 'vitest';
import { type CalibratedTier, calibrate, checkTable } from '../../../src/scoring/calibration/calibrate.js';
import { decideValue } from '../../../src/scoring/calibration/decide.js';
import { pointBiserialFromShares } from '../../../src/scoring/calibration/point-biserial.js';
import { renderCalibration } from '../../../src/scoring/calibration/report.js';
import { CalibrationDataError } from '../../../src/scoring/errors.js';
import { REWARD_TABLES } from '../../../src/scoring/rewards/reward-table.js';
import { TIERS, type Tier } from '../../../src/scoring/rewards/tier.js';
import type { Rollout } from '../../../src/scoring/rollout.js';
import { createRandom } from '../../../src/shared/index.js';

const { v5, v6 } = REWARD_TABLES;

function rollout(group: number, success: boolean, tiers: readonly Tier[]): Rollout {
  return {
    episode: `${group}`,
    group: `${group}`,
    success: success ? 1 : 0,
    turns: tiers.map((tier) => ({
      tier,
      share: tier === 'gold' ? 1 : tier === 'soft' ? 0.5 : 0,
      matched: null,
    })),
  };
}

/** arXiv 2604.02869, table 4: frequency in passing and in failing episodes, of 5,952 with a pass rate near 56 %. */
const PUBLISHED: Readonly<Record<'gold' | 'soft' | 'read' | 'state' | 'error', readonly [number, number]>> = {
  gold: [0.684, 0.013],
  soft: [0.542, 0.458],
  read: [0.501, 0.5],
  state: [0.01, 0.026],
  error: [0.12, 0.88],
};

describe('the decision per tier', () => {
  it('the published V5 frequencies give the published V6 directions, and with kept sizes its very values', () => {
    for (const [tier, [passing, failing]] of Object.entries(PUBLISHED)) {
      const input = {
        tier: tier as Tier,
        rho: pointBiserialFromShares(passing, failing, 0.56),
        old: v5.tiers[tier as Tier],
      };
      const target = v6.tiers[tier as Tier];
      expect(Math.sign(decideValue(input).value), tier).toBe(Math.sign(target));
      expect(decideValue(input, { values: 'magnitude' }).value, tier).toBe(target);
    }
  });

  it('no evidence changes nothing; weak evidence gives 0; alpha scales', () => {
    expect(decideValue({ tier: 'duplicate', rho: null, old: -0.2 })).toEqual({
      decision: 'kept',
      value: -0.2,
    });
    expect(decideValue({ tier: 'read', rho: 0.05, old: 0.3 })).toEqual({ decision: 'weak', value: 0 });
    expect(decideValue({ tier: 'read', rho: 0.2, old: 0.3 }, { alpha: 2 })).toEqual({
      decision: 'scaled',
      value: 0.4,
    });
  });

  it('a value against the intent is dropped, unless the data is to be taken at its word', () => {
    const odd = { tier: 'gold', rho: -0.3, old: 1 } as const;
    expect(decideValue(odd)).toEqual({ decision: 'contradiction', value: 0 });
    expect(decideValue(odd, { contradictions: 'keep' })).toEqual({ decision: 'scaled', value: -0.3 });
  });
});

/** Tasks whose passing rollouts make the gold call and whose failing ones err; everybody reads and talks. */
function madeUp(tasks: number, seed: number): Rollout[] {
  const random = createRandom(seed);
  return Array.from({ length: tasks }, (_, task) =>
    Array.from({ length: 4 }, () => {
      const success = random.chance(0.5);
      const tiers: Tier[] = ['message'];
      if (random.chance(0.9)) tiers.push('read');
      if (random.chance(success ? 0.85 : 0.1)) tiers.push('gold');
      if (random.chance(success ? 0.05 : 0.6)) tiers.push('error');
      if (random.chance(success ? 0.02 : 0.3)) tiers.push('state');
      return rollout(task, success, tiers);
    }),
  ).flat();
}

const tierOf = (tiers: readonly CalibratedTier[] | undefined, tier: Tier) =>
  tiers?.find((one) => one.tier === tier);

describe('iterative calibration', () => {
  const result = calibrate([madeUp(80, 3)], v5);
  const [first] = result.rounds;

  it('finds what goes with success, takes the reward off reading, and ends aligned', () => {
    expect(result.stopped).toBe('aligned');
    expect(result.rewards.tiers.gold).toBeGreaterThan(0.5);
    expect(result.rewards.tiers.error).toBeLessThan(-0.3);
    expect(result.rewards.tiers.state).toBeLessThan(0);
    expect(result.rewards.tiers.read).toBe(0);
    expect(result.rounds.at(-1)?.after.misaligned).toEqual([]);
    expect(result.rounds.at(-1)?.after.correlation).toBeGreaterThan(0.3);
  });

  it('keeps what it has no evidence about: words occur in every episode, near misses in none', () => {
    expect(tierOf(first?.tiers, 'message')).toMatchObject({
      rho: null,
      decision: 'kept',
      passing: 1,
      failing: 1,
    });
    expect(result.rewards.tiers.soft).toBe(v5.tiers.soft);
    expect(result.rewards.tiers.duplicate).toBe(v5.tiers.duplicate);
  });

  it('says which signs flip, and an interval around every rho', () => {
    expect(tierOf(first?.tiers, 'state')).toMatchObject({ flips: true, oldValue: 0.1 });
    for (const { rho, interval } of first?.tiers ?? [])
      if (rho !== null) {
        expect(interval?.low).toBeLessThanOrEqual(rho);
        expect(interval?.high).toBeGreaterThanOrEqual(rho);
      }
  });

  it('is the same for the same seed', () => {
    expect(calibrate([madeUp(80, 3)], v5)).toEqual(result);
  });

  it('takes fresh episodes round by round', () => {
    const rounds = calibrate([madeUp(40, 1), madeUp(60, 2), madeUp(80, 3)], v5).rounds;
    expect(rounds.slice(0, 3).map((round) => round.episodes)).toEqual([160, 240, 320]);
  });

  it('reads well', () => {
    const text = renderCalibration(result);
    expect(text).toContain('Round 1: 320 episodes of 80 tasks');
    expect(text).toMatch(/^state +\d+ .* \+0\.10 +-0\.\d\d +plus to minus/m);
    expect(text).toMatch(/^message .*no evidence .*kept, no evidence$/m);
    expect(text).toContain('Done: no tier points the wrong way');
  });

  it('a read that is rewarded and still pushed down is set to 0 in the next round', () => {
    // Over the tasks reading goes with success (in the easy task 0 everybody reads); within the hard one it does not.
    const hard = (success: boolean, tiers: Tier[]) => rollout(1, success, tiers);
    const data = [
      ...Array.from({ length: 4 }, () => rollout(0, true, ['read', 'gold'])),
      hard(true, ['gold', 'message']),
      hard(false, ['message', 'message', 'read', 'read', 'read']),
      hard(false, ['message', 'error']),
      hard(false, ['message', 'error']),
    ];
    const { rounds } = calibrate([data], v5);
    expect(tierOf(rounds[0]?.tiers, 'read')?.decision).toBe('scaled');
    expect(rounds[0]?.after.misaligned).toContain('read');
    expect(tierOf(rounds[1]?.tiers, 'read')).toMatchObject({ decision: 'held', newValue: 0 });
  });

  it('stops at the round limit, and settles where nothing changes any more', () => {
    expect(calibrate([madeUp(20, 1)], v5, { maxRounds: 1, eta: 1 }).stopped).toBe('round-limit');
    const settled = calibrate([madeUp(20, 1)], v5, { eta: 1 });
    expect(settled.stopped).toBe('settled');
    expect(renderCalibration(settled)).toContain('Settled:');
  });

  it.each([
    ['no episodes', []],
    ['only successes', [rollout(0, true, ['gold'])]],
    ['only failures', [rollout(0, false, ['error'])]],
  ])('cannot learn from %s and says so', (_name, rollouts) => {
    expect(() => calibrate([rollouts], v5)).toThrow(CalibrationDataError);
  });
});

describe('the check of a table', () => {
  it('finds what the paper found in V5: reads are rewarded and pushed down in failing rollouts', () => {
    // Two failing rollouts read at length, two passing ones go straight to the gold call.
    const data = [
      rollout(0, true, ['gold']),
      rollout(0, true, ['gold']),
      rollout(0, false, ['error', 'read', 'read', 'read']),
      rollout(0, false, ['error', 'read', 'read', 'read']),
    ];
    expect(checkTable(data, v5).misaligned).toEqual(['read']);
    expect(checkTable(data, v6).misaligned).toEqual([]);
  });

  it('has a mean for every tier that occurs and none for the others', () => {
    const { meanAdvantage } = checkTable(madeUp(20, 1), v5);
    expect(TIERS.filter((tier) => meanAdvantage[tier] === null)).toEqual(['soft', 'duplicate']);
  });
});
